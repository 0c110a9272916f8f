// The screen of `memory-files`, for a person: a plan with what would be done and why, what is only proposed and with which
// flag, what notes hold twice, what it comes to, and what to type next.
import type { CrossFileIssue, HeldReason, MemoryAnalysis, RedundantSection } from "../../memory-files/analysis.ts";
import { isClaudeMemory } from "../../memory-files/claude-memory.ts";
import type { MemoryFilesResult } from "../../memory-files/compact-memory-files.ts";
import { type HeldChange, linesText, type MemoryFilesPlan, type PlannedChange } from "../../memory-files/plan.ts";
import { figure, plural, sum } from "../../text/figures.ts";
import { groupBy } from "../../text/words.ts";
import { type Cell, cellsOf, cutToCells, renderTable, right, wrapText } from "../render.ts";
import type { Colors } from "../terminal.ts";
import { andMore, block, renderAnalysis } from "./analysis-view.ts";
import { memorySizes, renderReport, sizedLine } from "./report-view.ts";

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
/** Code of a held change that is about the whole file, not about one place in it. */
const OVER_LIMIT = "still_over_limit";

interface PlanView {
  /** The workspace, as a person here would type it. */
  readonly word: string;
  /** The flags that chose what is planned, each with a space before it. */
  readonly asked: string;
  readonly colors: Colors;
  /** The numbers of a plan are of use only to who has it in a file. */
  readonly hasIds?: boolean | undefined;
}

/** Blocks, as of an analysis; the command that carries it out is not among them. */
function renderPlan(plan: MemoryFilesPlan, view: PlanView): readonly string[] {
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
  const { colors } = view;
  const shown = changes.slice(0, MOST_PLANNED);
  const lines = shown.flatMap((change) => [
    headOf(change, view, WIDTH),
    ...whyOf(change, changes.length <= MOST_IN_FULL).map((line) => colors.dim(line)),
  ]);
  const title = colors.bold(`Planned: ${plural(changes.length, "change")}`);
  return block(title, lines, changes.length - shown.length, "more change");
}

/** A line each, and they stand back: none of it is done unless its flag is given. */
function renderProposed(
  changes: readonly PlannedChange[],
  digests: readonly HeldChange[],
  view: PlanView,
): readonly string[] {
  const { colors } = view;
  const shown = changes.slice(0, MOST_PROPOSED);
  const room = WIDTH - FLAG_CELLS - 2;
  const flagged = (line: string, flag: string) => `${colors.dim(line)}  ${colors.cyan(flag)}`;
  return block(colors.bold("Proposed, each done only with its flag"), [
    ...shown.map((change) => flagged(headOf(change, { ...view, colors: undefined }, room), optionFlag(change) ?? "")),
    ...andMore(changes.length - shown.length, "more change"),
    ...digests.map(({ message }) => {
      const said = cutToCells(message.replace(/[.\s]{1,9}$/, ""), room - INDENT.length);
      return flagged(`   - ${said}${" ".repeat(room - INDENT.length - cellsOf(said))}`, "--digest");
    }),
  ]);
}

interface HeadView {
  readonly hasIds?: boolean | undefined;
  readonly colors: Colors | undefined;
}

/** What, and the sizes at the right end. */
function headOf(change: PlannedChange, { hasIds, colors }: HeadView, width: number): string {
  const mark = (hasIds === true ? `${figure(change.id)}.` : "-").padStart(INDENT.length - 1);
  return `${mark} ${sizedLine(titleOf(change), change, width - mark.length - 1, colors?.green)}`;
}

/** Why, and where there is room, what of the file. */
function whyOf(change: PlannedChange, isInFull: boolean): readonly string[] {
  const room = WIDTH - INDENT.length;
  if (!isInFull) return [`${INDENT}${cutToCells(change.reason, room)}`];
  const reason = wrapText(change.reason, { width: WIDTH, indent: INDENT }).slice(0, MOST_REASON_LINES);
  const tokens = `${figure(change.tokens_before)} → ${figure(change.tokens_after)} tokens`;
  return [...reason, `${INDENT}${cutToCells(`${tokens}; ${placesOf(change)}`, room)}`];
}

