// Sessions: started, ended, and added on demand for whatever is saved under a name that is not there yet.
import { CompactError } from "../../errors.ts";
import { DEFAULT_SESSION, type Session, storedTime } from "../observation.ts";
import type { ObservationStore, ObservationWriter } from "../observation-store.ts";
import { exactName, namespaceIn, optionalText, requiredName, requiredText } from "./stored-text.ts";

interface StartSessionRequest {
  readonly id: string;
  readonly project: string;
  readonly directory?: string | undefined;
}

interface EndSessionRequest {
  readonly id: string;
  /** Replaces an earlier one; without it that one stays. */
  readonly summary?: string | undefined;
}

/**
 * `isNew` is false where the session was there already; it is left as it is then.
 * @throws InvalidInput for a blank id or project.
 */
export async function startSession(
  store: ObservationStore,
  { id, project, directory }: StartSessionRequest,
  { now }: { readonly now: number },
): Promise<{ readonly session: Session; readonly isNew: boolean }> {
  const session: Session = {
    id: requiredName("id", id),
    project: requiredName("project", project),
    directory: exactName("directory", directory) ?? "",
    started_at: storedTime(now),
    ended_at: null,
    summary: null,
  };
  return store.write(async (rows) => {
    const isNew = await rows.addSession(session);
    return { session: (await rows.session(session.id)) ?? session, isNew };
  });
}

/** @throws NotFound for an unknown session, InvalidInput for a blank id. */
export async function endSession(
  store: ObservationStore,
  request: EndSessionRequest,
  { now }: { readonly now: number },
): Promise<Session> {
  const id = requiredName("id", request.id);
  const summary = optionalText("summary", request.summary);
  return store.write(async (rows) => {
    const session = await rows.session(id);
    if (session === undefined) throw unknownSession(id);
    const ended = { ...session, ended_at: storedTime(now), summary: summary ?? session.summary };
    await rows.endSession(id, ended.ended_at, ended.summary);
    return ended;
  });
}

/** True where there was none of this id. */
export function addSessionOnDemand(
  rows: ObservationWriter,
  id: string,
  project: string | null,
  startedAt: string,
): Promise<boolean> {
  const session = { id, project: project ?? "", directory: "", started_at: startedAt, ended_at: null, summary: null };
  return rows.addSession(session);
}

function unknownSession(id: string): CompactError {
  return new CompactError("NotFound", `Nothing was changed: session "${id.slice(0, 200)}" is not in the store.`, {
    code: "UNKNOWN_SESSION",
    hint: "Start it first, or look its id up.",
  });
}

// Keeps what a user asked, beside the observations.

interface SavePromptRequest {
  readonly content: string;
  /** Default `manual-save`; added when there is none of this id. */
  readonly sessionId?: string | undefined;
  readonly project?: string | undefined;
  readonly namespace?: string | undefined;
}

/** @throws InvalidInput for a blank or too long text, and for a namespace where the database has none. */
export async function savePrompt(
  store: ObservationStore,
  request: SavePromptRequest,
  { now }: { readonly now: number },
): Promise<{ readonly id: number }> {
  const content = requiredText("content", request.content);
  const session_id = exactName("session_id", request.sessionId) ?? DEFAULT_SESSION;
  const project = exactName("project", request.project);
  return store.write(async (rows) => {
    const namespace = namespaceIn(rows, request.namespace);
    const created_at = storedTime(now);
    await addSessionOnDemand(rows, session_id, project, created_at);
    return { id: await rows.addPrompt({ session_id, content, project, namespace, created_at }) };
  });
}
