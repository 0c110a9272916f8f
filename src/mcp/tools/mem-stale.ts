// The tool `mem_stale`: lists what is stale, with what a model needs to choose and the call that would compact it. `mem_compact`
// without ids lists the same.
import * as z from "zod";
import {
  identifyStaleObservations,
  proposedIds,
  type StaleObservation,
  type StaleObservations,
  type StaleRecord,
  staleRecord,
} from "../../observations/compaction/find-stale.ts";
import type { ProposedGroup } from "../../observations/compaction/plan-observation-compaction.ts";
import { oneLine, snippetOf } from "../../observations/reading/row-view.ts";
import { figure, plainPlural } from "../../text/figures.ts";
import { type AnswerLimit, answerLimit, fitPage } from "../answer.ts";
import { readCursor, writeCursor } from "../cursor.ts";
import { cursorFooter, navigationFooter } from "../page-text.ts";
import * as parameters from "../parameters.ts";
import { defineTool, type ToolAnswer, type ToolContext } from "../tool.ts";
import { filterHint } from "./filter-hint.ts";
import { nameOf, shownName } from "./row-view.ts";

const candidateOutput = z.object({
  id: z.int(),
  type: z.string(),
  title: z.string(),
  project: z.string().nullable().optional().describe("This, scope, created_at and snippet at detail_level standard"),
  scope: z.string().optional(),
  created_at: z.string().optional(),
  age_days: z.int(),
  snippet: z.string().optional().describe("The first 100 characters"),
  tokens: z.int().describe("Of title and content"),
  updated_days_ago: z.int().optional().describe("A living document: still being updated, so not proposed"),
  is_summary: z.boolean().describe("Stands for rows compacted earlier, so not proposed"),
  is_standing: z.literal(true).optional().describe("A preference, a policy or a rule, so not proposed"),
});

export const staleOutput = z.object({
  candidates: z.array(candidateOutput),
  shown: z.int(),
  total: z.int().describe("All stale observations of the filter"),
  tokens: z.int().describe("Tokens of the candidates shown"),
  ages: z.array(z.object({ days: z.string(), count: z.int() })),
  compact_ids: z.array(z.int()).describe("Those shown that are proposed"),
  groups: z
    .array(
      z.object({
        compact_ids: z.array(z.int()),
        kept_id: z.int().optional().describe("Of copies: the row that says the same and stays"),
        topic: z.string().optional().describe("Of rows of one topic: they want a summary"),
        tokens: z.int().describe("Of the rows that would leave"),
      }),
    )
    .optional()
    .describe("What may be compacted together, on the first page"),
  unreadable: z.object({ count: z.int(), ids: z.array(z.int()) }).describe("Left alone: their time cannot be read"),
  next_cursor: z.string().optional(),
});

interface Entry {
  readonly candidate: StaleObservation;
  readonly record: StaleRecord;
}

type Level = "summary" | "standard";

/** Longer lists are told in a line a row, unless asked otherwise. */
const MOST_WITH_SNIPPETS = 12;
const MOST_GROUPS = 12;
/** Of the answer's tokens. */
const SHARE_OF_GROUPS = 0.4;

/** Whose list it is: a cursor goes back to the tool that gave it. */
type ListingTool = "mem_stale" | "mem_compact";

function describeStale(
  tool: ListingTool,
  found: StaleObservations,
  { asked, hint }: { readonly asked: Level | undefined; readonly hint: string },
  limit: AnswerLimit,
): ToolAnswer {
  const items = found.candidates.map((candidate) => ({ candidate, record: staleRecord(candidate, limit.count) }));
  const level = asked ?? (items.length > MOST_WITH_SNIPPETS ? "summary" : "standard");
  const groups = fittingGroups(found, limit);
  const build = (shown: readonly Entry[]) => {
    const next = nextCursor(tool, found, shown);
    const stale = structuredStale(found, shown, { level, groups, next });
    return {
      text: staleText(tool, found, shown, { level, groups }) + hint.trim() + cursorFooter(next),
      structured: tool === "mem_stale" ? stale : { mode: "identify", stale },
    };
  };
  return fitPage({ items, build }, limit);
}

/** As many of the groups as leave room for the list. */
function fittingGroups(found: StaleObservations, { maxTokens, count }: AnswerLimit): readonly ProposedGroup[] {
  let groups = found.groups?.slice(0, MOST_GROUPS) ?? [];
  while (groups.length > 0 && count(groupsText(found, groups)) > maxTokens * SHARE_OF_GROUPS)
    groups = groups.slice(0, -1);
  return groups;
}

