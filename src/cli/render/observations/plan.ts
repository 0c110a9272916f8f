// A plan and its report, for a person: which rows leave, what stands for them, what that saves.
import type { AppliedGroup, CompactionReport } from "../../../observations/apply-observation-compaction.ts";
import type { CompactionPlan, PlannedGroup } from "../../../observations/grouping/plan-schema.ts";
import type { Colors } from "../../terminal.ts";
import { renderBars } from "../bar.ts";
import { figure, oneLine, plural, renderTable } from "../table.ts";

const BAR = 50;
const MOST_GROUPS = 30;
const MOST_IDS = 8;

interface Place {
  readonly shown: string;
  readonly flag: string;
}

export function renderPlan(plan: CompactionPlan, { shown, flag }: Place, colors: Colors): string {
  const { groups, totals, filter } = plan;
  if (groups.length === 0) {
    return `Nothing to compact in ${shown}: no stale notes say the same or share a topic.\n${left(plan)}`;
  }
  const days = plural(filter.older_than_days, "day");
  const lines = [
    colors.bold(
      `Plan for ${shown}: ${plural(totals.rows, "row")} older than ${days} in ${plural(totals.groups, "group")}`,
    ),
    "",
    ...renderBars(totals.tokens_before, totals.tokens_after, BAR, colors),
    "",
    renderTable(COLUMNS, groups.slice(0, MOST_GROUPS).map(cells), colors),
    ...(groups.length > MOST_GROUPS ? [`  and ${plural(groups.length - MOST_GROUPS, "group")} more: see --json`] : []),
    "",
    `Nothing was changed. What leaves stays in the database and can be found with ${colors.cyan(`agent-compact observations search WORDS --compacted${flag}`)}`,
  ];
  return `${lines.join("\n")}\n${left(plan)}`;
}

const COLUMNS = [
  { title: "kind" },
  { title: "rows that leave", width: 46 },
  { title: "what stands for them", width: 50 },
  { title: "tokens", isNumber: true },
  { title: "after", isNumber: true },
];

function cells(group: PlannedGroup): readonly (string | number)[] {
  const stands = group.kind === "topic" ? oneLine(group.summary.title) : `row ${group.kept}, which is kept`;
  const kind = group.kind === "topic" ? "one topic" : "the same";
  return [kind, idsOf(group.ids), stands, group.tokens_before, group.tokens_after];
}

function idsOf(ids: readonly number[]): string {
  const shown = ids.slice(0, MOST_IDS).join(", ");
  return ids.length > MOST_IDS ? `${shown} and ${figure(ids.length - MOST_IDS)} more` : shown;
}

function left({
  left: { living, summaries, unreadable, ungrouped, not_beneficial, look_alikes },
}: CompactionPlan): string {
  const parts = [
    ungrouped > 0 ? `${figure(ungrouped)} in no group` : undefined,
    living > 0 ? `${figure(living)} still being updated` : undefined,
    summaries > 0 ? `${plural(summaries, "summary", "summaries")} of earlier compactions` : undefined,
    not_beneficial.length > 0
      ? `${plural(not_beneficial.length, "topic")} whose summary would save nothing`
      : undefined,
    unreadable > 0 ? `${figure(unreadable)} whose age cannot be read` : undefined,
  ].filter((part) => part !== undefined);
  const stays = parts.length === 0 ? "" : `Stale rows that stay: ${parts.join(", ")}.\n`;
  const [pair] = look_alikes.pairs;
  if (pair === undefined) return stays;
  return `${stays}${plural(look_alikes.count, "pair")} look alike and differ in a fact, so both stay: ${pair.ids.join(" and ")} differ in ${oneLine(pair.differ_in)}, for one.\n`;
}

export function renderCompaction(
  report: CompactionReport,
  plan: CompactionPlan,
  { shown, flag }: Place,
  colors: Colors,
): string {
  const { applied, refused, deleted, tokens_before, tokens_after } = report;
  if (applied.length === 0 && refused.length === 0) return renderPlan(plan, { shown, flag }, colors);
  const [first] = applied;
  const lines = [
    colors.bold(`Compacted ${plural(deleted, "row")} of ${shown} in ${plural(applied.length, "group")}`),
    "",
    ...renderBars(tokens_before, tokens_after, BAR, colors),
    "",
    renderTable(DONE, applied.slice(0, MOST_GROUPS).map(doneCells), colors),
    ...(applied.length > MOST_GROUPS
      ? [`  and ${plural(applied.length - MOST_GROUPS, "group")} more: see --json`]
      : []),
    ...refused.map(({ ids, message }) => colors.yellow(`Not compacted: ${idsOf(ids)}. ${message}`)),
    "",
    ...(first === undefined
      ? []
      : [
          `To undo a group, name the row that stands for it: ${colors.cyan(`agent-compact observations restore --summary ${first.stands_for}${flag}`)}`,
        ]),
  ];
  return `${lines.join("\n")}\n${left(plan)}`;
}

const DONE = [
  { title: "kind" },
  { title: "rows that left", width: 46 },
  { title: "row that stands for them", isNumber: true },
  { title: "tokens", isNumber: true },
  { title: "after", isNumber: true },
];

function doneCells({ kind, ids, stands_for, tokens_before, tokens_after }: AppliedGroup): readonly (string | number)[] {
  return [kind === "topic" ? "one topic" : "the same", idsOf(ids), String(stands_for), tokens_before, tokens_after];
}
