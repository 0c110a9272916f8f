// The tool `mem_export`: the rows of the store as JSON Lines, a page at a time. No file is written: no path comes from an
// agent.
import * as z from "zod";
import { CompactError } from "../../errors.ts";
import { type ExportLine, type ExportPlace, exportLines } from "../../observations/transfer/export-page.ts";
import { type ImportReport, importObservations } from "../../observations/transfer/import-observations.ts";
import type { ImportNote } from "../../observations/transfer/imported-rows.ts";
import { IMPORT_FORMATS, readImportedRows } from "../../observations/transfer/read-rows.ts";
import { cutAt } from "../../text/quote.ts";
import { type AnswerLimit, answerLimit, readCursor, tooSmall, writeCursor } from "../answer.ts";
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

// The tool `mem_import`: the rows of a text that an agent hands over. No file is read: no path comes from an agent.

const LONGEST_CONTENT = 5 * 1024 * 1024;
/** Reasons and fields that an answer names; each is short. */
const MOST_NAMED = 10;
const MOST_POSITIONS = 5;

const importInput = z.object({
  content: z
    .string()
    .describe(
      "The text: pages of mem_export, an export of a memory store, a knowledge graph's memory file, or JSON objects with " +
        "a content; at most 5 MiB",
    ),
  format: z
    .string()
    .optional()
    .describe(`${IMPORT_FORMATS.join(", ")}; told by the content when left out`),
});

const notes = z.array(z.object({ reason: z.string(), count: z.int(), positions: z.array(z.string()) }));

const importOutput = z.object({
  format: z.string(),
  added: z.int(),
  unchanged: z.int().describe("Observations that the memory had already"),
  updated: z.int().describe("Observations of which the text had a later state"),
  kept_newer: z.int().describe("Observations of which the memory has a later state"),
  remapped: z.int().describe("Added observations that got a new id, because theirs was taken"),
  sessions: z.int().describe("Added sessions"),
  prompts: z.int().describe("Added prompts"),
  relations: z.int().describe("Added relations"),
  skipped: notes.describe("What was not imported"),
  notes: notes.describe("What was imported otherwise than written"),
  dropped_fields: z.record(z.string(), z.int()).describe("Fields that the memory has no place for"),
});

export const memImport = defineTool({
  name: "mem_import",
  title: "Import memories",
  description:
    "Adds memories from a text: pages of mem_export, an export of a memory store, a knowledge graph, or a list of " +
    "objects. Importing the same text again adds nothing; a later state of a row updates it, an older one does not.",
  params: importInput,
  result: importOutput,
  hints: { isReadOnly: false, isDestructive: false, isIdempotent: true },
  async run({ content, format }, context) {
    if (content.length > LONGEST_CONTENT) throw tooLong(content.length);
    const rows = readImportedRows(content, format?.trim() ? format.trim() : "auto");
    const report = await importObservations(await context.store(), rows, { now: context.now });
    return { text: describeImport(report), structured: { ...shortReport(report) } };
  },
});

function describeImport(report: ImportReport): string {
  const { format, added, remapped, unchanged, updated, kept_newer, sessions, prompts, relations } = report;
  const { skipped, notes: changed, dropped_fields } = report;
  const fields = Object.entries(dropped_fields).map(([field, count]) => `${field} (${count})`);
  return [
    `Imported (${format}):`,
    `- **Added**: ${added} observations${remapped === 0 ? "" : `, ${remapped} of them under new ids`}`,
    `- **Unchanged**: ${unchanged}`,
    `- **Updated**: ${updated}`,
    ...(kept_newer === 0 ? [] : [`- **Kept, newer here**: ${kept_newer}`]),
    `- **Sessions**: ${sessions} · **Prompts**: ${prompts} · **Relations**: ${relations} added`,
    ...listed("\n⚠️ Not imported:", skipped),
    ...listed("\nImported otherwise than written, or left as it is here:", changed),
    ...(fields.length === 0 ? [] : [`\nNo place for these fields: ${shortList(fields, MOST_NAMED)}`]),
  ].join("\n");
}

function listed(heading: string, all: readonly ImportNote[]): string[] {
  if (all.length === 0) return [];
  const more = all.length > MOST_NAMED ? [`- ${all.length - MOST_NAMED} more reasons`] : [];
  const lines = all.slice(0, MOST_NAMED).map(({ reason, count, positions }) => {
    return `- ${count}: ${reason} (${shortList(positions, MOST_POSITIONS, count)})`;
  });
  return [heading, ...lines, ...more];
}

function shortList(items: readonly string[], most: number, total = items.length): string {
  const shown = items.slice(0, most);
  return shown.join(", ") + (total > shown.length ? `, … ${total - shown.length} more` : "");
}

function shortReport(report: ImportReport): ImportReport {
  const short = (all: readonly ImportNote[]) =>
    all.slice(0, MOST_NAMED).map((note) => ({ ...note, positions: note.positions.slice(0, MOST_POSITIONS) }));
  const fields = Object.entries(report.dropped_fields).slice(0, MOST_NAMED);
  return {
    ...report,
    skipped: short(report.skipped),
    notes: short(report.notes),
    dropped_fields: Object.fromEntries(fields),
  };
}

function tooLong(units: number): CompactError {
  return new CompactError(
    "InvalidInput",
    `'content' has ${units} UTF-16 units; at most ${LONGEST_CONTENT} are taken at once.`,
    {
      code: "CONTENT_TOO_LONG",
      hint: "Send it in parts of whole lines, or import the file with: agent-compact observations import FILE.",
    },
  );
}
