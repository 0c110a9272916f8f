// How the candidates of a compaction are told: what a model needs to choose, and the call that would compact them.
import { z } from "zod";
import type { StaleObservation, StaleObservations } from "../../../observations/compaction/find-stale.ts";
import { cutAtCodePoint } from "../../../text/cut.ts";
import { writeCursor } from "../../answer/cursor.ts";
import { fitAnswer } from "../../answer/fit-answer.ts";
import { cursorFooter, navigationFooter } from "../../answer/footers.ts";

const candidateOutput = z.object({
  id: z.int(),
  type: z.string(),
  title: z.string(),
  project: z.string().nullable(),
  scope: z.string(),
  created_at: z.string(),
  age_days: z.int(),
  snippet: z.string().describe("The first 100 characters"),
  tokens: z.int().describe("Of title and content"),
  updated_days_ago: z.int().optional().describe("A living document: still being updated, so not proposed"),
  is_summary: z.boolean().describe("Stands for rows compacted earlier, so not proposed"),
});

export const staleOutput = z.object({
  candidates: z.array(candidateOutput),
  shown: z.int(),
  total: z.int().describe("All stale observations of the filter"),
  tokens: z.int().describe("Tokens of the candidates shown"),
  ages: z.array(z.object({ days: z.string(), count: z.int() })),
  compact_ids: z.array(z.int()).describe("Those shown that are proposed"),
  unreadable: z.object({ count: z.int(), ids: z.array(z.int()) }).describe("Left alone: their time cannot be read"),
  next_cursor: z.string().optional(),
});

type Candidate = z.infer<typeof candidateOutput>;

interface Counting {
  readonly count: (text: string) => number;
  readonly maxTokens: number;
}

interface Entry {
  readonly candidate: StaleObservation;
  readonly tokens: number;
}

const LONGEST_TITLE = 80;

export function describeStale(found: StaleObservations, { count, maxTokens }: Counting) {
  const { olderThanDays, candidates } = found;
  const days = `${olderThanDays} ${olderThanDays === 1 ? "day" : "days"}`;
  const entries = candidates.map((candidate) => ({
    candidate,
    tokens: count(`${candidate.row.title}\n${candidate.row.content}`),
  }));
  const whole = (structured: readonly unknown[], shown: readonly Entry[]) => ({
    mode: "identify",
    stale: structuredStale(found, structured as Candidate[], shown),
  });
  const { text, structured, shown } = fitAnswer<Entry>({
    head: entries.length === 0 ? "" : `# Stale Observations (older than ${days})\n\n${overview(found)}\n`,
    items: entries,
    render: renderEntry,
    structured: structuredEntry,
    whole,
    foot: (shown) => (entries.length === 0 ? nothing(found, days) : foot(found, entries.slice(0, shown))),
    maxTokens,
    count,
  });
  return { text, structured: whole(structured, entries.slice(0, shown)) };
}

function structuredStale(
  found: StaleObservations,
  candidates: Candidate[],
  shown: readonly Entry[],
): z.infer<typeof staleOutput> {
  const next = nextCursor(found, shown);
  return {
    candidates,
    shown: shown.length,
    total: found.total,
    tokens: tokensOf(shown),
    ages: [...found.ages],
    compact_ids: proposed(shown),
    unreadable: { count: found.unreadable.count, ids: [...found.unreadable.ids] },
    ...(next === undefined ? {} : { next_cursor: next }),
  };
}

function tokensOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { tokens }) => sum + tokens, 0);
}

function overview({ total, ages }: StaleObservations): string {
  const groups = ages.filter(({ count }) => count > 0).map(({ days, count }) => `${days} days: ${count}`);
  return `Found **${total}** candidates for compaction${groups.length === 0 ? "" : ` (${groups.join(", ")})`}:\n`;
}

function renderEntry({ candidate, tokens }: Entry): string {
  const { row, snippet, ageDays, updatedDaysAgo, isSummary } = candidate;
  const marks = [
    updatedDaysAgo === undefined ? undefined : `living document, updated ${updatedDaysAgo} days ago`,
    isSummary ? "summary of an earlier compaction" : undefined,
  ].filter((mark) => mark !== undefined);
  const parts = [
    `- **ID ${row.id}**`,
    oneLine(cutAtCodePoint(row.title, LONGEST_TITLE)),
    row.type,
    ...(row.project === null ? [] : [`\`${row.project}\``]),
    row.scope,
    `created: ${row.created_at}`,
    `${ageDays} days old`,
    `${tokens} tokens`,
    ...marks.map((mark) => `⚠️ ${mark}`),
  ];
  return `${parts.join(" | ")}\n  ${oneLine(snippet)}${snippet.length < row.content.length ? "..." : ""}\n`;
}

function structuredEntry({ candidate, tokens }: Entry): Candidate {
  const { row, snippet, ageDays, updatedDaysAgo, isSummary } = candidate;
  return {
    id: row.id,
    type: row.type,
    title: cutAtCodePoint(row.title, LONGEST_TITLE),
    project: row.project,
    scope: row.scope,
    created_at: row.created_at,
    age_days: ageDays,
    snippet,
    tokens,
    ...(updatedDaysAgo === undefined ? {} : { updated_days_ago: updatedDaysAgo }),
    is_summary: isSummary,
  };
}

function foot(found: StaleObservations, shown: readonly Entry[]): string {
  const ids = proposed(shown);
  const call =
    ids.length === 0
      ? "None of these is proposed: they are still being updated, or stand for others.\n"
      : `To compact these, call \`mem_compact\` again with \`${callOf(found, ids)}\`\n` +
        "and a summary_title and summary_content that keep what matters. Review them first (mem_get shows a whole one).\n";
  return (
    `---\n${call}Those shown take ${tokensOf(shown).toLocaleString("en-US")} tokens.\n` +
    unreadableLine(found) +
    navigationFooter(shown.length, found.total, "Compact these, or page on.") +
    cursorFooter(nextCursor(found, shown))
  );
}

function callOf({ olderThanDays, filter }: StaleObservations, ids: readonly number[]): string {
  const filters = Object.entries(filter).map(([key, value]) => `, ${key}: ${JSON.stringify(value)}`);
  return `compact_ids: "${JSON.stringify(ids)}", older_than_days: ${olderThanDays}${filters.join("")}`;
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

function nextCursor({ candidates, hasMore }: StaleObservations, shown: readonly Entry[]): string | undefined {
  const last = shown[shown.length - 1]?.candidate;
  const isLast = shown.length === candidates.length && !hasMore;
  return last === undefined || isLast ? undefined : writeCursor({ createdAt: last.createdAt, id: last.row.id });
}

function proposed(shown: readonly Entry[]): number[] {
  return shown
    .filter(({ candidate }) => candidate.updatedDaysAgo === undefined && !candidate.isSummary)
    .map(({ candidate }) => candidate.row.id);
}

/** A title or snippet must not look like a line of the answer's own. */
function oneLine(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}
