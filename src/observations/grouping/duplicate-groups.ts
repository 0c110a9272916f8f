// Which stale rows are copies of another: every copy says the same as the one row that is kept, so nothing is chained
// from neighbour to neighbour, and exactly one row of each fact stays.
import type { StaleNote } from "./stale-notes.ts";

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
    const group = byFact.get(key);
    if (group === undefined) byFact.set(key, [note]);
    else group.push(note);
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
