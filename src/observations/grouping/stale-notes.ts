// Reads every stale live row once, in pages, and keeps of each only what grouping needs, so that a store of a million
// rows is read without being held. What must be left alone is counted here.
import { hashText } from "../../similarity/min-hash.ts";
import { factKey } from "../../similarity/same-fact.ts";
import { createPacer } from "../../tokens/turns/pacer.ts";
import { createdAt, lastTouched } from "../compaction/row-times.ts";
import { type Observation, SUMMARY_TYPE } from "../observation.ts";
import type { ObservationFilter, ObservationReader } from "../observation-store.ts";

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
}

export interface StaleNotes {
  /** Oldest first, equals by id. */
  readonly notes: readonly StaleNote[];
  readonly living: number;
  readonly summaries: number;
  /** Rows whose time of creation or of the last change cannot be read. */
  readonly unreadable: number;
  /** Texts of the newest notes that are not copies, for the search for look-alikes. */
  readonly texts: ReadonlyMap<number, string>;
}

const PAGE = 500;
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
  const left = { living: 0, summaries: 0, unreadable: 0 };
  const pacer = createPacer();
  let after: { createdAt: number; id: number } | undefined;
  for (;;) {
    const page = await rows.stale({ filter, before, limit: PAGE, ...(after === undefined ? {} : { after }) });
    for (const row of page) {
      after = { createdAt: createdAt(row) ?? before, id: row.id };
      const note = readNote(row, before, left);
      if (note === undefined) continue;
      notes.push(note);
      rememberText(note, row, known, texts);
      if (pacer.isDue()) await pacer.pause();
    }
    if (page.length < PAGE) break;
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
  left: { living: number; summaries: number; unreadable: number },
): StaleNote | undefined {
  const created = createdAt(row);
  const touched = lastTouched(row);
  if (row.type === SUMMARY_TYPE) left.summaries += 1;
  else if (created === undefined || touched === undefined) left.unreadable += 1;
  else {
    const isLiving = touched >= before;
    if (isLiving) left.living += 1;
    return {
      id: row.id,
      createdAt: created,
      place: JSON.stringify([row.project, row.scope, row.namespace]),
      topicKey: row.topic_key === null || row.topic_key.trim() === "" ? null : row.topic_key,
      type: row.type,
      factHash: hashFact(noteText(row)),
      isLiving,
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
