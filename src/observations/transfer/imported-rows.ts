// What a file of memories holds, whichever format it came in: rows as the store has them, named by the file's own ids.
// Which of them the store has already, and under which ids, is import-observations.ts.
import type { NewObservation, Prompt, Relation, Session } from "../observation.ts";

/** The tool name of rows that were entities of a knowledge graph. */
export const KNOWLEDGE_GRAPH = "knowledge-graph";

/** A time is absent where the file has none that can be read: the time of the import takes its place. */
export type UndatedObservation = Omit<NewObservation, "id" | "created_at" | "updated_at" | "deleted_at"> & {
  readonly created_at: string | undefined;
  readonly updated_at: string | undefined;
  readonly deleted_at: string | null | undefined;
};

/** What tells a row from others when ids say nothing. */
export interface RowIdentity {
  readonly id: number | undefined;
  readonly session_id: string;
  readonly created_at: string | undefined;
  readonly normalized_hash: string;
  readonly type: string;
  readonly title: string;
  readonly project: string | null;
  readonly scope: string;
  readonly namespace: string | null;
}

export interface ImportedObservation {
  /** Where it stands: `line 3`, `observations[2]`. */
  readonly position: string;
  /** What the relations of the file call it. */
  readonly key: string | undefined;
  /** The id to keep where it is free. */
  readonly id: number | undefined;
  /** Its own hash may be null: the row had none. */
  readonly row: UndatedObservation;
  /** The hash of the content. */
  readonly hash: string;
  /** Of equal rows, some of which may stand in other parts of the same export: the how many-th it is. */
  readonly nth?: number | undefined;
  /** `entity`: the same name and type are the same row, and its list of facts grows. */
  readonly kind: "row" | "entity";
}

export interface ImportedPrompt {
  readonly position: string;
  readonly id: number | undefined;
  readonly row: Omit<Prompt, "id" | "created_at"> & { readonly created_at: string | undefined };
}

export interface ImportedSession {
  readonly position: string;
  readonly row: Omit<Session, "started_at"> & { readonly started_at: string | undefined };
}

/** One end of a relation: the key of a row in the file, and what is known of a row that is not in it. */
export interface ImportedEnd {
  readonly key: string;
  /** As the file tells it of a row that is not in it; null for a live one, undefined where it does not say. */
  readonly deleted_at?: string | null | undefined;
  readonly identity?: RowIdentity;
}

export interface ImportedRelation extends Pick<Relation, "type" | "note"> {
  readonly position: string;
  readonly from: ImportedEnd;
  readonly to: ImportedEnd;
  readonly created_at: string | undefined;
}

/** Something said once for many items: why, how often, and where the first 20 stand. */
export interface ImportNote {
  readonly reason: string;
  readonly count: number;
  readonly positions: readonly string[];
}

export interface ImportedRows {
  /** The reader's name. */
  readonly format: string;
  /** True for a text that may be a part of an export: equal rows may stand in its other parts. */
  readonly isPart?: boolean | undefined;
  readonly sessions: readonly ImportedSession[];
  readonly observations: readonly ImportedObservation[];
  readonly prompts: readonly ImportedPrompt[];
  readonly relations: readonly ImportedRelation[];
  /** Names of fields that no column can take, with the number of items that had them. At most 50 names. */
  readonly dropped_fields: Readonly<Record<string, number>>;
  /** Items that are not imported. */
  readonly skipped: readonly ImportNote[];
  /** Items that are imported, but not as they were written. */
  readonly notes: readonly ImportNote[];
}

// The contract of an import format. Adding one is one file that implements `RowReader` and its line in read-rows.ts.

export interface PlacedValue {
  readonly value: unknown;
  /** `line 3`, `item 4`; empty for the one value of a JSON text. */
  readonly position: string;
}

export interface Fault {
  readonly reason: string;
  readonly position: string;
}

/** A text taken apart: the items of one JSON array, one JSON value, or the values of JSON Lines. */
export interface ReadText {
  readonly values: readonly PlacedValue[];
  /** True for a JSON text that is one object. */
  readonly isObject: boolean;
  /** Lines that are not JSON. */
  readonly faults: readonly Fault[];
}

export interface RowReader {
  /** As `format` takes it. */
  readonly name: string;
  /** What a message to the user calls such a text, without an article. */
  readonly title: string;
  /** Looks at shapes only; a text matches when one of its values is surely of this format. */
  matches(text: ReadText): boolean;
  /** Never throws: what is not understood is skipped and said. */
  read(text: ReadText): ImportedRows;
}

// Counts what an import leaves out or changes, so that a file of a million faults still gives a short report.

const MOST_POSITIONS = 20;
const MOST_REASONS = 50;
const MOST_FIELDS = 50;
const LONGEST_FIELD = 60;
const OTHERS = "(other fields)";

export interface ImportLog {
  skip(reason: string, position: string): void;
  note(reason: string, position: string): void;
  drop(field: string): void;
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

type Counts = ReturnType<ImportLog["read"]>;

/** Goes on from what was counted before. */
export function createImportLog(before: Counts = { skipped: [], notes: [], dropped_fields: {} }): ImportLog {
  const skipped = countedOf(before.skipped);
  const notes = countedOf(before.notes);
  const fields = new Map(Object.entries(before.dropped_fields));
  return {
    skip: (reason, position) => addTo(skipped, reason, position),
    note: (reason, position) => addTo(notes, reason, position),
    drop(field) {
      const name = shortName(field);
      const known = fields.has(name) || fields.size < MOST_FIELDS ? name : OTHERS;
      fields.set(known, (fields.get(known) ?? 0) + 1);
    },
    read: () => ({ skipped: listed(skipped), notes: listed(notes), dropped_fields: Object.fromEntries(fields) }),
  };
}

function countedOf(notes: readonly ImportNote[]): Map<string, Counted> {
  return new Map(notes.map(({ reason, count, positions }) => [reason, { count, positions: [...positions] }]));
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

// The content of an entity: its facts as a list, and back, so that a list can be told from one that has grown.

const FACT_MARK = "- ";

/** One fact a line; further lines of a fact are indented, so that none begins as the next fact does. */
export function factList(facts: readonly string[]): string {
  return facts.map((fact) => FACT_MARK + fact.replace(/\r\n?|\n/g, "\n  ")).join("\n");
}

/** The facts of a content as `factList` wrote them. */
export function factsOf(content: string): readonly string[] {
  return content === "" ? [] : `\n${content}`.split(`\n${FACT_MARK}`).slice(1);
}

/** The first list with the facts of the second that it lacks at its end. The first itself where it lacks none. */
export function joinFacts(first: string, second: string): string {
  const known = new Set(factsOf(first));
  const added = factsOf(second).filter((fact) => !known.has(fact));
  if (added.length === 0) return first;
  return [first, ...added.map((fact) => FACT_MARK + fact)].filter((part) => part !== "").join("\n");
}
