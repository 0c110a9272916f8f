// One decision of a list, at each level: the whole of it, a summary with its why, a line.
import type { ServedDecision } from "../../../decisions/serving/served.ts";
import type { Colors } from "../../terminal.ts";
import { figure, oneLine } from "../table.ts";
import { whenOf } from "./age.ts";
import { shortLine, wrapText } from "./wrap.ts";

export interface ItemView {
  readonly colors: Colors;
  readonly width: number;
  readonly now: number;
  /** When each was decided, by id, to the millisecond. */
  readonly decidedAt: ReadonlyMap<string, number>;
}

const INDENT = "    ";
/** Of one text in a list; `get` shows all of it. */
const MOST_LINES = 4;

export function renderFull(decision: ServedDecision, view: ItemView): string {
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

export function renderSummary(decision: ServedDecision, view: ItemView): string {
  const { summary = "", pattern = "" } = decision;
  const field = (text: string, head = "") =>
    text === "" ? [] : wrapText(text, { width: view.width, indent: INDENT, lines: MOST_LINES, head });
  return [...headLines(decision, view), ...field(summary), ...field(pattern, "Pattern: ")].join("\n");
}

const TITLES = ["id", "age", "outcome", "confidence"];

/** Digests and wisdom by category, a line each: id, age, what came of it, and what it was about, in columns. */
export function renderGrouped(decisions: readonly ServedDecision[], view: ItemView): readonly string[] {
  const { colors } = view;
  const widths = TITLES.map((title, column) =>
    Math.max(title.length, ...decisions.map((decision) => cellsOf(decision, view)[column]?.length ?? 0)),
  );
  const padded = (cells: readonly string[]) => cells.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  const lineOf = (decision: ServedDecision) => {
    const [id = "", ...about] = padded(cellsOf(decision, view));
    const room = view.width - INDENT.length - widths.reduce((sum, width) => sum + width + 2, 0);
    const said = saidOf(decision) === "" ? "" : `  ${shortLine(saidOf(decision), Math.max(40, room))}`;
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
  const { id, outcome, confidence } = decision;
  const age = agoOf(decision, view).replace(" ago ", " ");
  return [oneLine(id), age, outcome ?? "-", confidence === undefined ? "-" : String(confidence)];
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
