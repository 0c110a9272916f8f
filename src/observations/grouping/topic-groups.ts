// Which stale rows are of one topic: their keys share everything but the last segment. Copies of a row go where the row
// that is kept for them goes, so a row is in one group at most.
import type { DuplicateGroup } from "./duplicate-groups.ts";
import type { StaleNote } from "./stale-notes.ts";

/** A row, and the copies it is kept for. */
export interface TopicMember {
  readonly note: StaleNote;
  readonly copies: readonly StaleNote[];
}

export interface TopicGroup {
  readonly family: string;
  readonly place: string;
  /** Oldest first. */
  readonly members: readonly TopicMember[];
}

const LEAST = 3;
const MOST = 200;

/** `sdd/payments` for `sdd/payments/spec`; a key of one segment is a family of its own. */
export function familyOf(topicKey: string): string {
  const at = topicKey.lastIndexOf("/");
  return at <= 0 ? topicKey : topicKey.slice(0, at);
}

/** Families of at least three rows, in groups of at most 200, about equal in size. Living documents stay out. */
export function groupTopics(notes: readonly StaleNote[], duplicates: readonly DuplicateGroup[]): readonly TopicGroup[] {
  const copiesOf = new Map(duplicates.map(({ kept, copies }) => [kept.id, copies]));
  const isCopy = new Set(duplicates.flatMap(({ copies }) => copies.map(({ id }) => id)));
  const families = new Map<string, TopicMember[]>();
  for (const note of notes) {
    if (note.topicKey === null || note.isLiving || isCopy.has(note.id)) continue;
    const key = JSON.stringify([familyOf(note.topicKey), note.place]);
    const member = { note, copies: copiesOf.get(note.id) ?? [] };
    const family = families.get(key);
    if (family === undefined) families.set(key, [member]);
    else family.push(member);
  }
  return [...families].flatMap(([key, members]) => {
    const [family = "", place = ""] = JSON.parse(key) as string[];
    return members.length < LEAST ? [] : split(members).map((part) => ({ family, place, members: part }));
  });
}

function split(members: readonly TopicMember[]): readonly (readonly TopicMember[])[] {
  const size = Math.ceil(members.length / Math.ceil(members.length / MOST));
  const parts: TopicMember[][] = [];
  for (let from = 0; from < members.length; from += size) parts.push(members.slice(from, from + size));
  return parts;
}
