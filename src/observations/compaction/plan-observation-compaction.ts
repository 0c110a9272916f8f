// Plans a compaction that nobody has to choose for: copies of one fact leave in favour of one row, notes of one topic
// in favour of a summary. Reads only; the summaries are written here, so that apply waits for nothing.
import { attempt, emitDone } from "../../engine/attempt.ts";
import { saysTheSame } from "../../similarity/same-fact.ts";
import { summarizeNotes } from "../../summaries/notes.ts";
import type { Strategy, Summarizer, Summary } from "../../summaries/summarizer.ts";
import { figure } from "../../text/figures.ts";
import { wordTokens } from "../../text/words.ts";
import { DAY_MS, isoTime } from "../../time.ts";
import { createdAt, type Observation } from "../observation.ts";
import type { ObservationFilter, ObservationReader, ObservationStore } from "../observation-store.ts";
import { type RowsAsked, rowFilter } from "../row-filter.ts";
import {
  type CompactionOptions,
  type CompactionPlan,
  fingerprint,
  OBSERVATIONS,
  type PlannedDuplicates,
  type PlannedTopic,
  sealPlan,
} from "./compaction-plan.ts";
import { readDays } from "./read-days.ts";
import {
  type DuplicateGroup,
  findLookAlikes,
  groupDuplicates,
  groupTopics,
  noteText,
  readStaleNotes,
  type StaleNote,
  type TopicGroup,
} from "./stale-groups.ts";

export type GroupKind = "near_duplicates" | "topic";

