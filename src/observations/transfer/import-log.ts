// Counts what an import leaves out or changes, so that a file of a million faults still gives a short report.
import type { ImportNote } from "./imported-rows.ts";

const MOST_POSITIONS = 20;
const MOST_REASONS = 50;
const MOST_FIELDS = 50;
const LONGEST_FIELD = 60;
const OTHERS = "(other fields)";

export interface ImportLog {
  skip(reason: string, position: string): void;
  note(reason: string, position: string): void;
  drop(field: string, count?: number): void;
  read(): {
    readonly skipped: readonly ImportNote[];
    readonly notes: readonly ImportNote[];
    readonly dropped_fields: Readonly<Record<string, number>>;
  };
}

interface Counted {
  count: number;
  readonly positions: string[];
}

export function createImportLog(): ImportLog {
  const skipped = new Map<string, Counted>();
  const notes = new Map<string, Counted>();
  const fields = new Map<string, number>();
  return {
    skip: (reason, position) => addTo(skipped, reason, position),
    note: (reason, position) => addTo(notes, reason, position),
    drop(field, count = 1) {
      const name = shortName(field);
      const known = fields.has(name) || fields.size < MOST_FIELDS ? name : OTHERS;
      fields.set(known, (fields.get(known) ?? 0) + count);
    },
    read: () => ({ skipped: listed(skipped), notes: listed(notes), dropped_fields: Object.fromEntries(fields) }),
  };
}

/** Both lists as one, equal reasons added up. */
export function joinNotes(first: readonly ImportNote[], second: readonly ImportNote[]): readonly ImportNote[] {
  const joined = new Map<string, ImportNote>();
  for (const note of [...first, ...second]) {
    const before = joined.get(note.reason);
    const positions = [...(before?.positions ?? []), ...note.positions].slice(0, MOST_POSITIONS);
    joined.set(note.reason, { reason: note.reason, count: (before?.count ?? 0) + note.count, positions });
  }
  return [...joined.values()];
}

function addTo(all: Map<string, Counted>, reason: string, position: string): void {
  const name = all.has(reason) || all.size < MOST_REASONS ? reason : "another reason";
  const counted = all.get(name) ?? { count: 0, positions: [] };
  all.set(name, counted);
  counted.count += 1;
  if (counted.positions.length < MOST_POSITIONS) counted.positions.push(position);
}

function listed(all: ReadonlyMap<string, Counted>): ImportNote[] {
  return [...all].map(([reason, { count, positions }]) => ({ reason, count, positions }));
}

/** Names come from the file: made of plain signs, so that they cannot break the report. */
function shortName(field: string): string {
  const plain = field.slice(0, LONGEST_FIELD).replace(/[^\p{L}\p{N}_.:[\]()\- ]/gu, "?");
  return plain === "" ? "(empty name)" : plain;
}
