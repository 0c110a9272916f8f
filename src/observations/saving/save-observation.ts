// Saves one observation, whole, and relates it to others in the same transaction.
import { CompactError } from "../../errors.ts";
import { cutAt } from "../../text/quote.ts";
import { createdAt, DEFAULT_SESSION, type Observation, type Relation, storedTime } from "../observation.ts";
import type { ObservationStore, ObservationWriter } from "../observation-store.ts";
import { addRelation } from "./relations.ts";
import { addSessionOnDemand } from "./sessions.ts";
import {
  exactName,
  namespaceIn,
  normalizedHash,
  normalScope,
  optionalText,
  requiredText,
  topicKeyOf,
} from "./stored-text.ts";

export interface SaveObservationRequest {
  readonly title: string;
  readonly content: string;
  /** Default `manual`. */
  readonly type?: string | undefined;
  /** Default `manual-save`; added when there is none of this id. */
  readonly sessionId?: string | undefined;
  readonly project?: string | undefined;
  /** Default `project`. */
  readonly scope?: string | undefined;
  /** Saving again under the same key, project, scope and namespace replaces the text. */
  readonly topicKey?: string | undefined;
  readonly namespace?: string | undefined;
  readonly toolName?: string | undefined;
  /** Observations it relates to, by `relates_to`. One that cannot be related is reported; the save stands. */
  readonly relateTo?: readonly number[] | undefined;
}

export interface SavedObservation {
  readonly observation: Observation;
  readonly outcome: SaveOutcome;
  readonly relations: readonly Relation[];
  /** The reason reads after the id: "is deleted". */
  readonly refusedRelations: readonly { readonly id: number; readonly reason: string }[];
}

/** @throws InvalidInput for a blank or too long text, and for a namespace where the database has none. */
export async function saveObservation(
  store: ObservationStore,
  request: SaveObservationRequest,
  { now }: { readonly now: number },
): Promise<SavedObservation> {
  const columns = {
    session_id: exactName("session_id", request.sessionId) ?? DEFAULT_SESSION,
    type: optionalText("type", request.type) ?? "manual",
    title: requiredText("title", request.title),
    content: requiredText("content", request.content),
    tool_name: exactName("tool_name", request.toolName),
    project: exactName("project", request.project),
    scope: normalScope(request.scope),
    topic_key: topicKeyOf(request.topicKey),
  };
  return store.write(async (rows) => {
    const namespace = namespaceIn(rows, request.namespace);
    const { id, outcome } = await writeObservation(rows, { ...columns, namespace }, { now, keepsRevisions: true });
    const related = await relateToAll(rows, id, request.relateTo ?? [], now);
    return { observation: await rowOf(rows, id), outcome, ...related };
  });
}

async function relateToAll(rows: ObservationWriter, from: number, targets: readonly number[], now: number) {
  const relations: Relation[] = [];
  const refusedRelations: { id: number; reason: string }[] = [];
  for (const id of new Set(targets)) {
    const relation = { from_id: from, to_id: id, type: "relates_to", note: null, created_at: storedTime(now) };
    try {
      relations.push(await addRelation(rows, relation));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusedRelations.push({ id, reason: REASONS[error.code] ?? error.code });
    }
  }
  return { relations, refusedRelations };
}

const REASONS: Readonly<Record<string, string>> = {
  INVALID_ID: "is no id",
  SELF_RELATION: "is the observation itself",
  UNKNOWN_OBSERVATION: "is not in the store",
  DELETED_OBSERVATION: "is deleted",
  RELATION_EXISTS: "is related already",
};

/** What `addRelation` found wrong with the id, not what failed in the store. */
function isRefusal(error: unknown): error is CompactError {
  return CompactError.isInstance(error) && error.kind !== "StoreFailed";
}

async function rowOf(rows: ObservationWriter, id: number): Promise<Observation> {
  const [row] = await rows.observations([id]);
  if (row !== undefined) return row;
  throw new CompactError("StoreFailed", `observation ${id} was written and is not there`, {
    hint: "Check the database for triggers that remove rows.",
  });
}

// Decides inside a transaction what a save becomes: another revision of its topic, one more sighting of the same text,
// or a new row.

