// Plans a compaction that nobody has to choose for: copies of one fact leave in favour of one row, notes of one topic
// in favour of a summary. Reads only; the summaries are written here, so that apply waits for nothing.
import { attempt, emitDone } from "../../engine/attempt.ts";
import { saysTheSame } from "../../similarity/same-fact.ts";
import { type SummarizedNote, summarizeNotes } from "../../summaries/notes.ts";
import type { Strategy, Summarizer, Summary } from "../../summaries/summarizer.ts";
import { DAY_MS, isoTime } from "../../time.ts";
import { createdAt, type Observation } from "../observation.ts";
import type { ObservationReader, ObservationStore } from "../observation-store.ts";
import {
  type CompactionOptions,
  type CompactionPlan,
  fingerprint,
  OBSERVATIONS,
  type PlannedDuplicates,
  type PlannedTopic,
  sealPlan,
} from "./compaction-plan.ts";
import { readDays, staleFilter } from "./find-stale.ts";
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

export interface PlanCompactionRequest {
  /** Rows created more than this many times 24 hours ago are stale. Above 0. */
  readonly olderThanDays: unknown;
  /** Exact name. Absent or blank: all. */
  readonly project?: string | undefined;
  /** `project` or `personal`. Absent or blank: both. */
  readonly scope?: string | undefined;
  readonly namespace?: string | undefined;
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
 * @throws InvalidInput for an age that is none; SummarizationFailed; StoreFailed.
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
  const filter = staleFilter(request);
  const kinds = new Set<GroupKind>(request.groups ?? ["near_duplicates", "topic"]);
  const { notes, texts, ...left } = await store.read((rows) =>
    readStaleNotes(rows, filter, now - olderThanDays * DAY_MS),
  );
  const duplicates = kinds.has("near_duplicates") ? groupDuplicates(notes) : [];
  const topics = kinds.has("topic") ? groupTopics(notes, duplicates) : [];
  const { planned, notBeneficial } = await planTopics(store, topics, request);
  const leaving = new Set(planned.flatMap(({ ids }) => ids));
  const apart = duplicates.filter(({ kept }) => !leaving.has(kept.id));
  const groups = [...(await planDuplicates(store, apart, request.count)), ...planned];
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

// Turns groups into entries of a plan: reads their rows once more, counts them, has summaries written, and drops what
// turns out not to say the same or not to become shorter.

type Count = (text: string) => number;

/** A summary that saves less is not worth its losses; it is never longer than what it replaces. */
const LARGEST_SHARE = 0.75;
/** Ids of one query. */
const PAGE = 500;

export async function planDuplicates(
  store: ObservationStore,
  groups: readonly DuplicateGroup[],
  count: Count,
): Promise<readonly PlannedDuplicates[]> {
  const planned: PlannedDuplicates[] = [];
  for (const { kept, copies } of groups) {
    const [keptRow, ...copyRows] = await store.read((rows) => liveRows(rows, [kept, ...copies]));
    if (keptRow === undefined || keptRow.id !== kept.id) continue;
    const text = noteText(keptRow);
    const same = copyRows.filter((row) => saysTheSame(noteText(row), text));
    if (same.length > 0) planned.push(duplicatesEntry(keptRow, same, count));
  }
  return planned;
}

function duplicatesEntry(kept: Observation, copies: readonly Observation[], count: Count): PlannedDuplicates {
  const after = count(noteText(kept));
  const copied = copies.reduce((sum, row) => sum + count(noteText(row)), 0);
  const what = copies.length === 1 ? "1 row says" : `${copies.length.toLocaleString("en-US")} rows say`;
  return {
    kind: "near_duplicates",
    kept: kept.id,
    ids: copies.map(({ id }) => id),
    ...placeOf(kept),
    reason: `${what} the same as #${kept.id}, which is kept.`,
    tokens_before: after + copied,
    tokens_after: after,
    rows: [kept, ...copies].map(fingerprint),
  };
}

export interface TopicRequest {
  readonly summarizer: Summarizer;
  readonly count: Count;
  readonly strategy?: Strategy | undefined;
  readonly redact?: ((text: string) => string) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface PlannedTopics {
  readonly planned: readonly PlannedTopic[];
  readonly notBeneficial: readonly { readonly family: string; readonly ids: readonly number[] }[];
}

export async function planTopics(
  store: ObservationStore,
  groups: readonly TopicGroup[],
  request: TopicRequest,
): Promise<PlannedTopics> {
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
  request: TopicRequest,
): Promise<PlannedTopic | undefined> {
  const { count, summarizer, strategy = "brief", redact = (text: string) => text, signal } = request;
  const { notes, copies } = await store.read(async (rows) => ({
    notes: await liveRows(
      rows,
      members.map(({ note }) => note),
    ),
    copies: await liveRows(
      rows,
      members.flatMap((member) => member.copies),
    ),
  }));
  const [first] = notes;
  if (first === undefined) return undefined;
  const sizes = (rows: readonly Observation[]) => rows.reduce((sum, row) => sum + count(noteText(row)), 0);
  const size = sizes(notes);
  const summary = await summarizeTopic({
    family,
    notes,
    copies: copies.length,
    summarizer,
    strategy,
    count,
    redact,
    signal,
  });
  const after = count(noteText(summary));
  // Copies do not count: whether a summary pays must not depend on how often something was saved.
  if (after > size * LARGEST_SHARE) return undefined;
  const rows = [...notes, ...copies];
  return {
    kind: "topic",
    family,
    ids: rows.map(({ id }) => id),
    ...placeOf(first),
    summary,
    reason: reasonOf(family, notes.length, copies.length),
    tokens_before: size + sizes(copies),
    tokens_after: after,
    rows: rows.map(fingerprint),
  };
}

function reasonOf(family: string, notes: number, copies: number): string {
  const besides = copies === 0 ? "" : ` (and ${copies} copies of them)`;
  return `${notes} notes${besides} share the topic ${family}; the summary cites each by its id.`;
}

function placeOf({ project, scope, namespace }: Observation) {
  return { project, scope, namespace };
}

/** Rows deleted since they were grouped are left out. */
async function liveRows(rows: ObservationReader, notes: readonly StaleNote[]): Promise<readonly Observation[]> {
  const found: Observation[] = [];
  for (let from = 0; from < notes.length; from += PAGE) {
    const page = await rows.observations(notes.slice(from, from + PAGE).map(({ id }) => id));
    for (const row of page) if (row.deleted_at === null) found.push(row);
  }
  return found;
}

// The text that stands for the notes of a topic: how large it may be, and what it says of itself. Written by the shared
// summarizers.

export interface TopicSummaryRequest {
  readonly family: string;
  /** Oldest first, no two of them copies. */
  readonly notes: readonly Observation[];
  /** Copies that leave with them. */
  readonly copies: number;
  readonly summarizer: Summarizer;
  readonly strategy: Strategy;
  readonly count: (text: string) => number;
  readonly redact: (text: string) => string;
  readonly signal?: AbortSignal | undefined;
}

export interface TopicSummary {
  readonly title: string;
  readonly content: string;
  readonly source: Summary["source"];
}

/** Of the tokens of the notes. */
const SHARE = 0.45;
const LEAST_TOKENS = 250;
const MOST_TOKENS = 2500;

/** Throws what the summarizer throws. */
export async function summarizeTopic(request: TopicSummaryRequest): Promise<TopicSummary> {
  const { notes, family, copies, summarizer, count, redact, strategy, signal } = request;
  const size = notes.reduce((sum, note) => sum + count(noteText(note)), 0);
  const maxTokens = Math.max(LEAST_TOKENS, Math.min(MOST_TOKENS, Math.floor(size * SHARE)));
  const summarized = notes.map(summarizedNote);
  const { text, source } = await summarizeNotes({
    notes: summarized,
    maxTokens,
    summarizer,
    strategy,
    count,
    redact,
    signal,
  });
  const number = (notes.length + copies).toLocaleString("en-US");
  return {
    title: `Compacted ${number} notes on ${family}`,
    content: `${spanOf(notes)} A number in brackets is the id of a note.\n\n${text}`,
    source,
  };
}

function summarizedNote(row: Observation): SummarizedNote {
  const { id, title, content } = row;
  const at = createdAt(row);
  return { id, label: `#${id}`, title, text: content, ...(at === undefined ? {} : { at: isoTime(at) }) };
}

function spanOf(notes: readonly Observation[]): string {
  const day = (note: Observation | undefined) => (note === undefined ? "" : isoTime(createdAt(note) ?? 0).slice(0, 10));
  const [first, last] = [day(notes[0]), day(notes.at(-1))];
  return `Stands for ${notes.length} notes ${first === last ? `of ${first}` : `from ${first} to ${last}`}.`;
}
