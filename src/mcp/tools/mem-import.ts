// The tool `mem_import`: the rows of a text that an agent hands over. No file is read: no path comes from an agent.
import * as z from "zod";
import { CompactError } from "../../errors.ts";
import { type ImportReport, importObservations } from "../../observations/transfer/import-observations.ts";
import type { ImportNote } from "../../observations/transfer/imported-rows.ts";
import { countSecrets, withoutSecrets } from "../../observations/transfer/imported-secrets.ts";
import { IMPORT_FORMATS, readImportedRows } from "../../observations/transfer/read-rows.ts";
import { createRedactor } from "../../redaction/redactor.ts";
import { defineTool } from "../tool.ts";
import { secretsParam } from "./saved-secrets.ts";

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
  redact: secretsParam,
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
  rows_with_secrets: z.int().describe("Rows of the text that hold what looks like a secret"),
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
  async run({ content, format, redact }, context) {
    if (content.length > LONGEST_CONTENT) throw tooLong(content.length);
    const rows = readImportedRows(content, format?.trim() ? format.trim() : "auto");
    const { redactor = createRedactor() } = context;
    const secrets = countSecrets(rows, redactor);
    const taken = redact === true ? withoutSecrets(rows, redactor) : rows;
    const report = await importObservations(await context.store(), taken, { now: context.now });
    const told =
      redact === true
        ? `\nSecrets in ${secrets} of the rows stand as <REDACTED>.`
        : `\n⚠️ ${secrets} of the rows hold what looks like a secret: redact: true leaves it out.`;
    return {
      text: describeImport(report) + (secrets === 0 ? "" : told),
      structured: { ...shortReport(report), rows_with_secrets: secrets },
    };
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
