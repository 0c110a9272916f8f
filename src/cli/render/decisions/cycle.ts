// A plan of a cycle and its report, for a person: which levels change, which decisions come first, which texts are due.

import { roundHalfUp } from "../../../decisions/calibration/round.ts";
import type { DecisionCompactionPlan, PlannedChange } from "../../../decisions/cycle/plan-schema.ts";
import { LEVELS, type Level } from "../../../decisions/decision.ts";
import type { Colors } from "../../terminal.ts";
import { figure, plural, renderTable } from "../table.ts";
import { paintLevel, renderLevels } from "./levels.ts";
import { shortLine } from "./wrap.ts";

const MOST_ITEMS = 12;

export interface CycleView {
  readonly shown: string;
  readonly colors: Colors;
  /** What is to be said of a category that no decision has; else empty. */
  readonly unknown: string;
  /** What the first decisions of the plan are about, by id. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The decisions that are shown by name. */
export function leadingIds({ items }: DecisionCompactionPlan): readonly string[] {
  return items.slice(0, MOST_ITEMS).map(({ id }) => id);
}

export function renderCyclePlan(plan: DecisionCompactionPlan, view: CycleView): string {
  const { shown, colors } = view;
  const { items, rewrites, survey } = plan;
  const due = textsDue(plan);
  const lines = [
    colors.bold(`${plural(survey.total, "decision")} in ${shown}, ${figure(survey.preserved)} of them preserved`),
    ...(view.unknown === "" ? [] : [view.unknown]),
    renderLevels(survey.levels as Record<Level, number>, plan.policies.at(-1)?.thresholds, colors),
    "",
    ...(items.length === 0
      ? [`No level has changed since ${plan.last_run === null ? "the beginning" : "the last cycle"}.`]
      : [
          colors.bold(`${plural(items.length, "level changes", "levels change")} ${sinceWhen(plan)}`),
          renderChanges(plan, colors),
          "",
          renderItems(items, view),
        ]),
    ...(rewrites.length === 0
      ? []
      : ["", `${plural(rewrites.length, "decision")} of an unchanged level whose text is due.`]),
    "",
    `Texts to write: ${due === 0 ? "none" : figure(due)}. The records stay as they are.${items.length === 0 ? "" : " Why each level changes: --json."}`,
  ];
  return `${lines.join("\n")}\n`;
}

function sinceWhen({ last_run }: DecisionCompactionPlan): string {
  return last_run === null ? "(no cycle has run yet: before, all were full)" : "since the last cycle";
}

/** Summaries and digests have a text of their own. */
export function textsDue({ items, rewrites }: DecisionCompactionPlan): number {
  return items.filter(({ to }) => to === "summary" || to === "digest").length + rewrites.length;
}

export function renderChanges({ items }: DecisionCompactionPlan, colors: Colors): string {
  const rows = LEVELS.flatMap((from) =>
    LEVELS.flatMap((to) => {
      const members = items.filter((item) => item.from === from && item.to === to);
      if (members.length === 0) return [];
      const paint = () => `${paintLevel(from, colors)} → ${paintLevel(to, colors)}`;
      return [[{ text: `${from} → ${to}`, paint }, members.length, categoriesOf(members)]];
    }),
  );
  return renderTable(
    [{ title: "change" }, { title: "decisions", isNumber: true }, { title: "categories" }],
    rows,
    colors,
  );
}

const MOST_CATEGORIES = 4;

function categoriesOf(items: readonly PlannedChange[]): string {
  const counts = new Map<string, number>();
  for (const { category } of items) counts.set(category, (counts.get(category) ?? 0) + 1);
  const sorted = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const named = sorted.slice(0, MOST_CATEGORIES).map(([name, count]) => `${shortLine(name, 24)} ${figure(count)}`);
  return `${named.join(", ")}${sorted.length > MOST_CATEGORIES ? ", ..." : ""}`;
}

export function renderItems(items: readonly PlannedChange[], { colors, texts }: CycleView): string {
  const columns = [
    { title: "id", width: 24 },
    { title: "decision", width: 56 },
    { title: "category", width: 18 },
    { title: "change" },
    { title: "priority", isNumber: true },
  ];
  const rows = items
    .slice(0, MOST_ITEMS)
    .map(({ id, category, from, to, priority }) => [
      id,
      texts.get(id) ?? "",
      category,
      `${from} → ${to}`,
      roundHalfUp(priority, 2).toFixed(2),
    ]);
  const left = items.length - rows.length;
  const more = left > 0 ? `\n  and ${figure(left)} more` : "";
  return renderTable(columns, rows, colors) + more;
}