function groupsText(found: StaleObservations, groups: readonly ProposedGroup[]): string {
  if (groups.length === 0) return "";
  const more = (found.groups?.length ?? 0) - groups.length;
  const lines = groups.map(({ ids, tokens, by }) => {
    const call = `\`${callOf(found, ids, "kept" in by ? by.kept : undefined)}\``;
    const rows = `${plainPlural(ids.length, "row")}, ${figure(tokens)} tokens`;
    if ("kept" in by) return `- ${rows} that #${by.kept} ${shownName(by.title)} says too: ${call}\n`;
    const where = by.project === null || found.filter.project !== undefined ? "" : ` in ${nameOf(by.project)}`;
    return `- ${rows} on ${nameOf(by.topic)}${where}: ${call}, summary_title and summary_content\n`;
  });
  return `What code would compact together, each with one call of mem_compact (mem_get with ids reads them):\n${lines.join("")}${more > 0 ? `- and ${more} more groups\n` : ""}\n`;
}

interface Shown {
  readonly level: Level;
  readonly groups: readonly ProposedGroup[];
}

function staleText(
  tool: ListingTool,
  found: StaleObservations,
  shown: readonly Entry[],
  { level, groups }: Shown,
): string {
  const { olderThanDays, candidates } = found;
  const days = `${olderThanDays} ${olderThanDays === 1 ? "day" : "days"}`;
  if (candidates.length === 0) return nothing(found, days);
  return `# Stale Observations (older than ${days})\n\n${overview(found)}\n${groupsText(found, groups)}${listOf(shown, level)}${foot(tool, found, shown)}`;
}

function structuredStale(
  found: StaleObservations,
  shown: readonly Entry[],
  { level, groups, next }: Shown & { readonly next: string | undefined },
): z.infer<typeof staleOutput> {
  return {
    candidates: shown.map(({ record }) => (level === "standard" ? record : brief(record))),
    shown: shown.length,
    total: found.total,
    tokens: tokensOf(shown),
    ages: [...found.ages],
    compact_ids: proposed(shown),
    ...(groups.length === 0 ? {} : { groups: groups.map(structuredGroup) }),
    unreadable: { count: found.unreadable.count, ids: [...found.unreadable.ids] },
    next_cursor: next,
  };
}

function brief({ project: _p, scope: _s, created_at: _c, snippet: _t, ...record }: StaleRecord) {
  return record;
}

function structuredGroup({ ids, tokens, by }: ProposedGroup) {
  return { compact_ids: [...ids], ...("kept" in by ? { kept_id: by.kept } : { topic: by.topic }), tokens };
}

function tokensOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { record }) => sum + record.tokens, 0);
}

function overview({ total, ages }: StaleObservations): string {
  const groups = ages.filter(({ count }) => count > 0).map(({ days, count }) => `${days} days: ${count}`);
  return `Found **${total}** candidates for compaction${groups.length === 0 ? "" : ` (${groups.join(", ")})`}:\n`;
}

function listOf(shown: readonly Entry[], level: Level): string {
  if (level === "standard") return shown.map(renderEntry).join("");
  const [first] = shown;
  const isOne = shown.every(({ record }) => record.project === first?.record.project);
  const head = `id | type | days old | tokens | ${isOne ? "" : "project | "}title\n`;
  return head + shown.map((entry) => renderLine(entry, isOne)).join("");
}

/** Of a title in a list of a line a row. */
const LINE_TITLE = 70;

function renderLine({ record }: Entry, isOne: boolean): string {
  const { id, type, age_days, tokens, project, title } = record;
  const marks = marksOf(record).map((mark) => `⚠️ ${mark}`);
  const parts = [id, nameOf(type), age_days, tokens, ...(isOne ? [] : [nameOf(project ?? "")])];
  return `${[...parts, snippetOf(title, LINE_TITLE), ...marks].join(" | ")}\n`;
}

function marksOf({ updated_days_ago, is_summary, is_standing }: StaleRecord): readonly string[] {
  return [
    ...(updated_days_ago === undefined ? [] : [`living document, updated ${updated_days_ago} days ago`]),
    ...(is_summary ? ["summary of an earlier compaction"] : []),
    ...(is_standing === true ? ["holds a preference or rule"] : []),
  ];
}

