// A plan for a person: what would be done and why, what is only proposed and with which flag, what is held, what it comes to,
// and what to type next.
import type { HeldChange, MemoryFilesPlan, PlannedChange } from "../../../memory-files/plan.ts";
import type { Colors } from "../../terminal.ts";
import { figure, plural } from "../table.ts";
import { andMore } from "./analysis.ts";
import { cellsOf, cutToCells, wrapCells } from "./cells.ts";
import { leverFlag, placesOf, titleOf } from "./describe-change.ts";
import { HELD_WORDS } from "./redundancy.ts";

const WIDTH = 80;
const INDENT = "     ";
const MOST_PLANNED = 6;
/** Changes of which it is also told what of the file leaves: more would not fit on a screen. */
const MOST_IN_FULL = 3;
const MOST_PROPOSED = 6;
const MOST_REASON_LINES = 2;
const MOST_HELD_LINES = 4;
const MOST_HELD_FILES = 3;
const FLAG_CELLS = "--aggressive".length;
const DIGEST_AVAILABLE = "digest_available";
/** Says of no place why it stays, but of the whole how it stands. */
const OVER_LIMIT = "still_over_limit";

export interface PlanView {
  /** The workspace, as a person here would type it. */
  readonly word: string;
  /** The flags that chose what is planned, each with a space before it. */
  readonly asked: string;
  readonly colors: Colors;
  /** The numbers of a plan are of use only to who has it in a file. */
  readonly hasIds?: boolean | undefined;
}

/** Blocks, as of an analysis; the command that carries it out is not among them. */
export function renderPlan(plan: MemoryFilesPlan, view: PlanView): readonly string[] {
  const { changes, held } = plan;
  return [
    ...renderPlanned(
      changes.filter(({ apply }) => apply),
      view,
    ),
    ...renderProposed(
      changes.filter(({ apply }) => !apply),
      held.filter(({ code }) => code === DIGEST_AVAILABLE),
      view,
    ),
    ...renderHeld(held, view.colors),
    renderTotals(plan, view.colors),
  ];
}

function renderPlanned(changes: readonly PlannedChange[], view: PlanView): readonly string[] {
  if (changes.length === 0) return [];
  const { colors } = view;
  const shown = changes.slice(0, MOST_PLANNED);
  return [
    [
      colors.bold(`Planned: ${plural(changes.length, "change")}`),
      ...shown.flatMap((change) => [
        headOf(change, view, WIDTH),
        ...whyOf(change, changes.length <= MOST_IN_FULL).map((line) => colors.dim(line)),
      ]),
      ...andMore(changes.length - shown.length, "more change"),
    ].join("\n"),
  ];
}

/** A line each, and they stand back: none of it is done unless its flag is given. */
function renderProposed(
  changes: readonly PlannedChange[],
  digests: readonly HeldChange[],
  view: PlanView,
): readonly string[] {
  if (changes.length + digests.length === 0) return [];
  const { colors } = view;
  const shown = changes.slice(0, MOST_PROPOSED);
  const room = WIDTH - FLAG_CELLS - 2;
  const flagged = (line: string, flag: string) => `${colors.dim(line)}  ${colors.cyan(flag)}`;
  return [
    [
      colors.bold("Proposed, each done only with its flag"),
      ...shown.map((change) => flagged(headOf(change, { ...view, colors: undefined }, room), leverFlag(change) ?? "")),
      ...andMore(changes.length - shown.length, "more change"),
      ...digests.map(({ message }) => {
        const said = cutToCells(message.replace(/[.\s]{1,9}$/, ""), room - INDENT.length);
        return flagged(`   - ${said}${" ".repeat(room - INDENT.length - cellsOf(said))}`, "--digest");
      }),
    ].join("\n"),
  ];
}

interface HeadView {
  readonly hasIds?: boolean | undefined;
  readonly colors: Colors | undefined;
}

/** What, and the sizes at the right end. */
function headOf(change: PlannedChange, { hasIds, colors }: HeadView, width: number): string {
  const sizes = `${figure(change.bytes_before)} → ${figure(change.bytes_after)} B`;
  const mark = (hasIds === true ? `${figure(change.id)}.` : "-").padStart(INDENT.length - 1);
  const what = cutToCells(titleOf(change), width - mark.length - 3 - sizes.length);
  const gap = " ".repeat(Math.max(2, width - mark.length - 1 - cellsOf(what) - sizes.length));
  return `${mark} ${what}${gap}${colors === undefined ? sizes : colors.green(sizes)}`;
}

