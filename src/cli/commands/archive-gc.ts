// `agent-compact archive gc`: shows what a limit would remove from the archive, and removes it when told to.
import { applyRetention } from "../../archive/retention/apply-retention.ts";
import { hasLimit, planRetention, type RetentionPolicy } from "../../archive/retention/plan-retention.ts";
import type { ConfigFile } from "../../config/file-schema.ts";
import { CompactError } from "../../errors.ts";
import { conversationConfigOf } from "../../from-config/file-to-conversation.ts";
import { createTraceFrom } from "../../from-config/wiring/wire-compactor.ts";
import { type ArchiveFlags, type OpenedArchive, openArchive, readConfig } from "../open-compactor.ts";
import { type RetentionView, renderApplied, renderNoPolicy, renderPlan } from "../render/archive-retention.ts";
import { plural } from "../render/table.ts";
import { type Colors, colorsOf, type Terminal } from "../terminal.ts";
import { closeTrace, endingWith } from "../trace/open-trace.ts";

export interface CollectFlags extends ArchiveFlags {
  readonly maxAgeDays?: number;
  readonly maxBytes?: number;
  readonly apply?: true;
}

export async function collectSteps(flags: CollectFlags, terminal: Terminal): Promise<void> {
  const opened = await openArchive(flags, terminal);
  const policy = hasLimit(flags) ? limitsOf(flags) : limitsOf(opened.storage.retention ?? {});
  const plan = planRetention(await opened.archive.sizes(), policy, Date.now());
  const command = commandOf(opened, hasLimit(flags) ? flags : {});
  const view: RetentionView = { plan, policy, command };
  const facts = { policy: hasLimit(policy) ? written(policy) : null, ...plan };
  const print = (value: object, render: (colors: Colors) => string) => {
    const { stdout } = terminal;
    stdout.write(flags.json === true ? `${JSON.stringify(value)}\n` : render(colorsOf(stdout, terminal)));
  };
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