export interface PlanCompactionRequest extends RowsAsked {
  /** Rows created more than this many times 24 hours ago are stale. Above 0. */
  readonly olderThanDays: unknown;
  /** Writes what stands for the notes of a topic. */
  readonly summarizer: Summarizer;
  /** Tokens of a text. */
  readonly count: (text: string) => number;
  /** Which kinds are planned. Default: both. */
  readonly groups?: readonly GroupKind[] | undefined;
  /** Default `brief`: each note by its opening, then values and names. */
  readonly strategy?: Strategy | undefined;
  /** Applied to whatever a summary is made from. Default: nothing is changed, since the summary stays in the store. */
  readonly redact?: ((text: string) => string) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Plain data for `applyObservationCompaction`; nothing is written.
 * @throws InvalidInput for an invalid age; SummarizationFailed; StoreFailed.
 */
export function planObservationCompaction(
  store: ObservationStore,
  request: PlanCompactionRequest,
  options: CompactionOptions,
): Promise<CompactionPlan> {
  return attempt(OBSERVATIONS, options, async (watch) => {
    const plan = await makePlan(store, request, options.now);
    const ids = plan.groups.flatMap((group) => group.ids);
    emitDone("compact.plan", OBSERVATIONS, { ids, counts: plan.totals }, options, watch());
    return plan;
  });
}

async function makePlan(store: ObservationStore, request: PlanCompactionRequest, now: number): Promise<CompactionPlan> {
  const olderThanDays = readDays(request.olderThanDays);
  const filter = rowFilter(request);
  const kinds = new Set<GroupKind>(request.groups ?? ["near_duplicates", "topic"]);
  const { notes, texts, ...left } = await store.read((rows) =>
    readStaleNotes(rows, filter, now - olderThanDays * DAY_MS),
  );
  const duplicates = kinds.has("near_duplicates") ? groupDuplicates(notes) : [];
  const topics = kinds.has("topic") ? groupTopics(notes, duplicates) : [];
  const { planned, notBeneficial } = await planTopics(store, topics, request);
  const leaving = new Set(planned.flatMap(({ ids }) => ids));
  const apart = duplicates.filter(({ kept }) => !leaving.has(kept.id));
  const groups = [...(await planDuplicates(store, apart, request)), ...planned];
  const touched = new Set(groups.flatMap((group) => group.rows.map(({ id }) => id)));
  return sealPlan({
    created_at: isoTime(now),
    filter: { older_than_days: olderThanDays, ...filter },
    groups,
    left: {
      ...left,
      not_beneficial: notBeneficial,
      ungrouped: notes.filter(({ id, isLiving }) => !isLiving && !touched.has(id)).length,
      look_alikes: kinds.has("near_duplicates") ? findLookAlikes(notes, texts) : { count: 0, pairs: [] },
    },
    totals: totalsOf(groups),
  });
}

function totalsOf(groups: CompactionPlan["groups"]): CompactionPlan["totals"] {
  return {
    groups: groups.length,
    rows: groups.reduce((sum, { ids }) => sum + ids.length, 0),
    tokens_before: groups.reduce((sum, group) => sum + group.tokens_before, 0),
    tokens_after: groups.reduce((sum, group) => sum + group.tokens_after, 0),
  };
}

/** What may be compacted together: rows that one row says all of, or rows of one topic, which want a summary. */
export interface ProposedGroup {
  readonly ids: readonly number[];
  /** Of the rows that would leave. */
  readonly tokens: number;
  readonly by:
    | { readonly kept: number; readonly title: string }
    | { readonly topic: string; readonly project: string | null };
}

/** Copies first, of each kind those first that take most. Reads every stale row. */
export async function proposeGroups(
  rows: ObservationReader,
  filter: ObservationFilter,
  { before, count }: { readonly before: number; readonly count: (text: string) => number },
): Promise<readonly ProposedGroup[]> {
  const { notes } = await readStaleNotes(rows, filter, before);
  const duplicates = groupDuplicates(notes);
  const groups: ProposedGroup[] = [];
  for (const group of duplicates) {
    const { kept, same } = (await copiesIn(rows, group)) ?? {};
    if (kept === undefined || same === undefined) continue;
    const by = { kept: kept.id, title: kept.title };
    groups.push({ ids: same.map(({ id }) => id), tokens: sizeOf(same, count), by });
  }
  for (const { family, members } of groupTopics(notes, duplicates)) {
    const found = await liveRows(
      rows,
      members.map(({ note }) => note),
    );
    groups.push({
      ids: found.map(({ id }) => id),
      tokens: sizeOf(found, count),
      by: { topic: family, project: found[0]?.project ?? null },
    });
  }
  const rank = ({ by, tokens }: ProposedGroup) => ("kept" in by ? Number.MAX_SAFE_INTEGER : 0) / 2 + tokens;
  return groups.sort((first, second) => rank(second) - rank(first));
}

// Turns groups into entries of a plan: reads their rows once more, counts them, has summaries written, and drops what
// turns out not to say the same or not to become shorter.

/** A summary that saves less is not worth its losses; it is never longer than what it replaces. */
const LARGEST_SHARE = 0.75;

async function planDuplicates(
  store: ObservationStore,
  groups: readonly DuplicateGroup[],
  { count }: PlanCompactionRequest,
): Promise<readonly PlannedDuplicates[]> {
  const planned: PlannedDuplicates[] = [];
  for (const group of groups) {
    const { kept, same } = (await store.read((rows) => copiesIn(rows, group))) ?? {};
    if (kept === undefined || same === undefined) continue;
    const what = same.length === 1 ? "1 row says" : `${figure(same.length)} rows say`;
    const after = count(noteText(kept));
    planned.push({
      kind: "near_duplicates",
      kept: kept.id,
      ids: same.map(({ id }) => id),
      ...scopeOf(kept),
      reason: `${what} the same as #${kept.id}, which is kept.`,
      tokens_before: after + sizeOf(same, count),
      tokens_after: after,
      rows: [kept, ...same].map(fingerprint),
    });
  }
  return planned;
}

/** The row that stays and those that say the same, as they are now; undefined where it is gone, or none does. */
async function copiesIn(rows: ObservationReader, { kept, copies }: DuplicateGroup) {
  const [row, ...others] = await liveRows(rows, [kept, ...copies]);
  if (row?.id !== kept.id) return undefined;
  const same = others.filter((other) => saysTheSame(noteText(other), noteText(row)));
  return same.length === 0 ? undefined : { kept: row, same };
}

async function planTopics(store: ObservationStore, groups: readonly TopicGroup[], request: PlanCompactionRequest) {
  const planned: PlannedTopic[] = [];
  const notBeneficial: { family: string; ids: readonly number[] }[] = [];
  for (const group of groups) {
    const entry = await planTopic(store, group, request);
    if (entry !== undefined) planned.push(entry);
    else notBeneficial.push({ family: group.family, ids: group.members.map(({ note }) => note.id) });
  }
  return { planned, notBeneficial };
}

async function planTopic(
  store: ObservationStore,
  { family, members }: TopicGroup,
  request: PlanCompactionRequest,
): Promise<PlannedTopic | undefined> {
  const kept = members.map(({ note }) => note);
  const repeated = members.flatMap((member) => member.copies);
  const [notes, copies] = await store.read(async (rows) => [
    await liveRows(rows, kept),
    await liveRows(rows, repeated),
  ]);
  const [first] = notes;
  if (first === undefined) return undefined;
  const { count } = request;
  const size = sizeOf(notes, count);
  const rows = [...notes, ...copies];
  const { text, source } = await summaryOf(notes, size, request);
  const summary = {
    title: `Compacted ${figure(rows.length)} notes on ${family}${wordsOf(notes, family)} (${daysOf(notes)})`,
    content: `${spanOf(notes)} A number in brackets is the id of a note.\n\n${text}`,
    source,
  };
  const after = count(noteText(summary));
  // Copies do not count: whether a summary pays must not depend on how often something was saved.
  if (after > size * LARGEST_SHARE) return undefined;
  const besides = copies.length === 0 ? "" : ` (and ${copies.length} copies of them)`;
  return {
    kind: "topic",
    family,
    ids: rows.map(({ id }) => id),
    ...scopeOf(first),
    summary,
    reason: `${notes.length} notes${besides} share the topic ${family}; the summary cites each by its id.`,
    tokens_before: size + sizeOf(copies, count),
    tokens_after: after,
    rows: rows.map(fingerprint),
  };
}

function sizeOf(rows: readonly Observation[], count: (text: string) => number): number {
  return rows.reduce((sum, row) => sum + count(noteText(row)), 0);
}

function scopeOf({ project, scope, namespace }: Observation) {
  return { project, scope, namespace };
}

/** Rows deleted since they were grouped are left out. */
async function liveRows(rows: ObservationReader, notes: readonly StaleNote[]): Promise<readonly Observation[]> {
  const found = await rows.observations(notes.map(({ id }) => id));
  return found.filter(({ deleted_at }) => deleted_at === null);
}

// The text that stands for the notes of a topic: how large it may be, and what it says of itself. Written by the shared
// summarizers.

/** Of the tokens of the notes. */
const SHARE = 0.45;
const LEAST_TOKENS = 250;
const MOST_TOKENS = 2500;

/** Throws what the summarizer throws. */
function summaryOf(rows: readonly Observation[], size: number, request: PlanCompactionRequest): Promise<Summary> {
  const { summarizer, count, redact = (text: string) => text, strategy = "brief", signal } = request;
  const maxTokens = Math.max(LEAST_TOKENS, Math.min(MOST_TOKENS, Math.floor(size * SHARE)));
  const notes = rows.map((row) => {
    const at = createdAt(row);
    const { id, title, content: text } = row;
    return { id, label: `#${id}`, title, text, ...(at === undefined ? {} : { at: isoTime(at) }) };
  });
  return summarizeNotes({ notes, maxTokens, summarizer, strategy, count, redact, signal });
}

function spanOf(notes: readonly Observation[]): string {
  const days = daysOf(notes);
  return `Stands for ${notes.length} notes ${days.includes(" ") ? `from ${days}` : `of ${days}`}.`;
}

function daysOf(notes: readonly Observation[]): string {
  const day = (note: Observation | undefined) => (note === undefined ? "" : isoTime(createdAt(note) ?? 0).slice(0, 10));
  const [first, last] = [day(notes[0]), day(notes.at(-1))];
  return first === last ? first : `${first} to ${last}`;
}

const MOST_WORDS = 4;
const SHORTEST_WORD = 4;

/** `: cache, timeout`: words of several titles, but those of all and of the family. */
function wordsOf(notes: readonly Observation[], family: string): string {
  const titles = new Map<string, number>();
  for (const { title } of notes)
    for (const word of new Set(wordTokens(title))) titles.set(word, (titles.get(word) ?? 0) + 1);
  const known = new Set(wordTokens(family));
  const words = [...titles].filter(
    ([word, number]) => number > 1 && number < notes.length && word.length >= SHORTEST_WORD && !known.has(word),
  );
  const most = words.sort(([, one], [, other]) => other - one).slice(0, MOST_WORDS);
  return most.length === 0 ? "" : `: ${most.map(([word]) => word).join(", ")}`;
}