/** Columns in their stored form. */
type WrittenColumns = Pick<
  Observation,
  "session_id" | "type" | "title" | "content" | "tool_name" | "project" | "scope" | "topic_key" | "namespace"
>;

/** `repeated`: the same text was there already and was counted once more. */
type SaveOutcome = "created" | "updated" | "repeated";

interface WriteOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** How long ago the same text counts as the same observation, in milliseconds. Default 15 minutes. */
  readonly repeatsWithin?: number;
  /** The text that a new revision of a topic replaces stays as a deleted row, so that a save loses nothing. */
  readonly keepsRevisions?: boolean;
}

const REPEATS_WITHIN = 15 * 60_000;

export async function writeObservation(
  rows: ObservationWriter,
  columns: WrittenColumns,
  { now, repeatsWithin = REPEATS_WITHIN, keepsRevisions = false }: WriteOptions,
): Promise<{ readonly id: number; readonly outcome: SaveOutcome }> {
  const hashed = { ...columns, normalized_hash: normalizedHash(columns.content) };
  const { topic_key, project, scope, namespace } = columns;
  const topic = topic_key === null ? undefined : await rows.ofTopic(topic_key, project, scope, namespace);
  if (topic !== undefined) {
    const isOther = topic.title !== hashed.title || topic.content !== hashed.content;
    if (keepsRevisions && isOther) await keepRevision(rows, topic, now);
    return { id: await revise(rows, topic, hashed, now), outcome: "updated" };
  }
  const same = (await rows.equals(hashed, "live")).find(
    (row) => (createdAt(row) ?? Number.NaN) >= now - repeatsWithin && (topic_key === null || row.topic_key === null),
  );
  if (same !== undefined) return { id: await countRepetition(rows, same, topic_key, now), outcome: "repeated" };
  return { id: await addNew(rows, hashed, now), outcome: "created" };
}

type HashedColumns = WrittenColumns & { readonly normalized_hash: string };

/** As it was, but deleted: found with `include_compacted`, and brought back by a restore. */
async function keepRevision(rows: ObservationWriter, { id: _, ...topic }: Observation, now: number): Promise<void> {
  await rows.addObservation({ ...topic, deleted_at: storedTime(now) });
}

/** Creation time and session stay those of the first text. */
async function revise(rows: ObservationWriter, topic: Observation, columns: HashedColumns, now: number) {
  const { type, title, content, tool_name, normalized_hash } = columns;
  await rows.changeObservations([topic.id], {
    ...{ type, title, content, tool_name, normalized_hash },
    revision_count: topic.revision_count + 1,
    last_seen_at: storedTime(now),
    updated_at: storedTime(now),
  });
  return topic.id;
}

/** A topic that came with the repetition is kept: the row had none. */
async function countRepetition(rows: ObservationWriter, same: Observation, topicKey: string | null, now: number) {
  await rows.changeObservations([same.id], {
    topic_key: same.topic_key ?? topicKey,
    duplicate_count: same.duplicate_count + 1,
    last_seen_at: storedTime(now),
    updated_at: storedTime(now),
  });
  return same.id;
}

/** A row that was never there before, with its session where that is new, too. */
export async function addNew(rows: ObservationWriter, columns: HashedColumns, now: number): Promise<number> {
  const at = storedTime(now);
  await addSessionOnDemand(rows, columns.session_id, columns.project, at);
  return rows.addObservation({
    ...columns,
    revision_count: 1,
    duplicate_count: 1,
    last_seen_at: null,
    created_at: at,
    updated_at: at,
    deleted_at: null,
  });
}

// Suggests the topic under which a later save would replace this one: a family by type, and a slug of the title.

const FAMILIES: Readonly<Record<string, string>> = { bugfix: "bug", fix: "bug", manual: "topic", passive: "learning" };
const LONGEST_SLUG = 60;
/** Enough words for a slug; a title may be a whole page. */
const LONGEST_READ = 1000;

interface TopicSource {
  readonly type?: string | undefined;
  readonly title?: string | undefined;
  /** Read where the title has no letters or numbers. */
  readonly content?: string | undefined;
}

/** `family/slug`, in lower case, without white space. */
export function suggestTopicKey({ type = "manual", title = "", content = "" }: TopicSource): string {
  return `${familyOfType(type)}/${slug(title) || slug(content) || "untitled"}`;
}

