// `agent-compact memory-files restore`: brings back what left a memory file or a note, or lists what can be.
import { type ArchivedChange, howRestored, type RestoreReport } from "../../memory-files/report.ts";
import { journalFaults, listArchivedChanges } from "../../memory-files/restore-memory-files.ts";
import { restoreMemoryFiles } from "../../memory-files.ts";
import { figure, plural } from "../../text/figures.ts";
import { badFlag, type CommonFlags } from "../flags.ts";
import { type Cell, cutToCells, renderTable, wrapText } from "../render.ts";
import { printResult } from "../report.ts";
import type { Colors, Terminal } from "../terminal.ts";
import { block, WARNING } from "./analysis-view.ts";
import { failRefused, type OpenedMemoryFiles, restoreHints, withMemoryFiles } from "./open-memory-files.ts";
import type { CompactFlags } from "./program.ts";
import { about, renderRecovered } from "./report-view.ts";

const KEPT = "What left these files is in the archive.";
const GONE =
  "What is gone from the archive cannot be put back; put its files there again, from a backup or from version control.";

/** With those of the command above it, which belong to no restore. */
export interface RestoreFlags extends CommonFlags, CompactFlags {
  readonly all?: true;
}

export async function restoreWorkspace(
  named: string,
  ids: readonly string[],
  flags: RestoreFlags,
  terminal: Terminal,
): Promise<void> {
  refuseMixed(ids, flags);
  const hints = restoreHints(named, ids);
  const work = async (opened: OpenedMemoryFiles) => {
    if (ids.length === 0 && flags.all !== true) return listChanges(opened, flags, terminal);
    const { root, trace } = opened;
    const options = { trace, signal: terminal.signal };
    const report = await restoreMemoryFiles(root, flags.all === true ? { all: true } : { ids }, options);
    const render = (colors: Colors) => renderRestored(report, viewIn(opened, colors));
    printResult(report, render, flags, terminal, { isReport: true });
    const { refused } = report;
    const were = refused.length === 1 ? "was" : "were";
    const isGone = refused.some(({ code }) => code === "ARCHIVE_MISSING");
    failRefused(refused, `${plural(refused.length, "change")} ${were} not restored.`, isGone ? GONE : KEPT);
  };
  await withMemoryFiles(named, flags, terminal, work, { hints });
}

const OWN = ["all", "json", "quiet", "debug", "config"];

function refuseMixed(ids: readonly string[], flags: RestoreFlags): void {
  const [other] = Object.keys(flags).filter((name) => !OWN.includes(name));
  if (other !== undefined)
    throw badFlag(
      `restore takes no --${other.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.`,
      "It takes ids or --all; a folder named restore is ./restore.",
    );
  if (ids.length > 0 && flags.all === true) throw badFlag("--all is every change: name no ids beside it.");
}

async function listChanges(opened: OpenedMemoryFiles, flags: CommonFlags, terminal: Terminal): Promise<void> {
  const changes = await listArchivedChanges(opened.root);
  const faults = await journalFaults(opened.root);
  for (const { message } of faults) terminal.stderr.write(`agent-compact: ${message}\n`);
  const render = (colors: Colors) => renderArchived(changes, viewIn(opened, colors));
  printResult({ workspace: opened.root, changes, faults }, render, flags, terminal);
}

function viewIn({ shown, word }: OpenedMemoryFiles, colors: Colors) {
  return { shown, restore: `agent-compact memory-files restore ${word}`, colors };
}

const WIDTH = 80;
const MOST_CHANGES = 40;
const FILE_CELLS = 27;
const WHAT_CELLS = 18;

interface ArchivedView {
  readonly shown: string;
  /** The command that restores, without ids. */
  readonly restore: string;
  readonly colors: Colors;
}

/** `changes`: the newest first. */
export function renderArchived(changes: readonly ArchivedChange[], view: ArchivedView): string {
  const { shown, restore, colors } = view;
  const left = changes.filter(({ state }) => state !== "restored");
  const back = changes.length - left.length;
  const also = back === 0 ? "" : ` ${plural(back, "change is", "changes are")} back already.`;
  if (left.length === 0) return `There is nothing to restore in ${shown}.${also}\n`;
  const possible = left.filter(({ missing }) => missing === undefined);
  const rows = left
    .slice(0, MOST_CHANGES)
    .map(({ id, at, kind, file, what, state, missing }): readonly Cell[] => [
      { text: id, paint: colors.cyan },
      at.slice(0, 10),
      kind.replaceAll("_", " "),
      cutToCells(file, FILE_CELLS),
      missing !== undefined || state === "unclear"
        ? { text: `${WARNING} ${missing === undefined ? "unclear" : "archive gone"}`, paint: colors.yellow }
        : { text: cutToCells(what.join("; "), WHAT_CELLS), paint: colors.dim },
    ]);
  const more = left.length - rows.length;
  return [
    `${titleOf(possible.length, left.length - possible.length, view)}${also}`,
    renderTable(COLUMNS, rows, colors),
    ...(more > 0 ? [`  and ${figure(more)} older: --json`] : []),
    ...(possible.length === 0
      ? []
      : [
          "",
          "To undo one, or everything:",
          `  ${colors.cyan(`${restore} ${possible[0]?.id}`)}`,
          `  ${colors.cyan(`${restore} --all`)}`,
        ]),
    "",
  ].join("\n");
}

/** What left a file can only come back from the archive. */
function titleOf(possible: number, gone: number, { shown, colors }: ArchivedView): string {
  const lost = gone === 0 ? "" : ` ${plural(gone, "change")} cannot: what left is gone from the archive.`;
  return `${colors.bold(plural(possible, "change"))} in ${shown} can be undone.${lost}`;
}

const COLUMNS = ["id", "day", "what", "file", ""];

export function renderRestored({ restored, already, refused, settled }: RestoreReport, view: ArchivedView): string {
  const { shown, colors } = view;
  const blocks = [
    [
      colors.bold(
        restored.length === 0
          ? `Nothing was restored in ${shown}`
          : `Restored ${plural(restored.length, "change")} in ${shown}`,
      ),
      ...restored.flatMap((change) =>
        wrapText(`${change.id} ${change.file} (${change.kind.replaceAll("_", " ")}): ${howRestored(change)}`, {
          width: WIDTH,
          indent: "    ",
          hanging: "  ",
        }),
      ),
      ...(already.length === 0 ? [] : wrapText(`Back already: ${already.join(", ")}`, { width: WIDTH, indent: "  " })),
    ].join("\n"),
    ...block(
      colors.yellow(`${plural(refused.length, "change")} not restored`),
      refused.flatMap(({ id, file, message }) =>
        wrapText(`${id}${about(file, message)}`, { width: WIDTH, indent: "    ", hanging: `  ${WARNING} ` }),
      ),
    ),
    ...renderRecovered(settled, colors),
  ];
  return `${blocks.join("\n\n")}\n`;
}