/** Why, and where there is room, what of the file. */
function whyOf(change: PlannedChange, isInFull: boolean): readonly string[] {
  const room = WIDTH - INDENT.length;
  if (!isInFull) return [`${INDENT}${cutToCells(change.reason, room)}`];
  const reason = wrapCells(change.reason, WIDTH, INDENT).slice(0, MOST_REASON_LINES);
  const tokens = `${figure(change.tokens_before)} → ${figure(change.tokens_after)} tokens`;
  return [...reason, `${INDENT}${cutToCells(`${tokens}; ${placesOf(change)}`, room)}`];
}

/** A line for each reason, the most frequent first. */
function renderHeld(held: readonly HeldChange[], colors: Colors): readonly string[] {
  const places = held.filter(({ code }) => code !== DIGEST_AVAILABLE && code !== OVER_LIMIT);
  if (places.length === 0) return [];
  const groups = [...new Set(places.map(({ code }) => code))]
    .map((code) => ({ code, members: places.filter((each) => each.code === code) }))
    .sort((a, b) => b.members.length - a.members.length);
  const shown = groups.length <= MOST_HELD_LINES ? groups : groups.slice(0, MOST_HELD_LINES - 1);
  const lines = shown.map(({ code, members }) => {
    const files = [...new Set(members.map(({ file }) => file.replace(/^memory\//, "")))];
    const left = files.length - MOST_HELD_FILES;
    const named = `${files.slice(0, MOST_HELD_FILES).join(", ")}${left > 0 ? ` and ${plural(left, "more file")}` : ""}`;
    return `  ${cutToCells(`${HELD_WORDS[code] ?? code.replaceAll("_", " ")} (${figure(members.length)}): ${named}`, WIDTH - 2)}`;
  });
  const left = places.length - shown.reduce((sum, { members }) => sum + members.length, 0);
  return [
    [`${colors.bold("Held")}: ${plural(places.length, "place")}`, ...lines, ...andMore(left, "more place")].join("\n"),
  ];
}

function renderTotals(plan: MemoryFilesPlan, colors: Colors): string {
  const { totals, memory_size_before, memory_size_after, over_limit_bytes, options } = plan;
  const { changes, files, bytes_before, bytes_after, tokens_before, tokens_after } = totals;
  const memory =
    memory_size_after === memory_size_before
      ? `  memory stays at ${plural(memory_size_before, "byte")}`
      : `  memory ${figure(memory_size_before)} → ${plural(memory_size_after, "byte")}`;
  const told = plan.held.filter(({ code }) => code === OVER_LIMIT);
  const over =
    over_limit_bytes > 0 && told.length === 0
      ? `, ${plural(over_limit_bytes, "byte")} over ${options.max_memory_kb} KB`
      : "";
  const still = told.flatMap(({ message }) => wrapCells(message, WIDTH, "  "));
  if (changes === 0) return [colors.bold("Nothing is planned"), memory + over, ...still].join("\n");
  return [
    colors.bold(`In all: ${plural(changes, "change")} of ${plural(files, "file")}`),
    `  ${figure(bytes_before)} → ${plural(bytes_after, "byte")}, ${figure(tokens_before)} → ${plural(tokens_after, "token")}`,
    memory + over,
    ...still,
  ].join("\n");
}

/** The last line: what to type next. Only what has been seen is carried out; what is proposed is first planned. */
export function nextCommand({ changes, held }: MemoryFilesPlan, { word, asked, colors }: PlanView): string {
  const line = (what: string, flags: string) =>
    `Nothing was changed. ${what}:\n  ${colors.cyan(`agent-compact memory-files ${word}${asked}${flags}`)}`;
  if (changes.some(({ apply }) => apply)) return line("To do what is planned", " --apply");
  const available = held.some(({ code }) => code === DIGEST_AVAILABLE) ? ["--digest"] : [];
  const half = held.some(({ code }) => code === "more_than_half") ? ["--more-than-half"] : [];
  const proposed = [...new Set([...changes.flatMap((change) => leverFlag(change) ?? []), ...available])];
  const flags = proposed.length > 0 ? proposed : half;
  if (flags.length > 0) return line("To see planned what is proposed", ` ${flags.join(" ")}`);
  return "Nothing was changed, and there is nothing to do.";
}
