// A plan for a person: what would be done and why, what is only proposed, what is held, what it comes to, and the command
// that does it.
import type { HeldChange, MemoryFilesPlan, PlannedChange } from "../../../memory-files/plan.ts";
import type { Colors } from "../../terminal.ts";
import { figure, plural } from "../table.ts";
import { andMore } from "./analysis.ts";
import { cellsOf, cutToCells, wrapCells } from "./cells.ts";
import { HELD_WORDS } from "./redundancy.ts";

const WIDTH = 80;
const MOST_CHANGES = 8;
/** Changes of which it is also told what of the file leaves: more would not fit on a screen. */
const MOST_IN_FULL = 4;
const MOST_PARTS = 3;
const MOST_HELD = 3;
const FILE_CELLS = 40;
/** Codes that say of no place why it stays, but of the whole what else could be done. */
const OF_THE_WHOLE = ["still_over_limit", "digest_available"];

export interface PlanView {
  /** The workspace, as a person here would type it. */
  readonly word: string;
  /** The flags that chose what is planned, each with a space before it. */
  readonly asked: string;
  readonly colors: Colors;
}

/** Blocks, as of an analysis; the command that carries it out is not among them. */
export function renderPlan(plan: MemoryFilesPlan, { colors }: PlanView): readonly string[] {
  const { changes } = plan;
  const [due, proposed] = [changes.filter(({ apply }) => apply), changes.filter(({ apply }) => !apply)];
  return [
    ...(due.length === 0 ? [] : [renderChanges("Planned", due, colors)]),
    ...(proposed.length === 0 ? [] : [renderProposed(proposed, colors)]),
    ...renderHeld(plan.held, colors),
    renderTotals(plan, colors),
  ];
}

function renderChanges(title: string, changes: readonly PlannedChange[], colors: Colors): string {
  const shown = changes.slice(0, MOST_CHANGES);
  return [
    colors.bold(`${title}: ${plural(changes.length, "change")}`),
    ...shown.flatMap((change) => [
      headOf(change, colors),
      ...partsOf(change, isInFull(changes)).map((line) => colors.dim(line)),
    ]),
    ...andMore(changes.length - shown.length, "more change"),
  ].join("\n");
}

/** Not done unless their flag is given, so all of them stand back. */
function renderProposed(changes: readonly PlannedChange[], colors: Colors): string {
  const shown = changes.slice(0, MOST_CHANGES);
  return [
    `${colors.bold("Proposed, and done only with its flag")}: ${plural(changes.length, "change")}`,
    ...shown.flatMap((change) => {
      const flag = leverFlag(change);
      const plain = [headOf(change), ...partsOf(change, isInFull(changes))].map((line) => colors.dim(line));
      return [...plain, ...(flag === undefined ? [] : [`     ${colors.cyan(flag)}`])];
    }),
    ...andMore(changes.length - shown.length, "more change"),
  ].join("\n");
}

function headOf(change: PlannedChange, colors?: Colors): string {
  const sizes = `${figure(change.bytes_before)} → ${figure(change.bytes_after)} B`;
  const number = `${figure(change.id)}.`.padStart(4);
  const what = cutToCells(titleOf(change), WIDTH - 8 - sizes.length);
  const gap = " ".repeat(Math.max(2, WIDTH - number.length - 1 - cellsOf(what) - sizes.length));
  return `${number} ${what}${gap}${colors === undefined ? sizes : colors.green(sizes)}`;
}

export function titleOf(change: PlannedChange): string {
  const file = cutToCells(change.kind === "digest" ? change.file : fileOf(change), FILE_CELLS);
  switch (change.kind) {
    case "remove_sections":
      return `remove ${plural(change.ranges.length, "section")} of ${file}`;
    case "tidy":
      return `tidy ${plural(change.ranges.length, "place")} of ${file}`;
    case "move_sections":
      return `move ${plural(change.ranges.length, "section")} of ${file}`;
    case "rotate":
      return `rotate ${file}`;
    case "digest":
      return `one digest of ${plural(change.notes.length, "note")} of ${change.month}`;
  }
}

function fileOf({ file }: { readonly file: string }): string {
  return file;
}

function isInFull(changes: readonly PlannedChange[]): boolean {
  return changes.length <= MOST_IN_FULL;
}

/** Why, and where there is room, what of the file. */
function partsOf(change: PlannedChange, isWhole: boolean): readonly string[] {
  const tokens = `${figure(change.tokens_before)} → ${figure(change.tokens_after)} tokens`;
  const reason = `${change.reason.replace(/[.\s]{1,9}$/, "")}; ${tokens}`;
  if (!isWhole) return [`     ${cutToCells(reason, WIDTH - 5)}`];
  const places = placesOf(change).map((line) => `     ${cutToCells(line, WIDTH - 5)}`);
  return [...wrapCells(reason, WIDTH, "     "), ...places];
}

