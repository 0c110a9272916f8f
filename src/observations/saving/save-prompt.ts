// Keeps what a user asked, beside the observations.
import { DEFAULT_SESSION, storedTime } from "../observation.ts";
import type { ObservationStore } from "../observation-store.ts";
import { addSessionOnDemand } from "./sessions.ts";
import { exactName, namespaceIn, requiredText } from "./stored-text.ts";

export interface SavePromptRequest {
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
    await addSessionOnDemand(rows, session_id, project, now);
    return { id: await rows.addPrompt({ session_id, content, project, namespace, created_at: storedTime(now) }) };
  });
}
