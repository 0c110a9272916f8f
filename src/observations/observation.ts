// What a memory store holds: the rows of the reference schema, named as its columns are, so that an export, a tool's
// structured answer and the table say the same.
import { findRuleSentences } from "../facts/rules.ts";
import { readTime } from "../time.ts";

type RowOf<Columns> = {
  readonly [Name in keyof Columns]: Columns[Name] extends "number"
    ? number
    : Columns[Name] extends "text"
      ? string
      : string | null;
};

/** The columns of each kind of row, in the order in which exports have them. */
export const COLUMNS = {
  sessions: {
    id: "text",
    project: "text",
    directory: "text",
    started_at: "text",
    ended_at: "text or null",
    summary: "text or null",
  },
  observations: {
    id: "number",
    session_id: "text",
    /** `decision`, `bugfix`, `manual`, `compaction_summary`, ...: free text. */
    type: "text",
    title: "text",
    content: "text",
    tool_name: "text or null",
    project: "text or null",
    /** `project` or `personal`. */
    scope: "text",
    /** At most one live row a topic, project, scope and namespace: saving again replaces it. */
    topic_key: "text or null",
    /** Always null in a database without the column. */
    namespace: "text or null",
    /** SHA-256 of the content in lower case with single spaces. */
    normalized_hash: "text or null",
    revision_count: "number",
    duplicate_count: "number",
    last_seen_at: "text or null",
    created_at: "text",
    updated_at: "text",
    /** Null while the row is live. */
    deleted_at: "text or null",
  },
  prompts: {
    id: "number",
    session_id: "text",
    content: "text",
    project: "text or null",
    namespace: "text or null",
    created_at: "text",
  },
  relations: {
    id: "number",
    from_id: "number",
    to_id: "number",
    /** `relates_to`, `supersedes`, ...; `compacted_from` leads from a row to those it stands for. */
    type: "text",
    note: "text or null",
    created_at: "text",
  },
} as const;

export interface Session extends RowOf<typeof COLUMNS.sessions> {}
/** Times are `YYYY-MM-DD HH:MM:SS` in UTC where this package wrote them; other writers may have used any shape. */
export interface Observation extends RowOf<typeof COLUMNS.observations> {}
/** What a user asked, kept beside the observations. */
export interface Prompt extends RowOf<typeof COLUMNS.prompts> {}
export interface Relation extends RowOf<typeof COLUMNS.relations> {}

export type NewObservation = Omit<Observation, "id"> & { readonly id?: number };

export interface Rows {
  readonly sessions: Session;
  readonly observations: Observation;
  readonly prompts: Prompt;
  readonly relations: Relation;
}

export const SUMMARY_TYPE = "compaction_summary";
export const COMPACTED_FROM = "compacted_from";
/** The session of whatever was saved outside of one. */
export const DEFAULT_SESSION = "manual-save";

/** `YYYY-MM-DD HH:MM:SS` in UTC: how the store writes times. */
export function storedTime(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace("T", " ");
}

/** Types of what is to hold until somebody says otherwise. */
const STANDING_TYPE = /^(?:user[-_ ])?(?:preference|policy|rule|convention|constraint|guideline|directive)s?$/i;

/** A preference, a policy or a rule: no age makes it stale. */
export function isStanding({ type, title, content }: Observation): boolean {
  return STANDING_TYPE.test(type) || findRuleSentences(`${title}\n${content}`).length > 0;
}

// The times of a row, read whatever shape another writer gave them.

/** Milliseconds since the epoch; undefined where it cannot be read. */
export function createdAt(row: Observation): number | undefined {
  return readTime(row.created_at);
}

/** When it was last saved, updated or seen again. */
export function lastTouched(row: Observation): number | undefined {
  const times = [row.updated_at, row.last_seen_at].map(readTime).filter((at) => at !== undefined);
  return times.length === 0 ? undefined : Math.max(...times);
}
