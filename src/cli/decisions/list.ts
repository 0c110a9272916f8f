// `agent-compact decisions list`: a page of the log, each decision at its level.
import type { Level } from "../../decisions/decision.ts";
import { getCompacted } from "../../decisions/serving/query-decisions.ts";
import type { ServedDecision, ServedDecisions } from "../../decisions/serving/served.ts";
import { figure, plural } from "../../text/figures.ts";
import { shellWord } from "../flags.ts";
import { cutToCells, oneLine, wrapText } from "../render.ts";
import { printResult } from "../report.ts";
import { type Colors, type Terminal, widthOf } from "../terminal.ts";
import { decidedTimes, policyNote, renderLevels, whenOf } from "./figures.ts";
import { unknownCategory, withDecisions } from "./open-decisions.ts";
import type { ListFlags } from "./program.ts";

export async function listDecisions(flags: ListFlags, terminal: Terminal): Promise<void> {
  const { category, agent, limit, preserved, cursor, level } = flags;
  await withDecisions(flags, terminal, {}, async ({ log, shown, flag, options }) => {
    const served = await getCompacted(
      log,
      { category, agent, level, limit, includePreserved: preserved, cursor, form: flags.lines ? "lines" : "levels" },
      options,
    );
    const decidedAt = await decidedTimes(
      log,
      served.decisions.map(({ id }) => id),
    );
    const { full, summary, digest, wisdom } = served.levels;
    const unknown = full + summary + digest + wisdom === 0 ? await unknownCategory(log, category, options) : "";
    const width = widthOf(terminal.stdout);
    const { now } = options;
    printResult(
      served,
      (colors) =>
        renderList(served, { colors, width, now, decidedAt, shown, flag, unknown, chosen: chosenFlags(flags) }),
      flags,
      terminal,
    );
  });
}

/** The flags that chose what is listed, as they stand on a command line. */
function chosenFlags({ category, agent, level, limit, preserved, lines }: ListFlags): string {
  return [
    ...(category === undefined ? [] : [` --category ${shellWord(category)}`]),
    ...(agent === undefined ? [] : [` --agent ${shellWord(agent)}`]),
    ...(level === undefined ? [] : [` --level ${level}`]),
    ...(preserved === false ? [" --no-preserved"] : []),
    ...(limit === undefined ? [] : [` --limit ${limit}`]),
    ...(lines === true ? [" --lines"] : []),
  ].join("");
}

interface ListView extends ItemView {
  readonly shown: string;
  /** The flag that finds the log again, and those that chose what is shown. */
  readonly flag: string;
  readonly chosen: string;
  /** What is to be said of a category that no decision has; else empty. */
  readonly unknown: string;
}

function renderList(served: ServedDecisions, view: ListView): string {
  const { colors, shown, flag } = view;
  const { levels, decisions, policy, errors = [] } = served;
  const all = levels.full + levels.summary + levels.digest + levels.wisdom;
  const note = policyNote(policy, served.otherPolicies);
  const head = [
    colors.bold(`${plural(all, "decision")} in ${shown}`),
    renderLevels(levels, policy.thresholds, colors),
    ...(note === "" ? [] : [colors.dim(`  ${note}`)]),
  ];
  const blocks = [
    ...(all === 0
      ? [emptyText(view)]
      : [
          head.join("\n"),
          ...renderGroups(decisions, view),
          ...leftOutBlock(served, view),
          ...overdueBlock(served, view),
        ]),
    ...(errors.length === 0 ? [] : [renderFaults(served, flag, colors)]),
  ];
  return `${blocks.join("\n\n")}\n`;
}

function emptyText({ shown, flag, chosen, unknown }: ListView): string {
  if (unknown !== "") return unknown;
  if (chosen !== "") return `No decision in ${shown} is of that kind. All of them: agent-compact decisions list${flag}`;
  return `${shown} holds no decisions yet. To write one down: agent-compact decisions record "Use X for Y" --category architecture --confidence 0.8${flag}`;
}

