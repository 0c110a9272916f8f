// Reads every stale live row once, in pages, and keeps of each only what grouping needs, so that a store of a million
// rows is read without being held. What must be left alone is counted here.
import { findNearDuplicates, hashText } from "../../similarity/near-duplicates.ts";
import { differenceOf, factKey } from "../../similarity/same-fact.ts";
import { pushTo } from "../../text/words.ts";
import { createPacer } from "../../tokens/stepwise.ts";
import { createdAt, isStanding, lastTouched, type Observation, SUMMARY_TYPE } from "../observation.ts";
import type { ObservationFilter, ObservationReader } from "../observation-store.ts";
import { chunksOf, PAGE } from "../pages.ts";
import { familyOfType } from "../saving/save-observation.ts";

/** A stale row, as far as it matters for grouping. */
export interface StaleNote {
  readonly id: number;
  readonly createdAt: number;
  /** Equal for rows of one project, scope and namespace, and for no others; the case of letters counts. */
  readonly place: string;
  readonly type: string;
  readonly topicKey: string | null;
  /** Equal for rows whose texts say the same; told apart by the texts themselves before anything is planned. */
  readonly factHash: string;
  /** Updated within the window: it may be kept for others, and never leaves. */
  readonly isLiving: boolean;
  /** A preference, a policy or a rule: only a copy of it may leave. */
  readonly isStanding: boolean;
}

interface StaleNotes {
  /** Oldest first, equals by id. */
  readonly notes: readonly StaleNote[];
  readonly living: number;
  readonly summaries: number;
  /** Preferences, policies, rules. */
  readonly standing: number;
  /** Rows whose time of creation or of the last change cannot be read. */
  readonly unreadable: number;
  /** Texts of the newest notes that are not copies, for the search for look-alikes. */
  readonly texts: ReadonlyMap<number, string>;
}

const MOST_TEXTS = 10_000;
const LONGEST_TEXT = 20_000;

export async function readStaleNotes(
  rows: ObservationReader,
  filter: ObservationFilter,
  before: number,
): Promise<StaleNotes> {
  const notes: StaleNote[] = [];
  const texts = new Map<number, string>();
  const known = new Set<string>();
  const left = { living: 0, summaries: 0, standing: 0, unreadable: 0 };
  const pacer = createPacer();
  let after: { createdAt: number; id: number } | undefined;
  for (let isLast = false; !isLast; ) {
    const page = await rows.stale({ filter, before, limit: PAGE, after });
    isLast = page.length < PAGE;
    for (const row of page) {
      after = { createdAt: createdAt(row) ?? before, id: row.id };
      const note = readNote(row, before, left);
      if (note === undefined) continue;
      notes.push(note);
      rememberText(note, row, known, texts);
      if (pacer.isDue()) await pacer.pause();
    }
  }
  const { unreadable } = await rows.surveyStale(filter, [before]);
  return { notes, texts, ...left, unreadable: left.unreadable + unreadable.count };
}

/** What a row says: what is compared, counted and summarized. */
export function noteText({ title, content }: Pick<Observation, "title" | "content">): string {
  return title.trim() === "" ? content : `${title}\n\n${content}`;
}

function readNote(
  row: Observation,
  before: number,
  left: { living: number; summaries: number; standing: number; unreadable: number },
): StaleNote | undefined {
  const created = createdAt(row);
  const touched = lastTouched(row);
  if (row.type === SUMMARY_TYPE) left.summaries += 1;
  else if (created === undefined || touched === undefined) left.unreadable += 1;
  else {
    const isLiving = touched >= before;
    const stands = isStanding(row);
    if (isLiving) left.living += 1;
    else if (stands) left.standing += 1;
    return {
      id: row.id,
      createdAt: created,
      place: JSON.stringify([row.project, row.scope, row.namespace]),
      topicKey: row.topic_key === null || row.topic_key.trim() === "" ? null : row.topic_key,
      type: row.type,
      factHash: hashFact(noteText(row)),
      isLiving,
      isStanding: stands,
    };
  }
  return undefined;
}

/** 64 bits and the length of what is said. */
function hashFact(text: string): string {
  const key = factKey(text);
  return `${hashText(key).toString(36)}.${hashText(`${key}\0`).toString(36)}.${key.length}`;
}

function rememberText(note: StaleNote, row: Observation, known: Set<string>, texts: Map<number, string>): void {
  const key = `${note.place}${note.factHash}`;
  if (known.has(key)) return;
  known.add(key);
  const text = noteText(row);
  if (text.length > LONGEST_TEXT) return;
  texts.set(note.id, text);
  if (texts.size > MOST_TEXTS) for (const oldest of texts.keys()) return void texts.delete(oldest);
}

// Which stale rows are copies of another: every copy says the same as the one row that is kept, so nothing is chained
// from neighbour to neighbour, and exactly one row of each fact stays.

export interface DuplicateGroup {
  readonly kept: StaleNote;
  /** Oldest first. */
  readonly copies: readonly StaleNote[];
}

/**
 * Groups of one place, one fact and one topic: a row without a topic joins the rows that have one, rows of two topics
 * stay apart, since each is what its topic finds.
 */
