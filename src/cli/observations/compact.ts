// `agent-compact observations compact`: rows that are named, or the groups that a plan proposes.
import { CompactError } from "../../errors.ts";
import { summaryConfigOf } from "../../factories/conversation-config.ts";
import { planObservationCompaction } from "../../factories/observations.ts";
import {
  type AppliedGroup,
  applyObservationCompaction,
  type CompactionReport,
} from "../../observations/compaction/apply-observation-compaction.ts";
import { unsupportedIn } from "../../observations/compaction/check-summary.ts";
import { compactObservations, previewCompaction } from "../../observations/compaction/compact-observations.ts";
import { type CompactionPlan, type PlannedGroup, readPlan } from "../../observations/compaction/compaction-plan.ts";
import { figure, plural } from "../../text/figures.ts";
import { writePlan } from "../files/output.ts";
import { decodeText, readBytes, readPlanFile } from "../files/read-file.ts";
import { badFlag, shellWord } from "../flags.ts";
import { readConfig } from "../open-compactor.ts";
import { atMost, oneLine, renderBars, renderTable, right } from "../render.ts";
import { createProgress, printResult } from "../report.ts";
import type { Colors, Terminal } from "../terminal.ts";
import { type OpenedStore, readIdWords, unknownProject, withStore } from "./open-store.ts";
import type { CompactFlags } from "./program.ts";
import { DEFAULT_AGE } from "./stale.ts";

export async function compactStale(words: readonly string[], flags: CompactFlags, terminal: Terminal): Promise<void> {
  refuseMixed(words, flags);
  await withStore(flags, terminal, {}, async (opened) => {
    if (words.length > 0) return compactNamed(readIdWords(words), flags, opened, terminal);
    const plan =
      flags.plan === undefined
        ? await makePlan(flags, opened, terminal)
        : await readPlanFile(flags.plan, readPlan, "--project", terminal);
    const unknown = plan.groups.length === 0 ? await unknownProject(opened.store, flags.project) : "";
    if (flags.planOut !== undefined) {
      const kept = [{ kept: opened.path, keptAs: "the store itself" }];
      const render = (shown: string, colors: Colors) => {
        const apply = `agent-compact observations compact${opened.flag} --plan ${shellWord(shown)}`;
        return `${renderPlan(plan, opened, colors)}Written to ${shown}. To carry it out: ${colors.cyan(apply)}\n`;
      };
      return writePlan({ out: flags.planOut, plan, kept, figures: { totals: plan.totals }, render }, flags, terminal);
    }
    if (flags.dryRun === true) {
      printResult(plan, (colors) => renderPlan(plan, opened, colors) + unknown, flags, terminal);
      return;
    }
    const report = await applyObservationCompaction(opened.store, plan, { now: Date.now(), trace: opened.trace });
    printResult(report, (colors) => renderCompaction(report, plan, opened, colors) + unknown, flags, terminal, {
      isReport: true,
    });
    const { refused } = report;
    if (refused.length === 0) return;
    throw new CompactError("Conflict", `${refused.length} of ${plan.groups.length} groups were not compacted.`, {
      code: "STALE_PLAN",
      hint: "Their rows changed since the plan was made. Run the command again.",
    });
  });
}

function refuseMixed(words: readonly string[], flags: CompactFlags): void {
  const { plan, planOut, dryRun, summaryTitle, summaryContent, summaryFile, strategy } = flags;
  const hasSummary = [summaryTitle, summaryContent, summaryFile].some((value) => value !== undefined);
  if (words.length === 0 && hasSummary)
    throw badFlag("A summary was given without the rows it stands for.", "Name them: observations compact 12 15 ...");
  const hasPlan = plan !== undefined || planOut !== undefined;
  if (words.length > 0 && (hasPlan || strategy !== undefined))
    throw badFlag("Named rows need no plan and no strategy.", "Leave --plan, --plan-out and --strategy out.");
  if (plan !== undefined && (planOut !== undefined || dryRun === true || strategy !== undefined))
    throw badFlag("--plan carries a plan out: it goes with no --plan-out, --dry-run or --strategy.");
}

async function makePlan(
  flags: CompactFlags,
  { store, count, trace }: OpenedStore,
  terminal: Terminal,
): Promise<CompactionPlan> {
  const { olderThan = DEFAULT_AGE, project, scope, namespace, strategy } = flags;
  const { summarizer, redaction } = summaryConfigOf((await readConfig(flags, terminal)).config);
  createProgress(terminal, flags).step("looking for notes that say the same or share a topic");
  return planObservationCompaction(
    store,
    {
      olderThanDays: olderThan,
      project,
      scope,
      namespace,
      count,
      strategy,
      redaction,
      summarizer,
      signal: terminal.signal,
    },
    { trace },
  );
}

