// Turns groups into entries of a plan: reads their rows once more, counts them, has summaries written, and drops what
// turns out not to say the same or not to become shorter.
import { saysTheSame } from "../../similarity/same-fact.ts";
import type { Strategy, Summarizer } from "../../summaries/summarizer.ts";
import type { Observation } from "../observation.ts";
import type { ObservationReader, ObservationStore } from "../observation-store.ts";
import type { DuplicateGroup } from "./duplicate-groups.ts";
import type { PlannedDuplicates, PlannedTopic } from "./plan-schema.ts";
import { fingerprint } from "./row-fingerprint.ts";
import { noteText, type StaleNote } from "./stale-notes.ts";
import { summarizeTopic } from "./summarize-topic.ts";
import type { TopicGroup } from "./topic-groups.ts";

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
