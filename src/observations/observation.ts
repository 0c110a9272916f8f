// What a memory store holds: the rows of the reference schema, named as its columns are, so that an export, a tool's
// structured answer and the table say the same.
import { findRuleSentences } from "../facts/rules.ts";
import { readTime } from "../time.ts";

/** Times are `YYYY-MM-DD HH:MM:SS` in UTC where this package wrote them; other writers may have used any shape. */
export interface Observation {
  readonly id: number;
  readonly session_id: string;
  /** `decision`, `bugfix`, `manual`, `compaction_summary`, ...: free text. */
  readonly type: string;
  readonly title: string;
  readonly content: string;
  readonly tool_name: string | null;
  readonly project: string | null;
  /** `project` or `personal`. */
  readonly scope: string;
  /** At most one live row a topic, project, scope and namespace: saving again replaces it. */
  readonly topic_key: string | null;
  /** Always null in a database without the column. */
  readonly namespace: string | null;
  /** SHA-256 of the content in lower case with single spaces. */
  readonly normalized_hash: string | null;
  readonly revision_count: number;
  readonly duplicate_count: number;
  readonly last_seen_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  /** Null while the row is live. */
  readonly deleted_at: string | null;
}

export type NewObservation = Omit<Observation, "id"> & { readonly id?: number };

export interface Session {
  readonly id: string;
  readonly project: string;
  readonly directory: string;
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly summary: string | null;
}

/** What a user asked, kept beside the observations. */
export interface Prompt {
  readonly id: number;
  readonly session_id: string;
  readonly content: string;
  readonly project: string | null;
  readonly namespace: string | null;
  readonly created_at: string;
}

export interface Relation {
  readonly id: number;
  readonly from_id: number;
  readonly to_id: number;
  /** `relates_to`, `supersedes`, ...; `compacted_from` leads from a row to those it stands for. */
  readonly type: string;
  readonly note: string | null;
  readonly created_at: string;
}

type ColumnsOf<Row> = {
  readonly [Name in keyof Row]: null extends Row[Name] ? "text or null" : Row[Name] extends number ? "number" : "text";
};

const observations: ColumnsOf<Observation> = {
  id: "number",
  session_id: "text",
  type: "text",
  title: "text",
  content: "text",
  tool_name: "text or null",
  project: "text or null",
  scope: "text",
  topic_key: "text or null",
  namespace: "text or null",
  normalized_hash: "text or null",
  revision_count: "number",
  duplicate_count: "number",
  last_seen_at: "text or null",
  created_at: "text",
  updated_at: "text",
  deleted_at: "text or null",
};
const sessions: ColumnsOf<Session> = {
  id: "text",
  project: "text",
  directory: "text",
  started_at: "text",
  ended_at: "text or null",
  summary: "text or null",
};
const prompts: ColumnsOf<Prompt> = {
  id: "number",
  session_id: "text",
  content: "text",
  project: "text or null",
  namespace: "text or null",
  created_at: "text",
};
const relations: ColumnsOf<Relation> = {
  id: "number",
  from_id: "number",
  to_id: "number",
  type: "text",
  note: "text or null",
  created_at: "text",
};

/** The columns of each kind of row, in the order in which exports have them. */
export const COLUMNS = { sessions, observations, prompts, relations };

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
