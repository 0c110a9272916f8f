// What an apply did, for a person: each change under the id that restore takes, where what left is kept, what was refused
// and what was found of a run that had died.
import type { AppliedChange, MemoryFilesReport, RecoveredChange, RefusedChange } from "../../memory-files/report.ts";
import { figure, plural } from "../../text/figures.ts";
import { cellsOf, cutToCells, wrapText } from "../render.ts";
import type { Colors } from "../terminal.ts";
import { andMore, block, WARNING } from "./analysis-view.ts";

const WIDTH = 80;
const MOST_CHANGES = 15;
const MOST_PARTS = 3;
const INDENT = "       ";

interface ReportView {
  readonly shown: string;
  /** The command that undoes it, without ids. */
  readonly restore: string;
  readonly colors: Colors;
}

const DONE_WORDS: Readonly<Record<AppliedChange["kind"], string>> = {
  remove_sections: "removed sections of",
  tidy: "tidied",
  rotate: "rotated",
  move_sections: "moved sections of",
  digest: "made a digest:",
};

/** Blocks, the last one with the command that undoes it. */
export function renderReport(report: MemoryFilesReport, view: ReportView): readonly string[] {
  const { applied, refused, settled } = report;
  const { colors, shown } = view;
  const title =
    applied.length === 0 ? `Nothing was changed in ${shown}` : `Done in ${shown}: ${plural(applied.length, "change")}`;
  return [
    [
      `${colors.bold(title)}, ${memorySizes(report)}`,
      ...inOrder(applied)
        .slice(0, MOST_CHANGES)
        .flatMap((change) => renderApplied(change, colors)),
      ...andMore(applied.length - MOST_CHANGES, "more change"),
    ].join("\n"),
    ...renderRefused(refused, colors),
    ...renderRecovered(settled, colors),
    ...undoLine(report, view),
  ];
}

/** As the plan numbers them, not as they were made. */
function inOrder(applied: readonly AppliedChange[]): readonly AppliedChange[] {
  const numberOf = ({ id }: AppliedChange) => Number(id.split(".")[1]);
  return applied.toSorted((a, b) => numberOf(a) - numberOf(b));
}

function renderApplied(change: AppliedChange, colors: Colors): readonly string[] {
  const { id, kind, file, what, archived } = change;
  const number = id.padStart(6);
  return [
    `${colors.cyan(number)} ${sizedLine(`${DONE_WORDS[kind]} ${file}`, change, WIDTH - number.length - 1, colors.green)}`,
    ...firstOf(what).map((line) => `${INDENT}${cutToCells(line, WIDTH - INDENT.length)}`),
    ...firstOf(archived.map((place) => `kept in ${place}`)).map((line) =>
      colors.dim(`${INDENT}${cutToCells(line, WIDTH - INDENT.length)}`),
    ),
  ];
}

/** With the sizes at the right end of `width` cells. */
export function sizedLine(
  title: string,
  { bytes_before, bytes_after }: Readonly<Record<"bytes_before" | "bytes_after", number>>,
  width: number,
  paint = (sizes: string) => sizes,
): string {
  const sizes = `${figure(bytes_before)} → ${figure(bytes_after)} B`;
  const what = cutToCells(title, width - sizes.length - 2);
  return `${what}${" ".repeat(Math.max(2, width - cellsOf(what) - sizes.length))}${paint(sizes)}`;
}

export function memorySizes({
  memory_size_before,
  memory_size_after,
}: Pick<MemoryFilesReport, "memory_size_before" | "memory_size_after">): string {
  return memory_size_after === memory_size_before
    ? `memory stays at ${plural(memory_size_before, "byte")}`
    : `memory ${figure(memory_size_before)} → ${plural(memory_size_after, "byte")}`;
}

function firstOf(lines: readonly string[]): readonly string[] {
  const left = lines.length - MOST_PARTS;
  return left > 0 ? [...lines.slice(0, MOST_PARTS), `and ${figure(left)} more`] : lines;
}

/** A sentence behind what it is about, which it often begins with itself. */
export function about(file: string, message: string): string {
  return message.includes(file) ? `: ${message}` : `, ${file}: ${message}`;
}

function renderRefused(refused: readonly RefusedChange[], colors: Colors): readonly string[] {
  const lines = refused
    .slice(0, MOST_CHANGES)
    .flatMap(({ change, file, message }) =>
      wrapText(`change ${change}${about(file, message)}`, { width: WIDTH, indent: "    ", hanging: `  ${WARNING} ` }),
    );
  const files = refused.length === 1 ? "its file is" : "their files are";
  const title = colors.yellow(`${plural(refused.length, "change")} not made, and ${files} as before`);
  return block(title, lines, refused.length - MOST_CHANGES, "more change");
}

const STATES: Readonly<Record<RecoveredChange["state"], string>> = {
  done: "it had been made",
  undone: "it had not been made, and what was left of it is gone",
  unclear: "the file was edited since; what left it is in the archive",
};

export function renderRecovered(settled: readonly RecoveredChange[], colors: Colors): readonly string[] {
  const lines = settled
    .slice(0, MOST_CHANGES)
    .flatMap(({ id, file, state }) =>
      wrapText(`${id}, ${file}: ${STATES[state]}`, { width: WIDTH, indent: "    ", hanging: "  " }),
    );
  const title = `${colors.bold("An earlier run had ended in the middle")}: ${plural(settled.length, "change")} settled`;
  return block(title, lines, settled.length - MOST_CHANGES, "more change");
}

/** The whole run; one change of it is named by its own id. */
function undoLine({ run, applied }: MemoryFilesReport, { restore, colors }: ReportView): readonly string[] {
  return run === null || applied.length === 0
    ? []
    : [`To undo ${applied.length === 1 ? "it" : "them all, or one by its id"}:\n  ${colors.cyan(`${restore} ${run}`)}`];
}
