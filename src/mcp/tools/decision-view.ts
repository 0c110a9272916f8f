// How served decisions are written into the text of an answer. What a record says is data: it stands on one line, or
// behind a mark, so that no record can pass for another or for the answer itself.
import type { RecordFault } from "../../decisions/decision.ts";
import type { ServedDecision, ServedDecisions } from "../../decisions/serving/served.ts";
import { snippetOf } from "../../observations/reading/row-view.ts";
import { cutAt } from "../../text/quote.ts";
import { nameOf, quoted } from "./row-view.ts";

const INDENT = "    ";
const LONGEST_TITLE = 300;

/** A block for each level, in which digests and wisdom are grouped by category. */
export function decisionsText(decisions: readonly ServedDecision[]): string {
  const of = (level: ServedDecision["level"]) => decisions.filter((decision) => decision.level === level);
  const block = (title: string, entries: readonly string[]) =>
    entries.length === 0 ? [] : [`## ${title}\n${entries.join("\n")}`];
  const isLines = decisions.some(({ level, oneLine }) => level !== "digest" && oneLine !== undefined);
  if (isLines) return barestLines(decisions).join("\n");
  return [
    ...block("Full", of("full").map(fullEntry)),
    ...block("Summary", of("summary").map(summaryEntry)),
    ...block("Digest", groupedLines(of("digest"))),
    ...block("Wisdom (counted; their texts are left out)", groupedLines(of("wisdom"))),
  ].join("\n\n");
}

/** `full 3, summary 2, digest 0, wisdom 7`. */
export function levelsText({ full, summary, digest, wisdom }: ServedDecisions["levels"]): string {
  return `full ${full}, summary ${summary}, digest ${digest}, wisdom ${wisdom}`;
}

const MOST_NAMED = 20;

/** What an answer says of a category that no decision has. */
export function categoriesText(known: readonly string[]): readonly string[] {
  if (known.length === 0) return [];
  const more = known.length > MOST_NAMED ? ", ..." : "";
  return [
    `No decision has this category. There are: ${known.slice(0, MOST_NAMED).map(nameOf).join(", ")}${more} (capitals count).`,
  ];
}

/** What an answer says of reviews that are late. */
export function overdueText(overdue: ServedDecisions["overdue"] = []): readonly string[] {
  if (overdue.length === 0) return [];
  const lines = overdue.map(
    ({ id, reviewBy, oneLine }) => `- [${nameOf(id)}] ${nameOf(oneLine)} (by ${nameOf(reviewBy)})`,
  );
  return ["", "## Reviews that are overdue: cstp_review_decision says what came of them", ...lines];
}

/** What an answer says of records that are not served as they should be. */
export function errorsText({
  errors = [],
  errorsTotal = errors.length,
}: {
  readonly errors?: readonly RecordFault[] | undefined;
  readonly errorsTotal?: number | undefined;
}): readonly string[] {
  const some = errors.slice(0, 3).map(({ id, message }) => `${nameOf(id)} (${nameOf(message)})`);
  return some.length === 0
    ? []
    : [`⚠️ Records not served as they should be: ${errorsTotal}, such as ${some.join(", ")}.`];
}

function fullEntry(decision: ServedDecision): string {
  const { context, reasons = [], bridge, actualResult, lessons, tags = [], supersedes = [], pattern } = decision;
  const field = (name: string, text: string | undefined) =>
    text === undefined || text === "" ? [] : [`${INDENT}${name}:\n${quoted(text, INDENT)}`];
  return [
    ...head(decision),
    ...field("context", context),
    ...reasons.flatMap(({ type, text }) => field(`reason (${nameOf(type)})`, text)),
    ...field("pattern", pattern),
    ...field("bridge", bridgeText(bridge)),
    ...field("result", actualResult),
    ...field("lessons", lessons),
    ...(supersedes.length === 0 ? [] : [`${INDENT}supersedes: ${nameOf(supersedes.join(", "))}`]),
    ...(tags.length === 0 ? [] : [`${INDENT}tags: ${nameOf(tags.join(", "))}`]),
  ].join("\n");
}