/** Under which the topics of all rows of a type stand, whatever they are about. */
export function familyOfType(type: string): string {
  const kind = slug(type) || "manual";
  return FAMILIES[kind] ?? kind;
}

/** Whole words of any script joined by hyphens, as many as fit. */
function slug(text: string): string {
  const plain = cutAt(text, LONGEST_READ).normalize("NFKD").replace(/\p{M}/gu, "").normalize("NFC").toLowerCase();
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  let joined = cutAt(words[0] ?? "", LONGEST_SLUG);
  for (const word of words.slice(1)) {
    if (joined.length + 1 + word.length > LONGEST_SLUG) break;
    joined += `-${word}`;
  }
  return joined;
}

// Saves each thing that a text says was learned as an observation of its own; what is known already is only counted.

interface CaptureLearningsRequest {
  readonly content: string;
  readonly sessionId?: string | undefined;
  readonly project?: string | undefined;
  readonly scope?: string | undefined;
  readonly namespace?: string | undefined;
  /** Where the text comes from, such as the name of a tool. */
  readonly source?: string | undefined;
}

interface CapturedLearnings {
  readonly extracted: number;
  /** Ids of new observations. */
  readonly saved: readonly number[];
  /** Ids of observations that said the same before. */
  readonly duplicates: readonly number[];
}

const LONGEST_TITLE = 80;

/** @throws InvalidInput for a blank or too long text, and for a namespace where the database has none. */
export async function captureLearnings(
  store: ObservationStore,
  request: CaptureLearningsRequest,
  { now }: { readonly now: number },
): Promise<CapturedLearnings> {
  // Private parts go before the text is taken apart: one may hold several items.
  const items = learnedItems(requiredText("content", request.content));
  return store.write(async (rows) => {
    const place = {
      session_id: exactName("session_id", request.sessionId) ?? DEFAULT_SESSION,
      type: "passive",
      tool_name: optionalText("source", request.source),
      project: exactName("project", request.project),
      scope: normalScope(request.scope),
      topic_key: null,
      namespace: namespaceIn(rows, request.namespace),
    };
    const saved: number[] = [];
    const duplicates: number[] = [];
    for (const content of items) {
      const columns = { ...place, title: cutAt(content, LONGEST_TITLE), content };
      const { id, outcome } = await writeObservation(rows, columns, { now, repeatsWithin: Number.POSITIVE_INFINITY });
      (outcome === "created" ? saved : duplicates).push(id);
    }
    return { extracted: items.length, saved, duplicates };
  });
}

// Finds what a text says was learned: the items of the lists under a heading "Key Learnings", in English or Spanish.

const HEADING = /^ {0,3}#{1,6}\s/u;
/** As a heading, in bold, or as a line of its own that ends in a colon. */
const LEARNINGS =
  /^ {0,3}(?:#{1,6}\s{1,9}(?:\*\*)?LEARNINGS:?(?:\*\*)?:?|\*\*LEARNINGS:?\*\*:?|LEARNINGS:)[\s#]{0,20}$/u.source;
const TITLE = new RegExp(LEARNINGS.replaceAll("LEARNINGS", "(?:key learnings|aprendizajes clave)"), "iu");
const ITEM = /^\s{0,40}(?:[-*+]|\d{1,4}[.)])\s{1,9}(\S.*)$/u;
const INDENTED = /^\s/u;

/** In their order; a repeated one once. */
export function learnedItems(text: string): readonly string[] {
  const items: string[] = [];
  let isLearned = false;
  let isOpen = false;
  for (const line of text.split(/\r\n|\n|\r/u)) {
    if (TITLE.test(line)) isLearned = true;
    else if (HEADING.test(line)) isLearned = false;
    const item = isLearned ? ITEM.exec(line)?.[1] : undefined;
    if (item !== undefined) items.push(item.trim());
    // A line that is indented under an item belongs to it.
    else if (isOpen && isLearned && INDENTED.test(line) && line.trim() !== "")
      items.push(`${items.pop() ?? ""} ${line.trim()}`);
    isOpen = item !== undefined || (isOpen && INDENTED.test(line) && line.trim() !== "");
  }
  return [...new Set(items)];
}
