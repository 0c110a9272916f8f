// The tool `cstp_get_decision`: one record whole, whatever its age. A long one comes in pieces.
import * as z from "zod";
import { getDecisionMethod } from "../../../decisions/cstp/methods/get-decision.ts";
import { readCursor, writeCursor } from "../../answer/cursor.ts";
import { type AnswerLimit, answerLimit, largestWithin, tooSmall } from "../../answer/fit-page.ts";
import { cursorFooter } from "../../answer/footers.ts";
import { pieceFrom } from "../../answer/text-piece.ts";
import { defineTool, type ToolAnswer } from "../../tool.ts";
import * as parameters from "../reading/parameters.ts";
import { nameOf, quoted } from "../reading/row-text.ts";
import { decisionsOf, methodParameters, toolAliases, toolDescription, toolParameters } from "./method-tool.ts";

const NAME = "cstp_get_decision";
const METHOD = getDecisionMethod;

const input = toolParameters(METHOD.params).extend({
  max_tokens: parameters.maxTokens.optional(),
  cursor: parameters.cursor.optional(),
});

const { decision: _, ...standing } = METHOD.result.shape;

const output = z.object({
  ...standing,
  record: z.string().describe("The record as JSON, every key as it was written, or the piece of it on this page"),
  record_offset: z.int().describe("Where the piece begins, in UTF-16 units"),
  record_length: z.int().describe("Of the whole record, in UTF-16 units"),
  next_cursor: parameters.nextCursor.optional(),
});

const position = z.strictObject({ at: z.int().min(0) });

type Found = z.infer<typeof METHOD.result>;

export const cstpGetDecision = defineTool({
  name: NAME,
  title: "Get a decision",
  description: `${toolDescription(METHOD)} Long ones come in pages.`,
  input,
  output,
  aliases: toolAliases(METHOD.params),
  hints: METHOD.hints,
  async run({ max_tokens, cursor, ...given }, context) {
    const at = cursor === undefined || cursor.trim() === "" ? 0 : readCursor(NAME, cursor, position).at;
    const found = await METHOD.run(methodParameters(METHOD.params, given), decisionsOf(context));
    return fit(found, at, answerLimit(max_tokens, context));
  },
});

function fit(found: Found, at: number, limit: AnswerLimit): ToolAnswer {
  const record = JSON.stringify(found.decision, null, 1);
  const start = Math.min(at, record.length);
  const build = (units: number) => answerOf(found, record, start, units);
  const page = largestWithin(Math.min(1, record.length - start), record.length - start, build, limit);
  if (page === undefined) throw tooSmall(build(1), limit);
  return page.answer;
}

function answerOf(found: Found, record: string, at: number, units: number): ToolAnswer {
  const { decision: _record, ...rest } = found;
  const piece = pieceFrom(record, at, units);
  const end = at + piece.length;
  const next = end < record.length ? writeCursor(NAME, { at: end }) : undefined;
  const { status, preserved, superseded, supersededBy = "" } = found.standing;
  const marks = [
    `status ${nameOf(status)}`,
    ...(preserved ? ["preserved"] : []),
    ...(superseded ? [`SUPERSEDED${supersededBy === "" ? "" : ` by ${nameOf(supersededBy)}`}: not in force`] : []),
  ];
  const place = piece.length < record.length ? ` (characters ${at + 1}-${end} of ${record.length})` : "";
  const text = `[${nameOf(found.id)}] ${marks.join(", ")}; level ${found.compactionLevel}\n\nRecord${place}:\n${quoted(piece)}`;
  const structured: z.infer<typeof output> = {
    ...rest,
    record: piece,
    record_offset: at,
    record_length: record.length,
    ...(next === undefined ? {} : { next_cursor: next }),
  };
  return { text: text + cursorFooter(next), structured };
}
