// How many decisions there are at each level, with bars, and the policy that says so.
import { LEVELS, type Level } from "../../../decisions/decision.ts";
import type { LevelCounts } from "../../../decisions/decision-log.ts";
import type { Thresholds } from "../../../decisions/levels/policy.ts";
import type { ServedPolicy } from "../../../decisions/serving/served.ts";
import type { Colors } from "../../terminal.ts";
import { bar } from "../bar.ts";
import { oneLine, renderTable } from "../table.ts";

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
  const ages = thresholds === undefined ? [] : [{ title: "age" }];
  return renderTable(
    [{ title: "level" }, ...ages, { title: "decisions", isNumber: true }, { title: "" }],
    rows,
    colors,
  );
}

function agesOf(level: Level, { full, summary, digest }: Thresholds): string {
  if (level === "full") return `under ${full} days, or not to be shortened`;
  if (level === "summary") return `${full} to ${summary} days`;
  return level === "digest" ? `${summary} to ${digest} days` : `from ${digest} days`;
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
