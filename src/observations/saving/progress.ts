// The one living document of a project: JSON that says how far the work is, kept as the row of a topic.
import { CompactError } from "../../errors.ts";
import { DEFAULT_SESSION, type Observation } from "../observation.ts";
import type { ObservationStore } from "../observation-store.ts";
import { writeObservation } from "./save-observation.ts";
import { exactName, namespaceIn, normalScope, normalTopicKey, requiredName, requiredText } from "./stored-text.ts";

export interface ProgressPlace {
  readonly project: string;
  readonly namespace?: string | undefined;
}

export interface WriteProgressRequest extends ProgressPlace {
  /** JSON as text; stored as it is. */
  readonly content: string;
  /** Default `manual-save`. */
  readonly sessionId?: string | undefined;
}

const TYPE = "progress";
const SCOPE = normalScope("project");

/** Undefined where none was written. @throws InvalidInput for a blank project, or a namespace where there are none. */
export async function readProgress(store: ObservationStore, place: ProgressPlace): Promise<Observation | undefined> {
  const project = requiredName("project", place.project);
  return store.read(async (rows) => {
    const namespace = namespaceIn(rows, place.namespace);
    return rows.ofTopic(topicKeyOf(project, namespace), project, SCOPE, namespace);
  });
}

/** Replaces what was written before. @throws InvalidInput also for what is not JSON. */
export async function writeProgress(
  store: ObservationStore,
  request: WriteProgressRequest,
  { now }: { readonly now: number },
): Promise<{ readonly id: number }> {
  const project = requiredName("project", request.project);
  const content = checkedJson(request.content);
  return store.write(async (rows) => {
    const namespace = namespaceIn(rows, request.namespace);
    const { id } = await writeObservation(
      rows,
      {
        session_id: exactName("session_id", request.sessionId) ?? DEFAULT_SESSION,
        type: TYPE,
        title: `Progress: ${project}`,
        content,
        tool_name: null,
        project,
        scope: SCOPE,
        topic_key: topicKeyOf(project, namespace),
        namespace,
      },
      { now },
    );
    return { id };
  });
}

function topicKeyOf(project: string, namespace: string | null): string {
  return normalTopicKey(["progress", ...(namespace === null ? [] : [namespace]), project].join("/")) ?? TYPE;
}

function checkedJson(text: string): string {
  if (!isJson(text)) throw invalidJson("'content' must be valid JSON.", "Send the whole document as JSON text.");
  const stored = requiredText("content", text);
  if (isJson(stored)) return stored;
  throw invalidJson(
    "A <private> part of 'content' reaches beyond one JSON text.",
    "Open and close <private> within the same string.",
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function invalidJson(message: string, hint: string): CompactError {
  return new CompactError("InvalidInput", message, { code: "INVALID_JSON", hint });
}
