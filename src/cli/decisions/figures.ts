// Levels, ages and figures of decisions as a person reads them.
import { LEVELS, type Level } from "../../decisions/decision.ts";
import type { DecisionLog, LevelCounts } from "../../decisions/decision-log.ts";
import type { Thresholds } from "../../decisions/levels.ts";
import type { ServedPolicy } from "../../decisions/serving/served.ts";
import { roundHalfUp } from "../../decisions/statistics.ts";
import { plural } from "../../text/figures.ts";
import { DAY_MS, isoTime } from "../../time.ts";
import { bar, oneLine, renderTable, right } from "../render.ts";
import type { Colors } from "../terminal.ts";

const BAR = 30;

/** Without thresholds the column of ages is left out. */
export function renderLevels(levels: LevelCounts, thresholds: Thresholds | undefined, colors: Colors): string {
  const most = Math.max(...LEVELS.map((level) => levels[level]));
  const rows = LEVELS.map((level) => [
    { text: level, paint: () => paintLevel(level, colors) },
    ...(thresholds === undefined ? [] : [agesOf(level, thresholds)]),
    levels[level],
    { text: bar(levels[level], most, BAR), paint: colors.cyan },
  ]);
  const ages = thresholds === undefined ? [] : ["age"];
  return renderTable(["level", ...ages, right("decisions"), ""], rows, colors);
}

function agesOf(level: Level, thresholds: Thresholds): string {
  return `${daysOf(level, thresholds)} days${level === "full" ? ", or not to be shortened" : ""}`;
}

/** The days of a level: `under 30`, `30 to 90`, `from 365`. */
export function daysOf(level: Level, { full, summary, digest }: Thresholds): string {
  return {
    full: `under ${full}`,
    summary: `${full} to ${summary}`,
    digest: `${summary} to ${digest}`,
    wisdom: `from ${digest}`,
  }[level];
}

export function paintLevel(level: Level, colors: Colors): string {
  const paint = { full: colors.green, summary: colors.cyan, digest: colors.yellow, wisdom: colors.magenta }[level];
  return paint(level);
}

/** Empty for the default alone. */
export function policyNote(policy: ServedPolicy, others: readonly ServedPolicy[] = []): string {
  const names = others.map(({ name }) => oneLine(name));
  const also = names.length === 0 ? "" : `; for some of them: ${names.join(", ")}`;
  if (policy.name === "default" && also === "") return "";
  return `Policy: ${oneLine(policy.name)}${also}`;
}

/** `12 days ago (2026-11-16)`. What cannot be read is shown as it is written. */
export function whenOf(at: number | undefined, written: string | undefined, now: number): string {
  if (at === undefined) {
    const spelt = oneLine(written ?? "");
    return spelt === "" ? "no date" : `date unreadable: ${spelt.slice(0, 40)}`;
  }
  return `${agoOf(at, now)} (${isoTime(at).slice(0, 10)})`;
}

function agoOf(at: number, now: number): string {
  const days = Math.floor((now - at) / DAY_MS);
  if (days < 0) return `in ${plural(Math.ceil((at - now) / DAY_MS), "day")}`;
  return days === 0 ? "today" : `${plural(days, "day")} ago`;
}

// When decisions were made, to the millisecond: what a client is served has the day alone, and an age worked out from that
// would differ by one from the age that decided about the level.

/** By id; without those of no readable time. */
export async function decidedTimes(log: DecisionLog, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const decisions = await log.read((reader) => reader.decisions(ids));
  return new Map(decisions.flatMap(({ id, decidedAt }) => (decidedAt === undefined ? [] : [[id, decidedAt] as const])));
}

/** `+0.06`, `-0.10`: accuracy less confidence. */
export function signed(gap: number): string {
  return `${gap > 0 ? "+" : ""}${roundHalfUp(gap, 2).toFixed(2)}`;
}