function renderEntry({ candidate, record }: Entry): string {
  const parts = [
    `- **ID ${record.id}**`,
    oneLine(record.title),
    nameOf(record.type),
    ...(record.project === null ? [] : [`\`${nameOf(record.project).replaceAll("`", "'")}\``]),
    nameOf(record.scope),
    `created: ${nameOf(record.created_at)}`,
    `${record.age_days} days old`,
    `${record.tokens} tokens`,
    ...marksOf(record).map((mark) => `⚠️ ${mark}`),
  ];
  const cut = record.snippet.length < candidate.row.content.length ? "..." : "";
  return `${parts.join(" | ")}\n  ${oneLine(record.snippet)}${cut}\n`;
}

function foot(tool: ListingTool, found: StaleObservations, shown: readonly Entry[]): string {
  const ids = proposed(shown);
  const call =
    ids.length === 0
      ? "None of these is proposed: they are still being updated, stand for others, or are rules.\n"
      : `To compact these, call \`mem_compact\`${tool === "mem_compact" ? " again" : ""} with \`${callOf(found, ids)}\`\n` +
        "and a summary_title and summary_content that keep what matters. Review them first (mem_get shows a whole one).\n";
  return (
    `---\n${call}Those shown take ${figure(tokensOf(shown))} tokens.\n` +
    unreadableLine(found) +
    navigationFooter(shown.length, found.total, "Compact these, or page on.")
  );
}

function callOf({ olderThanDays, filter }: StaleObservations, ids: readonly number[], kept?: number): string {
  const filters = Object.entries(filter).map(
    ([key, value]) => `, ${key === "session_id" ? "from_session" : key}: ${JSON.stringify(value)}`,
  );
  const stays = kept === undefined ? "" : `, kept_id: ${kept}`;
  return `compact_ids: "${JSON.stringify(ids)}"${stays}, older_than_days: ${olderThanDays}${filters.join("")}`;
}

function nothing(found: StaleObservations, days: string): string {
  const line =
    found.total === 0
      ? `No stale observations found older than ${days}.\n`
      : `No further stale observations: all ${found.total} older than ${days} were listed.\n`;
  return line + unreadableLine(found);
}

function unreadableLine({ unreadable: { count, ids } }: StaleObservations): string {
  if (count === 0) return "";
  const more = count > ids.length ? ", ..." : "";
  return `⚠️ ${count} observations were left alone because their created_at cannot be read: ${ids.join(", ")}${more}.\n`;
}

function nextCursor(
  tool: ListingTool,
  { candidates, hasMore }: StaleObservations,
  shown: readonly Entry[],
): string | undefined {
  const last = shown[shown.length - 1]?.candidate;
  const isLast = shown.length === candidates.length && !hasMore;
  return last === undefined || isLast ? undefined : writeCursor(tool, { createdAt: last.createdAt, id: last.row.id });
}

function proposed(shown: readonly Entry[]): number[] {
  return proposedIds(shown.map(({ record }) => record));
}

export const staleInput = z.object({
  older_than_days: z.number().describe("Age in days: observations created longer ago are stale. Must be > 0."),
  project: parameters.project.optional(),
  scope: parameters.scope.optional(),
  namespace: parameters.namespace.optional(),
  type: z.string().optional().describe("Only this type: decision, bugfix, session_summary, ..."),
  topic: z.string().optional().describe("Only this topic key and those below it: plan for plan/berths"),
  from_session: z.string().optional().describe("Only observations of this session"),
  detail_level: z
    .enum(["summary", "standard"])
    .optional()
    .describe("summary: a line a row; standard: also project, scope, date and the first 100 characters. By length"),
  limit: z.number().optional().describe("Most candidates to list: 50, at most 200"),
  cursor: parameters.cursor.optional(),
  max_tokens: parameters.maxTokens.optional(),
});

export const memStale = defineTool({
  name: "mem_stale",
  title: "List stale observations",
  description:
    "Lists what is old enough to be compacted, and changes nothing. Review it, write a summary of what is worth keeping, " +
    "then call mem_compact with compact_ids, summary_title and summary_content.",
  params: staleInput,
  result: staleOutput,
  hints: { isReadOnly: true, isDestructive: false, isIdempotent: true },
  run: (given, context) => identify("mem_stale", given, context),
});

const position = z.strictObject({ createdAt: z.number(), id: z.int() });

/** Which rows are meant. */
export function selectionOf({ older_than_days, from_session, ...given }: z.infer<typeof staleInput>) {
  const { project, scope, namespace, type, topic } = given;
  return { olderThanDays: older_than_days, project, scope, namespace, type, topic, session_id: from_session };
}

export async function identify(
  tool: ListingTool,
  given: z.infer<typeof staleInput>,
  context: ToolContext,
): Promise<ToolAnswer> {
  const store = await context.store();
  const found = await identifyStaleObservations(
    store,
    {
      ...selectionOf(given),
      limit: given.limit,
      after: readCursor(tool, given.cursor, position),
    },
    { now: context.now(), count: context.count },
  );
  const hint = found.total === 0 ? await filterHint(store, given) : "";
  return describeStale(tool, found, { asked: given.detail_level, hint }, answerLimit(given.max_tokens, context));
}
