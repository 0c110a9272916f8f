// The tool `archive_expand`: archived messages whole, as they were sent. What an answer has no room for comes with the
// next page, a long message piece by piece.
import * as z from "zod";
import { type ExpandedReference, expandReference } from "../../archive/read-archive.ts";
import { messageRole } from "../../archive/search-archive.ts";
import { CompactError } from "../../errors.ts";
import { type AnswerLimit, answerLimit, fitLargest, largestWithin } from "../answer.ts";
import { readCursor, writeCursor } from "../cursor.ts";
import { cursorFooter, isPieceStart, pieceFrom } from "../page-text.ts";
import * as parameters from "../parameters.ts";
import { defineTool, type ToolAnswer } from "../tool.ts";
import { chosenSession, sessionParameter } from "./archive-session.ts";
import { nameOf, quoted } from "./row-view.ts";

const expandInput = z.object({
  ref: z.string().describe("1.12 for message 12 of step 1, 1.12-20 for a range, 1 for the whole step"),
  session_id: sessionParameter.optional(),
  max_tokens: parameters.maxTokens.optional(),
  cursor: parameters.cursor.optional(),
});

const expandOutput = z.object({
  session_id: z.string(),
  step: z.int(),
  total: z.int().describe("Messages of the reference"),
  messages: z.array(
    z.object({
      ref: z.string(),
      role: z.string().optional(),
      message: z.unknown().optional().describe("The message as it was sent; null where the archive is damaged"),
      part: z
        .object({
          text: z.string().describe("A piece of the message's JSON; the pieces of all pages together are the whole"),
          offset: z.int(),
          length: z.int().describe("Of the whole JSON, in UTF-16 units"),
        })
        .optional()
        .describe("Instead of message, where it does not fit on one page"),
    }),
  ),
  next_cursor: parameters.nextCursor.optional(),
});

type Shown = z.infer<typeof expandOutput>["messages"][number];

const expandPosition = z.strictObject({ message: z.int().min(0), at: z.int().min(0) });
type Position = z.infer<typeof expandPosition>;

export const archiveExpand = defineTool({
  name: "archive_expand",
  title: "Expand an archived reference",
  description:
    "Gives back archived messages of a conversation, whole, by a reference from a summary or from archive_search. " +
    "Long ones come in pages.",
  params: expandInput,
  result: expandOutput,
  hints: { isReadOnly: true, isDestructive: false, isIdempotent: true },
  async run({ ref, session_id, max_tokens, cursor }, context) {
    const archive = await context.archive();
    const expanded = await expandReference(archive, await chosenSession(archive, session_id), ref);
    const limit = answerLimit(max_tokens, context);
    return fitExpanded(expanded, startOf(expanded, cursor), limit);
  },
});

function startOf({ messages }: ExpandedReference, cursor: string | undefined): Position {
  const start = readCursor("archive_expand", cursor, expandPosition);
  if (start === undefined) return { message: 0, at: 0 };
  const message = messages[start.message];
  if (message !== undefined && isPieceStart(jsonOf(message.message), start.at)) return start;
  throw new CompactError("InvalidInput", "'cursor' is not of this reference.", {
    code: "INVALID_CURSOR",
    hint: "Send it with the ref and session_id of the answer that gave it, or leave it out.",
  });
}

/** Whole messages where one fits; else as much of the first as fits. */
function fitExpanded(expanded: ExpandedReference, start: Position, limit: AnswerLimit): ToolAnswer {
  const left = expanded.messages.length - start.message;
  if (left === 0) return fitLargest(0, 0, () => expandAnswer(expanded, start, []), limit);
  if (start.at === 0) {
    const whole = largestWithin(1, left, (count) => withMessages(expanded, start, count), limit);
    if (whole !== undefined) return whole.answer;
  }
  const json = jsonOf(expanded.messages[start.message]?.message);
  const withUnits = (units: number) => withPart(expanded, start, json, units);
  return fitLargest(1, json.length - start.at, withUnits, limit);
}

interface Written {
  readonly shown: Shown;
  readonly text: string;
}

function withMessages(expanded: ExpandedReference, start: Position, count: number): ToolAnswer {
  const written = expanded.messages.slice(start.message, start.message + count).map(({ number, message }) => {
    const head = headOf(expanded.step, number, message);
    const text = message === null ? "(damaged in the archive)" : quoted(jsonOf(message));
    return { shown: { ...head, message }, text: `${headLine(head)}\n${text}` };
  });
  return expandAnswer(expanded, { message: start.message + count, at: 0 }, written);
}

function withPart(expanded: ExpandedReference, start: Position, json: string, units: number): ToolAnswer {
  const first = expanded.messages[start.message];
  if (first === undefined) return expandAnswer(expanded, start, []);
  const piece = pieceFrom(json, start.at, units);
  const head = headOf(expanded.step, first.number, first.message);
  const end = start.at + piece.length;
  const place = `(characters ${start.at + 1}-${end} of ${json.length})`;
  const written = {
    shown: { ...head, part: { text: piece, offset: start.at, length: json.length } },
    text: `${headLine(head)} ${place}\n${quoted(piece)}`,
  };
  const next = end === json.length ? { message: start.message + 1, at: 0 } : { message: start.message, at: end };
  return expandAnswer(expanded, next, [written]);
}

function expandAnswer(expanded: ExpandedReference, next: Position, written: readonly Written[]): ToolAnswer {
  const { session_id, step, messages } = expanded;
  const cursor = next.message < messages.length ? writeCursor("archive_expand", next) : undefined;
  const structured: z.infer<typeof expandOutput> = {
    session_id,
    step,
    total: messages.length,
    messages: written.map(({ shown }) => shown),
    next_cursor: cursor,
  };
  const blocks =
    written.length === 0 ? "The transcript of this step is empty." : written.map(({ text }) => text).join("\n\n");
  return { text: `Session ${nameOf(session_id)}, step ${step}\n\n${blocks}\n${cursorFooter(cursor)}`, structured };
}

function headOf(step: number, number: number, message: unknown): Pick<Shown, "ref" | "role"> {
  const role = messageRole(message);
  return { ref: `${step}.${number}`, ...(role === undefined ? {} : { role: nameOf(role) }) };
}

function headLine({ ref, role }: Pick<Shown, "ref" | "role">): string {
  return `--- ${ref}${role === undefined ? "" : ` ${role}`} ---`;
}

function jsonOf(message: unknown): string {
  return JSON.stringify(message, null, 2) ?? "null";
}