function placesOf(change: PlannedChange): readonly string[] {
  if (change.kind === "rotate") return [`→ ${change.archive}`];
  if (change.kind === "digest") return [`→ ${change.file}`];
  const lines = change.ranges.slice(0, MOST_PARTS).map(({ heading, preview, line_from, line_to }, index) => {
    const where = line_from === line_to ? `line ${line_from}` : `lines ${line_from}-${line_to}`;
    const held = change.held_by?.[index];
    const holder = held === undefined ? "" : `, held by ${held.file}:${held.line_from}`;
    return `- ${where}${holder}: ${heading ?? (preview.trim() === "" ? "blank" : preview)}`;
  });
  const left = change.ranges.length - lines.length;
  return [
    ...lines,
    ...(left > 0 ? [`- and ${figure(left)} more`] : []),
    ...(change.moved_to === undefined ? [] : [`→ ${change.moved_to}`]),
  ];
}

/** What switches a proposed change on. */
export function leverFlag({ kind, apply }: PlannedChange): string | undefined {
  if (apply) return undefined;
  const flags = { remove_sections: "--contained", tidy: "--aggressive", move_sections: "--move", digest: "--digest" };
  return kind === "rotate" ? undefined : flags[kind];
}

function renderHeld(held: readonly HeldChange[], colors: Colors): readonly string[] {
  const codes = [...new Set(held.map(({ code }) => code))].filter((code) => !OF_THE_WHOLE.includes(code));
  const lines = codes.map((code) => {
    const members = held.filter((each) => each.code === code);
    const files = [...new Set(members.map(({ file }) => file.replace(/^memory\//, "")))];
    const left = files.length - MOST_HELD;
    const named = `${files.slice(0, MOST_HELD).join(", ")}${left > 0 ? ` and ${plural(left, "more file")}` : ""}`;
    return `  ${cutToCells(`${HELD_WORDS[code] ?? code.replaceAll("_", " ")} (${figure(members.length)}): ${named}`, WIDTH - 2)}`;
  });
  const count = held.filter(({ code }) => !OF_THE_WHOLE.includes(code)).length;
  return lines.length === 0 ? [] : [[`${colors.bold("Held")}: ${plural(count, "place")}`, ...lines].join("\n")];
}

function renderTotals(plan: MemoryFilesPlan, colors: Colors): string {
  const { totals, memory_size_before, memory_size_after, over_limit_bytes, options } = plan;
  const { changes, files, bytes_before, bytes_after, tokens_before, tokens_after } = totals;
  const memory =
    memory_size_after === memory_size_before
      ? `  memory stays at ${plural(memory_size_before, "byte")}`
      : `  memory ${figure(memory_size_before)} → ${plural(memory_size_after, "byte")}`;
  const isTold = plan.held.some(({ code }) => code === "still_over_limit");
  const over =
    over_limit_bytes > 0 && !isTold ? `, ${plural(over_limit_bytes, "byte")} over ${options.max_memory_kb} KB` : "";
  const still = plan.held
    .filter(({ code }) => OF_THE_WHOLE.includes(code))
    .flatMap(({ message }) => wrapCells(message, WIDTH, "  "));
  if (changes === 0) return [colors.bold("Nothing is planned"), memory + over, ...still].join("\n");
  return [
    colors.bold(`In all: ${plural(changes, "change")} of ${plural(files, "file")}`),
    `  ${figure(bytes_before)} → ${plural(bytes_after, "byte")}, ${figure(tokens_before)} → ${plural(tokens_after, "token")}`,
    memory + over,
    ...still,
  ].join("\n");
}

/** The last line: what to type next. */
export function nextCommand({ changes, held }: MemoryFilesPlan, { word, asked, colors }: PlanView): string {
  const line = (what: string, flags: string) =>
    `Nothing was changed. ${what}:\n  ${colors.cyan(`agent-compact memory-files ${word}${asked}${flags}`)}`;
  if (changes.some(({ apply }) => apply)) return line("To do what is planned", " --apply");
  const available = held.some(({ code }) => code === "digest_available") ? ["--digest"] : [];
  const flags = [...new Set([...changes.flatMap((change) => leverFlag(change) ?? []), ...available])];
  if (flags.length > 0) return line("To do what is proposed", ` ${flags.join(" ")} --apply`);
  if (held.some(({ code }) => code === "more_than_half"))
    return line("To let more than half of a file go", " --more-than-half --apply");
  return "Nothing was changed, and there is nothing to do.";
}
