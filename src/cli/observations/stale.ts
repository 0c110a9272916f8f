// `agent-compact observations stale`: what is old enough to be compacted.
import {
  type AgeCount,
  identifyStaleObservations,
  proposedIds,
  type StaleRecord,
  staleRecord,
} from "../../observations/compaction/find-stale.ts";
import { figure, plural } from "../../text/figures.ts";
import { atMost, bar, renderTable, right } from "../render.ts";
import { printResult } from "../report.ts";
import type { Colors, Terminal } from "../terminal.ts";
import { unknownProject, withStore } from "./open-store.ts";
import type { StaleFlags } from "./program.ts";

export const DEFAULT_AGE = 30;

export async function listStale(flags: StaleFlags, terminal: Terminal): Promise<void> {
  await withStore(flags, terminal, {}, async ({ store, shown, flag, count }) => {
    const { olderThan = DEFAULT_AGE, project, scope, namespace, limit } = flags;
    const found = await identifyStaleObservations(
      store,
      { olderThanDays: olderThan, project, scope, namespace, limit },
      { now: Date.now() },
    );
    const candidates = found.candidates.map((candidate) => staleRecord(candidate, count));
    const result = {
      db: shown,
      older_than_days: olderThan,
      filter: found.filter,
      total: found.total,
      shown: candidates.length,
      tokens: candidates.reduce((sum, { tokens }) => sum + tokens, 0),
      ages: found.ages,
      candidates,
      compact_ids: proposedIds(candidates),
      unreadable: found.unreadable,
    };
    const unknown = found.total === 0 ? await unknownProject(store, project) : "";
    printResult(result, (colors) => renderStale(result, flag, colors) + unknown, flags, terminal);
  });
}

interface StaleResult {
  readonly db: string;
  readonly older_than_days: number;
  readonly total: number;
  readonly tokens: number;
  readonly ages: readonly AgeCount[];
  readonly candidates: readonly StaleRecord[];
  readonly unreadable: { readonly count: number; readonly ids: readonly number[] };
}

const BAR = 30;

function renderStale(result: StaleResult, flag: string, colors: Colors): string {
  const { db, older_than_days, total, tokens, candidates } = result;
  const age = plural(older_than_days, "day");
  if (total === 0) return `Nothing in ${db} is older than ${age}.\n${unreadable(result)}`;
  const lines = [
    colors.bold(`${plural(total, "observation")} in ${db} older than ${age}`),
    renderAges(result.ages, colors),
    "",
    renderCandidates(candidates, colors),
    "",
    candidates.length < total
      ? `${figure(candidates.length)} of ${figure(total)} shown, the oldest first: ${figure(tokens)} tokens. More with --limit N (200 at most).`
      : `${figure(tokens)} tokens in all.`,
    `What would be compacted: ${colors.cyan(`agent-compact observations compact --older-than ${older_than_days}${flag} --dry-run`)}`,
  ];
  return `${lines.join("\n")}\n${unreadable(result)}`;
}

function renderAges(ages: readonly AgeCount[], colors: Colors): string {
  const most = Math.max(...ages.map(({ count }) => count));
  const rows = ages.map(({ days, count }) => [days, count, { text: bar(count, most, BAR), paint: colors.cyan }]);
  return renderTable(["days", right("rows"), ""], rows, colors);
}

function renderCandidates(candidates: readonly StaleRecord[], colors: Colors): string {
  const columns = [
    right("id"),
    atMost("type", 18),
    atMost("title", 44),
    atMost("project", 20),
    right("days"),
    right("tokens"),
    "",
  ];
  const rows = candidates.map((record) => [
    String(record.id),
    record.type,
    record.title,
    record.project ?? "",
    record.age_days,
    record.tokens,
    { text: markOf(record), paint: colors.yellow },
  ]);
  return renderTable(columns, rows, colors);
}

function markOf({ updated_days_ago, is_summary, is_standing }: StaleRecord): string {
  if (is_summary) return "a summary";
  if (is_standing === true) return "a rule";
  return updated_days_ago === undefined ? "" : `updated ${plural(updated_days_ago, "day")} ago`;
}

function unreadable({ unreadable: { count, ids } }: StaleResult): string {
  if (count === 0) return "";
  const more = count > ids.length ? ", ..." : "";
  return `${plural(count, "row")} left alone, because when they were made cannot be read: ${ids.join(", ")}${more}\n`;
}
