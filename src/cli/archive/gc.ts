// `agent-compact archive gc`: shows what a limit would remove from the archive, and removes it when told to.
import {
  applyRetention,
  type ExpiringStep,
  hasLimit,
  planRetention,
  type RetentionPlan,
  type RetentionPolicy,
  type RetentionReport,
} from "../../archive/retention.ts";
import type { ConfigFile } from "../../config/file-schema.ts";
import { CompactError } from "../../errors.ts";
import { createTraceFrom } from "../../factories/conversation.ts";
import { conversationConfigOf } from "../../factories/conversation-config.ts";
import { figure, plural } from "../../text/figures.ts";
import { closeTrace, endingWith, type OpenedArchive, openArchive, readConfig } from "../open-compactor.ts";
import { minuteOf, oneLine, renderTable, right, sizeText } from "../render.ts";
import { printResult } from "../report.ts";
import type { Colors, Terminal } from "../terminal.ts";
import type { CollectFlags } from "./program.ts";

export async function collectSteps(flags: CollectFlags, terminal: Terminal): Promise<void> {
  const opened = await openArchive(flags, terminal);
  const policy = hasLimit(flags) ? limitsOf(flags) : limitsOf(opened.storage.retention ?? {});
  const plan = planRetention(await opened.archive.sizes(), policy, Date.now());
  const command = commandOf(opened, hasLimit(flags) ? flags : {});
  const view: RetentionView = { plan, policy, command };
  const facts = { policy: hasLimit(policy) ? written(policy) : null, ...plan };
  const print = (value: object, render: (colors: Colors) => string) => printResult(value, render, flags, terminal);
  if (!hasLimit(policy)) return print({ ...facts, applied: false }, (colors) => renderNoPolicy(plan, command, colors));
  if (flags.apply !== true) return print({ ...facts, applied: false }, (colors) => renderPlan(view, colors));
  const report = await apply(opened, view, flags, terminal);
  print({ ...facts, applied: true, ...report }, (colors) => renderApplied(report, view, colors));
  if (report.failed.length > 0) throw stayed(report.failed.length);
}

/** What left is told to the configured sinks, as after a compaction. */
async function apply(
  { archive, storage }: OpenedArchive,
  { plan }: RetentionView,
  flags: CollectFlags,
  terminal: Terminal,
) {
  const { config } = await readConfig(flags, terminal);
  const write = (line: string) => void terminal.stderr.write(`${line}\n`);
  const trace = createTraceFrom(conversationConfigOf({ ...config, storage } as ConfigFile, write, terminal.env));
  return endingWith(
    () => closeTrace(trace),
    terminal,
    () => applyRetention(archive, plan, { trace }),
  );
}

function limitsOf({ maxAgeDays, maxBytes }: RetentionPolicy): RetentionPolicy {
  return { maxAgeDays, maxBytes };
}

/** As the configuration spells it. */
function written({ maxAgeDays, maxBytes }: RetentionPolicy) {
  return { max_age_days: maxAgeDays ?? null, max_bytes: maxBytes ?? null };
}

function commandOf({ flag }: OpenedArchive, { maxAgeDays, maxBytes }: RetentionPolicy): string {
  const age = maxAgeDays === undefined ? "" : ` --max-age-days ${maxAgeDays}`;
  const size = maxBytes === undefined ? "" : ` --max-bytes ${maxBytes}`;
  return `agent-compact archive gc${age}${size}${flag}`;
}

function stayed(count: number): CompactError {
  return new CompactError("ArchiveFailed", `${plural(count, "step")} could not be removed.`, {
    code: "RETENTION_FAILED",
    hint: "The reasons stand above; the rest has left the archive. Run it again once they are gone.",
  });
}

const MOST_ROWS = 40;

interface RetentionView {
  readonly plan: RetentionPlan;
  readonly policy: RetentionPolicy;
  /** What repeats this call. */
  readonly command: string;
}

function renderNoPolicy({ steps, bytes_before }: RetentionPlan, command: string, colors: Colors): string {
  return [
    `Nothing ever leaves this archive: no limit is set. It holds ${plural(steps, "step")}, ${sizeText(bytes_before)}.`,
    `To see what a limit would remove:  ${colors.cyan(`${command} --max-age-days 90`)}`,
    "To keep to one after each compaction, in compact.yaml:",
    "  storage:\n    retention:\n      max_age_days: 90\n      max_bytes: 5000000000\n",
  ].join("\n");
}

function renderPlan({ plan, policy, command }: RetentionView, colors: Colors): string {
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

function renderApplied(report: RetentionReport, view: RetentionView, colors: Colors): string {
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
  const columns = ["session", right("step"), "when", right("size"), "why"];
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
