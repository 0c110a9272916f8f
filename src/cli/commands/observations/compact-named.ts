// Compacts the rows that a person named, with the summary that the person wrote.
import { compactObservations, previewCompaction } from "../../../observations/compact-observations.ts";
import { badFlag } from "../../flags.ts";
import { decodeText } from "../../input/decode-text.ts";
import { readBytes } from "../../input/read-bytes.ts";
import type { FilterFlags, OpenedStore } from "../../open-store.ts";
import { printResult } from "../../print-result.ts";
import { figure, oneLine, plural, renderTable } from "../../render/table.ts";
import type { Terminal } from "../../terminal.ts";
import { DEFAULT_AGE } from "./stale.ts";

export interface NamedFlags extends FilterFlags {
  readonly olderThan?: number;
  readonly dryRun?: true;
  readonly summaryTitle?: string;
  readonly summaryContent?: string;
  readonly summaryFile?: string;
}

export async function compactNamed(
  ids: readonly number[],
  flags: NamedFlags,
  { store, flag, count, trace }: OpenedStore,
  terminal: Terminal,
): Promise<void> {
  const { olderThan = DEFAULT_AGE, project, scope, namespace, summaryTitle } = flags;
  const summaryContent = await contentOf(flags, terminal);
  if (summaryTitle === undefined && summaryContent !== undefined)
    throw badFlag("A summary needs a title.", "Give it with --summary-title.");
  if (summaryTitle !== undefined && summaryContent === undefined)
    throw badFlag("A summary needs a text.", "Give it with --summary-content or --summary-file.");
  const request = { olderThanDays: olderThan, ids, project, scope, namespace, summaryTitle, summaryContent };
  if (flags.dryRun === true) {
    const rows = await previewCompaction(store, request);
    const listed = rows.map(({ id, type, title, content }) => ({
      id,
      type,
      title,
      tokens: count(`${title}\n${content}`),
    }));
    const tokens = listed.reduce((sum, row) => sum + row.tokens, 0);
    const columns = [
      { title: "id", isNumber: true },
      { title: "type" },
      { title: "title", width: 60 },
      { title: "tokens", isNumber: true },
    ];
    const cells = listed.map((row) => [String(row.id), row.type, oneLine(row.title), row.tokens]);
    printResult(
      { rows: listed, tokens },
      (colors) =>
        `${renderTable(columns, cells, colors)}\n\n${plural(listed.length, "row")}, ${figure(tokens)} tokens would be compacted. Nothing was changed.\n`,
      flags,
      terminal,
    );
    return;
  }
  const result = await compactObservations(store, request, { now: Date.now(), trace });
  const { deleted, before, after, summaryId, young, living } = result;
  const undo = summaryId === undefined ? ids.join(" ") : `--summary ${summaryId}`;
  const lines = [
    `Compacted ${plural(deleted, "row")}: ${figure(before)} live before, ${figure(after)} after.`,
    ...(summaryId === undefined ? [] : [`Row ${summaryId} stands for them.`]),
    ...(young.length === 0 ? [] : [`Note: younger than ${plural(olderThan, "day")}: ${young.join(", ")}`]),
    ...(living.length === 0 ? [] : [`Note: updated within ${plural(olderThan, "day")}: ${living.join(", ")}`]),
  ];
  printResult(
    { ids: result.ids, deleted, before, after, summary_id: summaryId ?? null, young, living },
    (colors) => `${lines.join("\n")}\nTo undo: ${colors.cyan(`agent-compact observations restore ${undo}${flag}`)}\n`,
    flags,
    terminal,
    { isTold: true },
  );
}

async function contentOf({ summaryContent, summaryFile }: NamedFlags, terminal: Terminal): Promise<string | undefined> {
  if (summaryFile === undefined) return summaryContent;
  if (summaryContent !== undefined)
    throw badFlag("--summary-content and --summary-file both give the text: choose one.");
  const { bytes, label } = await readBytes(summaryFile, terminal, undefined, {
    empty: "Give a file that holds the summary.",
    tooLarge: "A summary has a million characters at most.",
  });
  return decodeText(bytes, label, "a file of text").text;
}