export function groupDuplicates(notes: readonly StaleNote[]): readonly DuplicateGroup[] {
  const byFact = new Map<string, StaleNote[]>();
  for (const note of notes) {
    // Whoever looks for a decision does not find the same words filed as a bugfix.
    const key = `${note.place} ${JSON.stringify(note.type)} ${note.factHash}`;
    pushTo(byFact, key, note);
  }
  return [...byFact.values()].flatMap((group) => (group.length < 2 ? [] : byTopic(group)));
}

function byTopic(notes: readonly StaleNote[]): readonly DuplicateGroup[] {
  const groups: DuplicateGroup[] = [];
  let rest: readonly StaleNote[] = [...notes].sort(newestLast);
  for (let kept = choose(rest); kept !== undefined; kept = choose(rest)) {
    const { id, topicKey } = kept;
    const joins = (note: StaleNote) => note.id === id || note.topicKey === null || note.topicKey === topicKey;
    const copies = rest.filter((note) => note.id !== id && joins(note) && !note.isLiving);
    if (copies.length > 0) groups.push({ kept, copies });
    rest = rest.filter((note) => !joins(note));
  }
  return groups;
}

/** The newest that has a topic, else the newest: what is looked up by its topic is not found in a row without one. */
function choose(notes: readonly StaleNote[]): StaleNote | undefined {
  return notes.findLast(({ topicKey }) => topicKey !== null) ?? notes.at(-1);
}

function newestLast(a: StaleNote, b: StaleNote): number {
  return a.createdAt - b.createdAt || a.id - b.id;
}

// Which stale rows are of one topic: their keys share everything but the last segment. Copies of a row go where the row
// that is kept for them goes, so a row is in one group at most.

/** A row, and the copies it is kept for. */
interface TopicMember {
  readonly note: StaleNote;
  readonly copies: readonly StaleNote[];
}

export interface TopicGroup {
  readonly family: string;
  readonly place: string;
  /** Oldest first. */
  readonly members: readonly TopicMember[];
}

const LEAST_OF_TOPIC = 3;
const MOST_OF_TOPIC = 200;

/** `sdd/payments` for `sdd/payments/spec`; a key of one segment is a family of its own. */
export function familyOf(topicKey: string): string {
  const at = topicKey.lastIndexOf("/");
  return at <= 0 ? topicKey : topicKey.slice(0, at);
}

/**
 * Families of at least three rows, in groups of at most 200, about equal in size. Living documents and rules stay out, and
 * so do families that are a type's: what bugs have in common is to be bugs.
 */
export function groupTopics(notes: readonly StaleNote[], duplicates: readonly DuplicateGroup[]): readonly TopicGroup[] {
  const copiesOf = new Map(duplicates.map(({ kept, copies }) => [kept.id, copies]));
  const isCopy = new Set(duplicates.flatMap(({ copies }) => copies.map(({ id }) => id)));
  const ofTypes = new Set(notes.flatMap(({ type }) => [type, familyOfType(type)]));
  const families = new Map<string, TopicMember[]>();
  for (const note of notes) {
    if (note.topicKey === null || note.isLiving || note.isStanding || isCopy.has(note.id)) continue;
    if (note.topicKey.includes("/") && ofTypes.has(familyOf(note.topicKey))) continue;
    const key = JSON.stringify([familyOf(note.topicKey), note.place]);
    pushTo(families, key, { note, copies: copiesOf.get(note.id) ?? [] });
  }
  return [...families].flatMap(([key, members]) => {
    const [family = "", place = ""] = JSON.parse(key) as string[];
    return members.length < LEAST_OF_TOPIC ? [] : split(members).map((part) => ({ family, place, members: part }));
  });
}

function split(members: readonly TopicMember[]): readonly (readonly TopicMember[])[] {
  return chunksOf(members, Math.ceil(members.length / Math.ceil(members.length / MOST_OF_TOPIC)));
}

// Finds stale rows that look nearly alike and are different facts: they are left alone, and named, so that a person can
// see what was not merged and why.

interface LookAlikes {
  readonly count: number;
  /** At most 20. `differ_in` is the gravest difference. */
  readonly pairs: readonly { readonly ids: readonly number[]; readonly differ_in: string }[];
}

const MOST_SHOWN = 20;

/** Pairs of one project, scope and namespace. */
export function findLookAlikes(notes: readonly StaleNote[], texts: ReadonlyMap<number, string>): LookAlikes {
  const compared = notes.filter(({ id }) => texts.has(id));
  const pairs: { ids: readonly number[]; differ_in: string }[] = [];
  let count = 0;
  const textOf = (note: StaleNote) => texts.get(note.id) ?? "";
  for (const { first, second } of findNearDuplicates(compared.map(textOf))) {
    const [a, b] = [compared[first], compared[second]];
    if (a === undefined || b === undefined || a.place !== b.place || a.factHash === b.factHash) continue;
    count += 1;
    if (pairs.length < MOST_SHOWN)
      pairs.push({ ids: [a.id, b.id], differ_in: differenceOf(textOf(a), textOf(b)) ?? "wording" });
  }
  return { count, pairs };
}