async function compactNamed(
  ids: readonly number[],
  flags: CompactFlags,
  { store, flag, count, trace }: OpenedStore,
  terminal: Terminal,
): Promise<void> {
  const { olderThan = DEFAULT_AGE, project, scope, namespace, summaryTitle } = flags;
  const summaryContent = await contentOf(flags, terminal);
  if (summaryTitle === undefined && summaryContent !== undefined)
    throw badFlag("A summary needs a title.", "Give it with --summary-title.");
  if (summaryTitle !== undefined && summaryContent === undefined)
    throw badFlag("A summary needs a text.", "Give it with --summary-content or --summary-file.");
  const request = { olderThanDays: olderThan, ids, project, scope, namespace, summaryTitle, summaryContent };
  const rows = await previewCompaction(store, request);
  const unsupported =
    summaryTitle === undefined || summaryContent === undefined
      ? []
      : await unsupportedIn({ title: summaryTitle, content: summaryContent }, rows);
  const doubt = unsupported.length === 0 ? "" : `Note: none of the rows has ${unsupported.map(oneLine).join(", ")}\n`;
  if (flags.dryRun === true) {
    const listed = rows.map(({ id, type, title, content }) => ({
      id,
      type,
      title,
      tokens: count(`${title}\n${content}`),
    }));
    const tokens = listed.reduce((sum, row) => sum + row.tokens, 0);
    const columns = [right("id"), "type", atMost("title", 60), right("tokens")];
    const cells = listed.map((row) => [String(row.id), row.type, oneLine(row.title), row.tokens]);
    printResult(
      { rows: listed, tokens, unsupported },
      (colors) =>
        `${renderTable(columns, cells, colors)}\n\n${plural(listed.length, "row")}, ${figure(tokens)} tokens would be compacted. Nothing was changed.\n${doubt}`,
      flags,
      terminal,
    );
    return;
  }
  const result = await compactObservations(store, request, { now: Date.now(), trace });
  const { deleted, before, after, summaryId, young, living } = result;
  const undo = summaryId === undefined ? ids.join(" ") : `--summary ${summaryId}`;
  const lines = [
    `Compacted ${plural(deleted, "row")}: ${figure(before)} live before, ${figure(after)} after.`,
    ...(summaryId === undefined ? [] : [`Row ${summaryId} stands for them.`]),
    ...(young.length === 0 ? [] : [`Note: younger than ${plural(olderThan, "day")}: ${young.join(", ")}`]),
    ...(living.length === 0 ? [] : [`Note: updated within ${plural(olderThan, "day")}: ${living.join(", ")}`]),
  ];
  printResult(
    { ids: result.ids, deleted, before, after, summary_id: summaryId ?? null, young, living, unsupported },
    (colors) =>
      `${lines.join("\n")}\n${doubt}To undo: ${colors.cyan(`agent-compact observations restore ${undo}${flag}`)}\n`,
    flags,
    terminal,
    { isReport: true },
  );
}

async function contentOf(
  { summaryContent, summaryFile }: CompactFlags,
  terminal: Terminal,
): Promise<string | undefined> {
  if (summaryFile === undefined) return summaryContent;
  if (summaryContent !== undefined)
    throw badFlag("--summary-content and --summary-file both give the text: choose one.");
  const { bytes, label } = await readBytes(summaryFile, terminal, undefined, {
    empty: "Give a file that holds the summary.",
    tooLarge: "A summary has a million characters at most.",
  });
  return decodeText(bytes, label, "a file of text").text;
}

const BAR = 50;
const MOST_GROUPS = 30;
const MOST_IDS = 8;

interface Place {
  readonly shown: string;
  readonly flag: string;
}

function renderPlan(plan: CompactionPlan, { shown, flag }: Place, colors: Colors): string {
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
    ...moreGroups(groups.length),
    "",
    `Nothing was changed. What leaves stays in the database and can be found with ${colors.cyan(`agent-compact observations search WORDS --compacted${flag}`)}`,
  ];
  return `${lines.join("\n")}\n${left(plan)}`;
}

const COLUMNS = [
  "kind",
  atMost("rows that leave", 46),
  atMost("what stands for them", 64),
  right("tokens"),
  right("after"),
];

function cells(group: PlannedGroup): readonly (string | number)[] {
  const stands = group.kind === "topic" ? oneLine(group.summary.title) : `row ${group.kept}, which is kept`;
  const kind = group.kind === "topic" ? "one topic" : "the same";
  return [kind, idsOf(group.ids), stands, group.tokens_before, group.tokens_after];
}

function moreGroups(all: number): readonly string[] {
  return all > MOST_GROUPS ? [`  and ${plural(all - MOST_GROUPS, "group")} more: see --json`] : [];
}

function idsOf(ids: readonly number[]): string {
  const shown = ids.slice(0, MOST_IDS).join(", ");
  return ids.length > MOST_IDS ? `${shown} and ${figure(ids.length - MOST_IDS)} more` : shown;
}

function left({
  left: { living, summaries, standing = 0, unreadable, ungrouped, not_beneficial, look_alikes },
}: CompactionPlan): string {
  const rules = standing > 0 ? ` ${plural(standing, "of them holds a rule", "of them hold rules")}.` : "";
  const parts = [
    ungrouped > 0 ? `${figure(ungrouped)} in no group` : undefined,
    living > 0 ? `${figure(living)} still being updated` : undefined,
    summaries > 0 ? `${plural(summaries, "summary", "summaries")} of earlier compactions` : undefined,
    not_beneficial.length > 0
      ? `${plural(not_beneficial.length, "topic")} whose summary would save nothing`
      : undefined,
    unreadable > 0 ? `${figure(unreadable)} whose age cannot be read` : undefined,
  ].filter((part) => part !== undefined);
  const stays = parts.length === 0 ? "" : `Stale rows that stay: ${parts.join(", ")}.${rules}\n`;
  const [pair] = look_alikes.pairs;
  if (pair === undefined) return stays;
  return `${stays}${plural(look_alikes.count, "pair")} look alike and differ in a fact, so both stay: ${pair.ids.join(" and ")} differ in ${oneLine(pair.differ_in)}, for one.\n`;
}

function renderCompaction(
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
    ...moreGroups(applied.length),
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

const DONE = ["kind", atMost("rows that left", 46), right("row that stands for them"), right("tokens"), right("after")];

function doneCells({ kind, ids, stands_for, tokens_before, tokens_after }: AppliedGroup): readonly (string | number)[] {
  return [kind === "topic" ? "one topic" : "the same", idsOf(ids), String(stands_for), tokens_before, tokens_after];
}
