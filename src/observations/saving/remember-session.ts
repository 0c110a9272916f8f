// Puts what a session taught into the store: a row a lesson, under a topic of its own, so that the same session may be read
// again whenever it has gone on. What somebody changed or deleted since is left as it is.
import { cite, type Ledger } from "../../facts/ledger.ts";
import { sha256 } from "../../storage/sha256.ts";
import { type Lesson, lessonsOf } from "../../summaries/lessons.ts";
import { runInTurns } from "../../tokens/stepwise.ts";
import { type Observation, storedTime } from "../observation.ts";
import type { ObservationReader, ObservationStore } from "../observation-store.ts";
import { writeObservation } from "./save-observation.ts";
import {
  exactName,
  namespaceIn,
  normalizedHash,
  normalScope,
  requiredName,
  requiredText,
  topicKeyOf,
  withoutPrivate,
} from "./stored-text.ts";

export interface RememberRequest {
  readonly sessionId: string;
  readonly lessons: readonly Lesson[];
  readonly project?: string | undefined;
  /** Default `project`. */
  readonly scope?: string | undefined;
  readonly namespace?: string | undefined;
}

/**
 * `longer`: the row told less when the session was shorter. `known`: nothing to do. `edited`, `deleted`: by somebody since,
 * nothing is done. `repeated`: a row of another topic says the very same.
 */
export type RememberedAs = "new" | "longer" | "known" | "edited" | "deleted" | "repeated";

export interface RememberedRow extends Pick<Observation, "type" | "title" | "content"> {
  readonly action: RememberedAs;
  readonly topic_key: string;
  /** Null while a `new` row is not written. */
  readonly id: number | null;
  /** Messages, as the archive and the file of the session count them. */
  readonly from: string;
  readonly to: string;
}

/** By whom rows were written, in their column `tool_name`. */
export const REMEMBERED_BY = "remember";
const LONGEST_ID = 80;

/** What `rememberSession` would do. Writes nothing. @throws InvalidInput, StoreFailed. */
export function planRemember(store: ObservationStore, request: RememberRequest): Promise<readonly RememberedRow[]> {
  return store.read(async (rows) => (await planRows(rows, request)).map(({ row }) => row));
}

/** All or nothing. Twice adds nothing. @throws InvalidInput, StoreFailed. */
export function rememberSession(
  store: ObservationStore,
  request: RememberRequest,
  { now }: { readonly now: number },
): Promise<readonly RememberedRow[]> {
  return store.write(async (rows) => {
    const written: RememberedRow[] = [];
    for (const { row, columns } of await planRows(rows, request)) {
      const isDue = row.action === "new" || row.action === "longer";
      const id = isDue ? (await writeObservation(rows, columns, { now, keepsRevisions: true })).id : row.id;
      written.push({ ...row, id });
    }
    return written;
  });
}

/**
 * Takes what `rememberSession` wrote of a session out of the live memory again; rows that somebody edited stay. They can be
 * restored like any other, and a later `rememberSession` does not bring them back. @throws StoreFailed.
 */
export function forgetSession(
  store: ObservationStore,
  sessionId: string,
  { now }: { readonly now: number },
): Promise<{ readonly deleted: readonly number[]; readonly edited: readonly number[] }> {
  return store.write(async (rows) => {
    const own = (await rowsOf(rows, sessionId, "live")).filter(({ tool_name }) => tool_name === REMEMBERED_BY);
    const idsOf = (chosen: readonly Observation[]) => chosen.map(({ id }) => id);
    const deleted = idsOf(own.filter((row) => !isEdited(row)));
    await rows.changeObservations(deleted, { deleted_at: storedTime(now) });
    return { deleted, edited: idsOf(own.filter(isEdited)) };
  });
}

/** What a session taught that may be stored: nothing of what stands in `<private>`, wherever a row cuts the text. */
export function readLessons(ledger: Ledger, count: (text: string) => number): Promise<readonly Lesson[]> {
  return runInTurns(lessonsOf(withoutPrivateTexts(ledger), count));
}

/** All texts of a value without what is between `<private>` and its end; of a text that was cut, up to an end without a beginning. */
function withoutPrivateTexts<Value>(value: Value): Value {
  if (typeof value === "string") {
    const begins = value.toLowerCase().indexOf("<private>");
    const ends = value.toLowerCase().indexOf("</private>");
    const isCut = ends >= 0 && (begins < 0 || ends < begins);
    return (begins + ends === -2 ? value : withoutPrivate(isCut ? `<private>${value}` : value)) as Value;
  }
  if (Array.isArray(value)) return value.map(withoutPrivateTexts) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, withoutPrivateTexts(held)])) as Value;
}

async function planRows(rows: ObservationReader, request: RememberRequest) {
  const { sessionId, lessons } = request;
  const place = {
    session_id: requiredName("session_id", sessionId),
    tool_name: REMEMBERED_BY,
    project: exactName("project", request.project),
    scope: normalScope(request.scope),
    namespace: namespaceIn(rows, request.namespace),
  };
  const byTopic = (found: readonly Observation[]) => new Map(found.map((row) => [row.topic_key, row]));
  const live = byTopic(await rowsOf(rows, sessionId, "live"));
  const deleted = byTopic(await rowsOf(rows, sessionId, "deleted"));
  const planned = [];
  for (const { key, type, title, content, from, to } of lessons) {
    const topic_key = topicKeyOf(`${topicOf(sessionId)}/${sha256(key).slice(0, 8)}`) as string;
    const told = { type, title: requiredText("title", title), content: requiredText("content", content) };
    const own = live.get(topic_key) ?? deleted.get(topic_key);
    const columns = { ...place, ...(own === undefined ? {} : placeOf(own)), ...told, topic_key };
    const [copy] = await rows.equals({ ...columns, normalized_hash: normalizedHash(told.content) }, "live");
    const known = own ?? copy;
    const row = { action: actionOn(known, columns), topic_key, id: known?.id ?? null, ...told };
    planned.push({ row: { ...row, from: cite(from), to: cite(to) }, columns });
  }
  return planned;
}

/** A row stays where it was put first, whoever reads the session again from another folder. */
function placeOf({ project, scope, namespace }: Observation) {
  return { project, scope, namespace };
}

type Told = Pick<Observation, "title" | "content" | "topic_key">;

function actionOn(known: Observation | undefined, { title, content, topic_key }: Told): RememberedAs {
  if (known === undefined) return "new";
  if (known.topic_key !== topic_key) return "repeated";
  if (known.deleted_at !== null) return "deleted";
  if (isEdited(known)) return "edited";
  return known.title === title && known.content === content ? "known" : "longer";
}

/** Whatever we write has one time in both columns; an edit moves one of them. */
function isEdited({ tool_name, updated_at, last_seen_at, created_at }: Observation): boolean {
  return tool_name !== REMEMBERED_BY || updated_at !== (last_seen_at ?? created_at);
}

function topicOf(sessionId: string): string {
  return `session/${sessionId.length > LONGEST_ID ? sha256(sessionId).slice(0, 16) : sessionId}`;
}

const PAGE = 500;

async function rowsOf(rows: ObservationReader, sessionId: string, standing: "live" | "deleted") {
  const filter = { topic: topicKeyOf(topicOf(sessionId)) as string };
  const found: Observation[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const page = await rows.list({ filter, standing, limit: PAGE, offset });
    found.push(...page);
    if (page.length < PAGE) return found;
  }
}