function renderGroups(decisions: readonly ServedDecision[], view: ListView): readonly string[] {
  const of = (level: Level) => decisions.filter((decision) => decision.level === level);
  const { colors } = view;
  const isLines = decisions.some(({ level, oneLine: line }) => level !== "digest" && line !== undefined);
  if (isLines) return [renderGrouped(decisions, view).join("\n")];
  const group = (title: string, level: Level, render: (decisions: readonly ServedDecision[]) => readonly string[]) => {
    const members = of(level);
    return members.length === 0
      ? []
      : [[colors.bold(`${title} (${figure(members.length)})`), ...render(members)].join("\n")];
  };
  return [
    ...group("In full", "full", (members) => apart(members.map((each) => renderFull(each, view)))),
    ...group("Summaries", "summary", (members) => members.map((each) => renderSummary(each, view))),
    ...group("Digests", "digest", (members) => renderGrouped(members, view)),
    ...group("Wisdom", "wisdom", (members) => renderGrouped(members, view)),
  ];
}

/** With an empty line between one and the next. */
function apart(blocks: readonly string[]): readonly string[] {
  return blocks.flatMap((block, index) => (index === 0 ? [block] : ["", block]));
}

function leftOutBlock(
  { total, levels, leftOut, nextCursor }: ServedDecisions,
  { flag, chosen, colors }: ListView,
): readonly string[] {
  const all = levels.full + levels.summary + levels.digest + levels.wisdom;
  const list = `agent-compact decisions list${flag}${chosen}`;
  const lines = [
    ...(total === all ? [] : [`${figure(total)} of ${plural(all, "decision")} shown.`]),
    ...(leftOut.wisdom === 0
      ? []
      : [
          `${plural(leftOut.wisdom, "decision")} old enough to be counted only. What they taught: ${colors.cyan(`agent-compact decisions wisdom${flag}`)}; the list: ${colors.cyan(`${list} --level wisdom`)}`,
        ]),
    ...(leftOut.otherLevels === 0 ? [] : [`Of other levels: ${figure(leftOut.otherLevels)}.`]),
    ...(leftOut.before === 0 ? [] : [`On earlier pages: ${figure(leftOut.before)}.`]),
    ...(nextCursor === undefined
      ? []
      : [
          `${figure(leftOut.byLimit)} more, from the next page on: ${colors.cyan(`${list} --cursor ${shellWord(nextCursor)}`)}`,
        ]),
  ];
  return lines.length === 0 ? [] : [lines.join("\n")];
}

function overdueBlock({ overdue = [] }: ServedDecisions, { flag, width, colors }: ListView): readonly string[] {
  if (overdue.length === 0) return [];
  const lines = overdue.map(
    ({ id, reviewBy, oneLine: said }) =>
      `  ${colors.cyan(oneLine(id))}  by ${oneLine(reviewBy)}  ${cutToCells(oneLine(said), width - id.length - 20)}`,
  );
  const review = colors.cyan(`agent-compact decisions review ID --outcome success${flag}`);
  return [[`${colors.bold("Reviews that are overdue")}: ${review}`, ...lines].join("\n")];
}

const MOST_FAULTS = 10;

function renderFaults(
  { errors = [], errorsTotal = errors.length }: ServedDecisions,
  flag: string,
  colors: Colors,
): string {
  const lines = errors.slice(0, MOST_FAULTS).map(({ id, message }) => `  ${oneLine(id)}: ${oneLine(message)}`);
  const left = errorsTotal - lines.length;
  return [
    colors.yellow(
      `${plural(errorsTotal, "record")} that cannot be served as ${errorsTotal === 1 ? "it" : "they"} should be:`,
    ),
    ...lines,
    ...(left > 0 ? [`  and ${figure(left)} more: agent-compact decisions list${flag} --json`] : []),
  ].join("\n");
}

interface ItemView {
  readonly colors: Colors;
  readonly width: number;
  readonly now: number;
  /** When each was decided, by id, to the millisecond. */
  readonly decidedAt: ReadonlyMap<string, number>;
}

const INDENT = "    ";
/** Of one text in a list; `get` shows all of it. */
const MOST_LINES = 4;

function renderFull(decision: ServedDecision, view: ItemView): string {
  const { context, reasons = [], pattern, bridge, tags = [], actualResult, lessons, supersedes = [] } = decision;
  const field = (name: string, text: string | undefined) =>
    text === undefined || text === ""
      ? []
      : wrapText(text, { width: view.width, indent: INDENT, lines: MOST_LINES, head: `${name}: ` });
  return [
    ...headLines(decision, view),
    ...field("about", context),
    ...reasons.flatMap(({ type, text }) => field(`because (${oneLine(type)})`, text)),
    ...field("pattern", pattern),
    ...field("bridge", bridgeOf(bridge)),
    ...field("result", actualResult),
    ...field("lessons", lessons),
    ...field("supersedes", supersedes.join(", ")),
    ...field("tags", tags.join(", ")),
  ].join("\n");
}