function summaryEntry(decision: ServedDecision): string {
  const { summary = "", pattern = "" } = decision;
  return [
    ...head(decision),
    ...(summary === "" ? [] : [quoted(summary, INDENT)]),
    ...(pattern === "" ? [] : [`${INDENT}pattern: ${snippetOf(pattern, LONGEST_TITLE)}`]),
  ].join("\n");
}

function head(decision: ServedDecision): readonly string[] {
  const { id, decision: text = "", category, agent, stakes } = decision;
  const about = [
    nameOf(category),
    ...aboutOf(decision),
    ...(stakes === undefined ? [] : [`stakes ${nameOf(stakes)}`]),
    ...(agent === undefined || agent === "" ? [] : [`by ${nameOf(agent)}`]),
  ];
  return [`[${nameOf(id)}] ${snippetOf(text, LONGEST_TITLE)}${marks(decision)}`, `${INDENT}${about.join(" | ")}`];
}

/** Without figures, which are for those who count. */
export function barestLines(decisions: readonly ServedDecision[]): readonly string[] {
  return groupedLines(decisions.map(({ confidence: _, actualConfidence: _actual, ...rest }) => rest));
}

/** A line each, by category. */
function groupedLines(decisions: readonly ServedDecision[]): readonly string[] {
  const categories = [...new Set(decisions.map(({ category }) => category))].sort();
  return categories.flatMap((category) => {
    const members = decisions.filter((decision) => decision.category === category);
    return [`${nameOf(category)} (${members.length})`, ...members.map(line)];
  });
}

function line(decision: ServedDecision): string {
  const { id, oneLine, bridge, lessons } = decision;
  const learned = lessons === undefined ? "" : `; learned: ${snippetOf(lessons)}`;
  const said = oneLine ?? bridgeText(bridge) ?? "";
  const about = aboutOf(decision).join(", ");
  return `- [${nameOf(id)}]${said === "" ? "" : ` ${nameOf(said)}`} (${about})${marks(decision)}${learned}`;
}

function aboutOf({ date, outcome, status, confidence, actualConfidence }: ServedDecision): readonly string[] {
  const actual = actualConfidence === undefined ? "" : `, actual ${actualConfidence}`;
  return [
    ...(date === undefined ? [] : [nameOf(date)]),
    ...(outcome === undefined ? (status === undefined ? [] : [nameOf(status)]) : [outcome]),
    ...(confidence === undefined ? [] : [`confidence ${confidence}${actual}`]),
  ];
}

function marks({ preserved, superseded, supersededBy }: ServedDecision): string {
  const by = supersededBy === undefined || supersededBy === "" ? "" : ` by ${nameOf(supersededBy)}`;
  return `${preserved === true ? " (preserved)" : ""}${superseded === true ? ` (SUPERSEDED${by}: not in force)` : ""}`;
}

function bridgeText(bridge: ServedDecision["bridge"]): string | undefined {
  if (bridge === undefined) return undefined;
  return [bridge.structure, bridge.function].filter((part) => part !== "").join(" -> ");
}

// A served decision that is larger than a whole answer may be, with less of each of its texts.

/** Ids and names stay whole. */
const KEPT = new Set(["id", "level", "category", "date", "outcome", "status", "supersededBy", "summarySource"]);
/** Of a list: reasons, tags. */
const MOST_ITEMS = 10;

/** At most `units` UTF-16 units of each text; without deliberation and trace, which have no form that is known. */
export function shortenDecision(decision: ServedDecision, units: number): ServedDecision {
  const { deliberation: _, trace: _trace, ...rest } = decision;
  return Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, KEPT.has(key) ? value : shortened(value, units)]),
  ) as unknown as ServedDecision;
}

function shortened(value: unknown, units: number): unknown {
  if (typeof value === "string") return value.length <= units ? value : `${cutAt(value, units)}…`;
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((item) => shortened(item, units));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shortened(item, units)]));
}

/** Units from which on shortening leaves its texts whole. */
export function longestText(decision: ServedDecision): number {
  return JSON.stringify(decision).length;
}
