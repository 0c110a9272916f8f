// What would leave an archive and why, what it frees, and what to type; afterwards, what left.
import type { RetentionReport } from "../../archive/retention/apply-retention.ts";
import type { ExpiringStep, RetentionPlan, RetentionPolicy } from "../../archive/retention/plan-retention.ts";
import type { Colors } from "../terminal.ts";
import { figure, minuteOf, oneLine, plural, renderTable, sizeText } from "./table.ts";

const NUMBER = { isNumber: true } as const;
const MOST_ROWS = 40;

export interface RetentionView {
  readonly plan: RetentionPlan;
  readonly policy: RetentionPolicy;
  /** What repeats this call. */
  readonly command: string;
}

export function renderNoPolicy({ steps, bytes_before }: RetentionPlan, command: string, colors: Colors): string {
  return [
    `Nothing ever leaves this archive: no limit is set. It holds ${plural(steps, "step")}, ${sizeText(bytes_before)}.`,
    `To see what a limit would remove:  ${colors.cyan(`${command} --max-age-days 90`)}`,
    "To keep to one after each compaction, in compact.yaml:",
    "  storage:\n    retention:\n      max_age_days: 90\n      max_bytes: 5000000000\n",
  ].join("\n");
}

export function renderPlan({ plan, policy, command }: RetentionView, colors: Colors): string {
  const { expiring, steps, bytes_before, bytes_after } = plan;
  if (expiring.length === 0) {
    const limit = `The limit: ${describePolicy(policy)}.`;
    return `Nothing is due to leave: ${plural(steps, "step")}, ${sizeText(bytes_before)}. ${limit}\n${stillAbove(plan, policy)}`;
  }
  return [
    renderExpiring(expiring, policy, colors),
    "",
    `${figure(expiring.length)} of ${plural(steps, "step")} would leave, which frees ${sizeText(bytes_before - bytes_after)} of ${sizeText(bytes_before)}. Nothing has been removed.`,
    `${stillAbove(plan, policy)}To remove them for good:  ${colors.cyan(`${command} --apply`)}`,
    "",
  ].join("\n");
}

export function renderApplied(report: RetentionReport, view: RetentionView, colors: Colors): string {
  const { removed, failed, freed_bytes } = report;
  const problems = failed.map(({ session_id, step, message }) => {
    return `${colors.red("not removed")}  ${oneLine(session_id)}, step ${step}: ${oneLine(message)}\n`;
  });
  const done = `${plural(removed.length, "step")} left the archive, ${sizeText(freed_bytes)} freed.\n`;
  return `${problems.join("")}${done}${stillAbove(view.plan, view.policy)}`;
}

function renderExpiring(expiring: readonly ExpiringStep[], policy: RetentionPolicy, colors: Colors): string {
  const rows = expiring
    .slice(0, MOST_ROWS)
    .map(({ session_id, step, at, bytes, reason }) => [
      session_id,
      step,
      minuteOf(at),
      sizeText(bytes),
      reason === "age"
        ? `older than ${plural(policy.maxAgeDays ?? 0, "day")}`
        : `above ${sizeText(policy.maxBytes ?? 0)}`,
    ]);
  const columns = [
    { title: "session" },
    { title: "step", ...NUMBER },
    { title: "when" },
    { title: "size", ...NUMBER },
    { title: "why" },
  ];
  const more =
    expiring.length > MOST_ROWS ? `\n  and ${plural(expiring.length - MOST_ROWS, "more step")}: see --json` : "";
  return `${renderTable(columns, rows, colors)}${more}`;
}

function describePolicy({ maxAgeDays, maxBytes }: RetentionPolicy): string {
  const limits = [
    ...(maxAgeDays === undefined ? [] : [`none older than ${plural(maxAgeDays, "day")}`]),
    ...(maxBytes === undefined ? [] : [`at most ${sizeText(maxBytes)}`]),
  ];
  return `${limits.join(", ")}, but for what each session needs to go on`;
}

function stillAbove({ bytes_after }: RetentionPlan, { maxBytes }: RetentionPolicy): string {
  if (maxBytes === undefined || bytes_after <= maxBytes) return "";
  return `It stays at ${sizeText(bytes_after)}, above ${sizeText(maxBytes)}: the newest step of each session is never removed.\n`;
}