function renderSummary(decision: ServedDecision, view: ItemView): string {
  const { summary = "", pattern = "" } = decision;
  const field = (text: string, head = "") =>
    text === "" ? [] : wrapText(text, { width: view.width, indent: INDENT, lines: MOST_LINES, head });
  return [...headLines(decision, view), ...field(summary), ...field(pattern, "Pattern: ")].join("\n");
}

const TITLES = ["id", "age", "outcome", "confidence"];

/** Digests and wisdom by category, a line each: id, age, what came of it, and what it was about, in columns. */
function renderGrouped(decisions: readonly ServedDecision[], view: ItemView): readonly string[] {
  const { colors } = view;
  const widths = TITLES.map((title, column) =>
    Math.max(title.length, ...decisions.map((decision) => cellsOf(decision, view)[column]?.length ?? 0)),
  );
  const padded = (cells: readonly string[]) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  const lineOf = (decision: ServedDecision) => {
    const [id = "", ...about] = padded(cellsOf(decision, view));
    const room = view.width - INDENT.length - widths.reduce((sum, width) => sum + width + 2, 0);
    const said = saidOf(decision) === "" ? "" : `  ${cutToCells(saidOf(decision), Math.max(40, room))}`;
    const line = `${INDENT}${colors.cyan(id)}  ${colors.dim(about.join("  "))}${said}${marksOf(decision, colors)}`;
    return line.trimEnd();
  };
  const categories = [...new Set(decisions.map(({ category }) => category))].sort();
  return [
    colors.dim(`${INDENT}${padded(TITLES).join("  ")}`.trimEnd()),
    ...categories.flatMap((category) => {
      const members = decisions.filter((decision) => decision.category === category);
      const title = `  ${colors.cyan(oneLine(category))} ${colors.dim(`(${figure(members.length)})`)}`;
      return [title, ...members.map(lineOf)];
    }),
  ];
}

function cellsOf(decision: ServedDecision, view: ItemView): readonly string[] {
  const { id, outcome, status, confidence } = decision;
  const age = agoOf(decision, view).replace(" ago ", " ");
  return [oneLine(id), age, outcome ?? oneLine(status ?? "-"), confidence === undefined ? "-" : String(confidence)];
}

/** Of wisdom no text of the decision is served, only what it is and what for. */
function saidOf({ oneLine: line, bridge }: ServedDecision): string {
  return line ?? bridgeOf(bridge) ?? "";
}

function bridgeOf(bridge: ServedDecision["bridge"]): string | undefined {
  return bridge === undefined
    ? undefined
    : [bridge.structure, bridge.function].filter((part) => part !== "").join(" → ");
}

function headLines(decision: ServedDecision, view: ItemView): readonly string[] {
  const { colors } = view;
  const { id, category, stakes, agent } = decision;
  const name = oneLine(id);
  const head = `${name} `;
  const wrapped = wrapText(decision.decision ?? "", { width: view.width, indent: INDENT, hanging: "  ", head });
  const [first = "", ...rest] = wrapped;
  const about = [
    category,
    agoOf(decision, view),
    outcomeOf(decision),
    stakes === undefined ? "" : `stakes ${stakes}`,
    agent === undefined || agent === "" ? "" : `by ${agent}`,
  ];
  return [
    `  ${colors.cyan(name)} ${colors.bold(first.slice(head.length + 2))}${marksOf(decision, colors)}`,
    ...rest.map((line) => colors.bold(line)),
    `${INDENT}${colors.dim(
      about
        .map(oneLine)
        .filter((part) => part !== "")
        .join(" · "),
    )}`,
  ];
}

function marksOf({ superseded, supersededBy, preserved }: ServedDecision, colors: Colors): string {
  const by = supersededBy === undefined || supersededBy === "" ? "" : ` by ${oneLine(supersededBy)}`;
  return [
    preserved === true ? colors.green("  [preserved]") : "",
    superseded === true ? colors.yellow(`  [superseded${by}]`) : "",
  ].join("");
}

/** `success, confidence 0.8`: how sure, beside what came of it, or how it stands. */
function outcomeOf({ outcome, status, confidence }: ServedDecision): string {
  const sure = confidence === undefined ? "" : `confidence ${confidence}`;
  return [outcome ?? oneLine(status ?? ""), sure].filter((part) => part !== "").join(", ");
}

function agoOf({ id, date }: ServedDecision, { decidedAt, now }: ItemView): string {
  return whenOf(decidedAt.get(id), date, now);
}