/** A line for each reason, the most frequent first. */
function renderHeld(held: readonly HeldChange[], colors: Colors): readonly string[] {
  const places = held.filter(({ code }) => code !== DIGEST_AVAILABLE && code !== OVER_LIMIT);
  const groups = [...groupBy(places, ({ code }) => code)]
    .map(([code, members]) => ({ code, members }))
    .sort((a, b) => b.members.length - a.members.length);
  const shown = groups.length <= MOST_HELD_LINES ? groups : groups.slice(0, MOST_HELD_LINES - 1);
  const lines = shown.map(({ code, members }) => {
    const files = [...new Set(members.map(({ file }) => file.replace(/^memory\//, "")))];
    const left = files.length - MOST_HELD_FILES;
    const named = `${files.slice(0, MOST_HELD_FILES).join(", ")}${left > 0 ? ` and ${plural(left, "more file")}` : ""}`;
    return `  ${cutToCells(`${HELD_WORDS[code] ?? code.replaceAll("_", " ")} (${figure(members.length)}): ${named}`, WIDTH - 2)}`;
  });
  const left = places.length - sum(shown.map(({ members }) => members.length));
  return block(`${colors.bold("Held")}: ${plural(places.length, "place")}`, lines, left, "more place");
}

function renderTotals(plan: MemoryFilesPlan, colors: Colors): string {
  const { totals, over_limit_bytes, options } = plan;
  const { changes, files, bytes_before, bytes_after, tokens_before, tokens_after } = totals;
  const memory = `  ${memorySizes(plan)}`;
  const told = plan.held.filter(({ code }) => code === OVER_LIMIT);
  const over =
    over_limit_bytes > 0 && told.length === 0
      ? `, ${plural(over_limit_bytes, "byte")} over ${options.max_memory_kb} KB`
      : "";
  const still = told.flatMap(({ message }) => wrapText(message, { width: WIDTH, indent: "  " }));
  if (changes === 0) return [colors.bold("Nothing is planned"), memory + over, ...still].join("\n");
  return [
    colors.bold(`In all: ${plural(changes, "change")} of ${plural(files, "file")}`),
    `  ${figure(bytes_before)} → ${plural(bytes_after, "byte")}, ${figure(tokens_before)} → ${plural(tokens_after, "token")}`,
    memory + over,
    ...still,
  ].join("\n");
}

/** The last line: what to type next. Only what has been seen is carried out; what is proposed is first planned. */
function nextCommand({ changes, held }: MemoryFilesPlan, { word, asked, colors }: PlanView): string {
  const line = (what: string, flags: string) =>
    `Nothing was changed. ${what}:\n  ${colors.cyan(`agent-compact memory-files ${word}${asked}${flags}`)}`;
  if (changes.some(({ apply }) => apply)) return line("To do what is planned", " --apply");
  const available = held.some(({ code }) => code === DIGEST_AVAILABLE) ? ["--digest"] : [];
  const half = held.some(({ code }) => code === "more_than_half") ? ["--more-than-half"] : [];
  const proposed = [...new Set([...changes.flatMap((change) => optionFlag(change) ?? []), ...available])];
  const flags = proposed.length > 0 ? proposed : half;
  if (flags.length > 0) return line("To see planned what is proposed", ` ${flags.join(" ")}`);
  return "Nothing was changed, and there is nothing to do.";
}

const FILE_CELLS = 40;
const MOST_PARTS = 2;

function titleOf(change: PlannedChange): string {
  const file = cutToCells(change.file, FILE_CELLS);
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

/** What switches a proposed change on. */
function optionFlag({ kind, apply }: PlannedChange): string | undefined {
  if (apply) return undefined;
  const flags = { remove_sections: "--contained", tidy: "--aggressive", move_sections: "--move", digest: "--digest" };
  return kind === "rotate" ? undefined : flags[kind];
}

/** Where what leaves goes, and the first places that it leaves from. */
function placesOf(change: PlannedChange): string {
  if (change.kind === "rotate") return `kept in ${change.archive}`;
  if (change.kind === "digest") return `${change.file} takes their place`;
  const isMove = change.moved_to !== undefined;
  const parts = change.ranges.slice(0, isMove ? 1 : MOST_PARTS).map((range, index) => {
    const { heading, preview } = range;
    const held = change.held_by?.[index];
    const holder = held === undefined ? "" : `, held by ${held.file}:${held.line_from}`;
    const name = cutToCells(heading ?? (preview.trim() === "" ? "blank" : preview), FILE_CELLS);
    return `${linesText(range)}${holder}: ${name}`;
  });
  const left = change.ranges.length - parts.length;
  return [
    ...(isMove ? [`to ${change.moved_to}`] : []),
    ...parts,
    ...(left > 0 ? [`and ${figure(left)} more`] : []),
  ].join("; ");
}

const REDUNDANCY_WIDTH = 80;
const MOST_SECTIONS = 6;
const NOTE_CELLS = 17;
const SECTION_CELLS = 17;
const NEW_CELLS = 15;

type Section = RedundantSection | CrossFileIssue;

/** Why a section, or anything else that could go, stays: as a part of a sentence. */
const HELD_WORDS: Readonly<Record<string, string>> = {
  says_more: "says more",
  said_differently: "said differently",
  has_subsections: "has subsections",
  no_heading_of_its_own: "no own heading",
  scoped: "its surroundings",
  marked: "marked to stay",
  relative_date: "relative date",
  in_use: "in use",
  more_than_half: "more than half",
  not_utf8: "not UTF-8",
  not_beneficial: "would save nothing",
  changed: "changed while it was read",
  undated: "without a date",
  link_target: "linked to from elsewhere",
  joins_the_rest: "would join what stays around it",
  digest_exists: "has a digest already",
  same_date: "several sections of one date",
} satisfies Record<HeldReason, string> & Record<string, string>;

/** Behind a number, one and many. */
const COUNTED: Readonly<Record<HeldReason | "alike", readonly [string, string]>> = {
  says_more: ["says more", "say more"],
  said_differently: ["says it differently", "say it differently"],
  has_subsections: ["has a section that stays", "have sections that stay"],
  no_heading_of_its_own: ["begins its note", "begin their notes"],
  scoped: ["depends on its surroundings", "depend on their surroundings"],
  marked: ["is marked to stay", "are marked to stay"],
  relative_date: ["names a relative day", "name a relative day"],
  in_use: ["is in use", "are in use"],
  alike: ["is alike only in part", "are alike only in part"],
};

const ALIKE = "alike" as const;

/** Of `differs_in`, within the cells of its column. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  modality: "must, may",
  task: "open task",
  wording: "other wording",
  order: "other order",
};

/** At most one block. */
function renderRedundancy(analysis: MemoryAnalysis, colors: Colors): readonly string[] {
  const { cross_file_issues, contained_sections, high_severity_count } = analysis;
  const all = [...cross_file_issues, ...contained_sections];
  if (all.length === 0) return [];
  const shown = worthARow(all).slice(0, MOST_SECTIONS);
  const rows = shown.map((section) => [
    cutToCells(section.file.replace(/^memory\//, ""), NOTE_CELLS),
    cutToCells(section.section, SECTION_CELLS),
    section.similarity.toFixed(2),
    `${Math.floor(section.containment * 100)} %`,
    { text: cutToCells(newIn(section), NEW_CELLS), paint: colors.dim },
    verdictOf(section, colors),
  ]);
  const counts = `${figure(cross_file_issues.length)} alike (${figure(high_severity_count)} high), ${figure(contained_sections.length)} contained`;
  const rest = all.filter((section) => !shown.includes(section));
  return [
    [
      `${colors.bold("Sections of notes that the memory already holds")}: ${counts}`,
      ...(rows.length === 0 ? [] : [renderTable(COLUMNS, rows, colors)]),
      ...restLines(rest, rows.length > 0),
    ].join("\n"),
  ];
}

const COLUMNS = ["note", "section", right("alike"), right("held"), "new in it", "verdict"];

function worthARow(all: readonly Section[]): readonly Section[] {
  const severityOf = (section: Section) => ("severity" in section ? section.severity : undefined);
  const kept = all.filter(({ removable }) => !removable);
  return [
    ...all.filter(({ removable }) => removable),
    ...kept.filter((section) => severityOf(section) === "high"),
    ...kept.filter((section) => severityOf(section) === "medium"),
  ];
}

function restLines(rest: readonly Section[], isMore: boolean): readonly string[] {
  const more = isMore ? " more" : "";
  const removable = rest.filter((section) => section.removable).length;
  const reasons = rest.filter((section) => !section.removable).map(({ held_because }) => held_because ?? ALIKE);
  const known = [...groupBy(reasons, (reason) => reason)]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([reason, { length }]) => `${figure(length)} ${COUNTED[reason][length === 1 ? 0 : 1]}`);
  return [
    ...(removable === 0 ? [] : [`  ${figure(removable)}${more} can go: --json`]),
    ...(reasons.length === 0
      ? []
      : wrapText(`${figure(reasons.length)}${more} held for review: ${known.join(", ")}`, {
          width: REDUNDANCY_WIDTH,
          indent: "  ",
        })),
  ];
}

/** Tokens that the memory lacks, or else in what it differs, or else why it stays all the same. */
function newIn({ novel_words, differs_in, held_because, removable }: RedundantSection): string {
  if (novel_words.length > 0) return novel_words.join(" ");
  if (removable) return "nothing";
  if (differs_in !== undefined) return DIFFERENCES[differs_in] ?? differs_in;
  return held_because === undefined ? "nothing" : (HELD_WORDS[held_because] ?? held_because);
}

function verdictOf(section: Section, colors: Colors): Cell {
  const isHigh = "severity" in section && section.severity === "high";
  if (section.removable)
    return isHigh ? { text: "REMOVE", paint: colors.red } : { text: "contained", paint: colors.yellow };
  if (!("severity" in section)) return { text: "review", paint: colors.dim };
  return section.severity === "high" ? { text: "REVIEW", paint: colors.yellow } : "COMPACT";
}

export interface MemoryFilesView extends PlanView {
  /** The workspace, in a sentence. */
  readonly shown: string;
}

/** `last`: the line with what to type next. */
export function renderView(
  result: MemoryFilesResult,
  view: MemoryFilesView,
  last = nextCommand(result.plan, view),
): string {
  const { colors, shown } = view;
  const blocks = [
    ...renderAnalysis(result, shown, colors),
    ...renderRedundancy(result, colors),
    ...renderPlan(result.plan, view),
    ...(isClaudeMemory(result.workspace) ? [claudeHint(view)] : []),
    last,
  ];
  return `${blocks.join("\n\n")}\n`;
}

function claudeHint({ word, colors }: MemoryFilesView): string {
  return `Claude Code keeps this memory. What of it is never read:\n  ${colors.cyan(`agent-compact memory-files --claude ${word}`)}`;
}

/** What was done, where it was asked for; else the view. */
export function renderResult(result: MemoryFilesResult, view: MemoryFilesView): string {
  const { shown, word, colors } = view;
  if (result.report === undefined) return renderView(result, view);
  const restore = `agent-compact memory-files restore ${word}`;
  return `${renderReport(result.report, { shown, restore, colors }).join("\n\n")}\n`;
}
