// What a file of memories holds, whichever format it came in: rows as the store has them, named by the file's own ids.
// Which of them the store has already, and under which ids, is importing/.
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
