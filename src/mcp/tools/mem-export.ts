// The tool `mem_export`: the rows of the store as JSON Lines, a page at a time. No file is written: no path comes from an
// agent.
import * as z from "zod";
import { type ExportLine, type ExportPlace, exportLines } from "../../observations/transfer/export-page.ts";
import { cutAt } from "../../text/quote.ts";
import { type AnswerLimit, answerLimit, tooSmall } from "../answer.ts";
import { readCursor, writeCursor } from "../cursor.ts";
import { defineTool, type ToolAnswer } from "../tool.ts";

const exportInput = z.object({
  project: z.string().optional().describe("Only rows of this project, by its exact name; all when left out"),
  cursor: z.string().optional().describe("next_cursor of the last page, with the same project"),
  max_tokens: z.number().optional().describe("Most tokens of the page, counted exactly"),
});

const exportOutput = z.object({
  lines: z
    .array(z.record(z.string(), z.unknown()))
    .describe("The same lines as in the text: {type: session|observation|prompt|relation, row}, or {type: left_out}"),
  next_cursor: z.string().nullable().describe("Send it as cursor for the next page; null on the last"),
});

const exportPlace = z.strictObject({
  table: z.enum(["session", "observation", "prompt", "relation"]),
  after: z.int(),
  hasSession: z.boolean().optional(),
});

export const memExport = defineTool({
  name: "mem_export",
  title: "Export the memory as JSON Lines",
  description:
    "Gives every row of the memory, deleted ones included, as JSON Lines that mem_import takes: page after page, each " +
    "with the next_cursor in its last line. Call it to copy or to back up a memory; use mem_search to find something.",
  params: exportInput,
  result: exportOutput,
  hints: { isReadOnly: true, isDestructive: false, isIdempotent: true },
  async run({ project, cursor, max_tokens }, context) {
    const limit = answerLimit(max_tokens, context);
    const from: ExportPlace | undefined = cursor?.trim() ? readCursor("mem_export", cursor, exportPlace) : undefined;
    const filter = project === undefined || project === "" ? {} : { project };
    const store = await context.store();
    const { lines, isLast } = await store.read(async (reader) => gather(exportLines(reader, filter, from), limit));
    return fitLines(lines, isLast, limit);
  },
});

interface WrittenLine {
  readonly line: Readonly<Record<string, unknown>>;
  readonly place: ExportPlace;
}

/** Lines until they surely fill the page. */
async function gather(source: AsyncIterable<ExportLine>, limit: AnswerLimit) {
  const lines: WrittenLine[] = [];
  let tokens = 0;
  for await (const exported of source) {
    const { line, size } = written(exported, limit);
    lines.push({ line, place: exported.place });
    tokens += size;
    if (tokens > limit.maxTokens) return { lines, isLast: false };
  }
  return { lines, isLast: true };
}

/** What the line of the page and the keys of the structured part take at most, cursor included. */
const FRAME = 150;
/** More units than this many a token are not worth counting. */
const MOST_UNITS_A_TOKEN = 16;

/** Rows are never cut: one that no page can hold is named instead, with the tokens it takes. */
function written({ type, row, id, nth }: ExportLine, { maxTokens, count }: AnswerLimit) {
  const line = { type, row, ...(nth === undefined ? {} : { nth }) };
  const json = JSON.stringify(line);
  const isHuge = json.length > (maxTokens + FRAME) * MOST_UNITS_A_TOKEN;
  const size = isHuge ? Math.ceil(json.length / 2) : count(json) + 1;
  if (size + FRAME <= maxTokens) return { line, size };
  const leftOut = { type: "left_out", of: type, id: typeof id === "string" ? cutAt(id, 80) : id };
  const named = isHuge ? { ...leftOut, units: json.length } : { ...leftOut, tokens: size, max_tokens: size + FRAME };
  return { line: named, size: count(JSON.stringify(named)) + 1 };
}

function fitLines(lines: readonly WrittenLine[], isLast: boolean, { maxTokens, count }: AnswerLimit): ToolAnswer {
  for (let shown = lines.length; ; shown--) {
    const answer = exportAnswer(lines.slice(0, shown), isLast && shown === lines.length);
    if (count(answer.text) <= maxTokens && count(JSON.stringify(answer.structured)) <= maxTokens) return answer;
    if (shown <= 1) throw tooSmall(answer, { maxTokens, count });
  }
}

function exportAnswer(lines: readonly WrittenLine[], isLast: boolean): ToolAnswer {
  const last = lines.at(-1)?.place;
  const next_cursor = isLast || last === undefined ? null : writeCursor("mem_export", { ...last });
  const page = { type: "page", lines: lines.length, next_cursor };
  return {
    text: [...lines.map(({ line }) => line), page].map((line) => `${JSON.stringify(line)}\n`).join(""),
    structured: { lines: lines.map(({ line }) => line), next_cursor },
  };
}
