// Saves each thing that a text says was learned as an observation of its own; what is known already is only counted.
import { cutAt } from "../../text/cut.ts";
import { DEFAULT_SESSION } from "../observation.ts";
import type { ObservationStore } from "../observation-store.ts";
import { learnedItems } from "./learned-items.ts";
import { normalScope } from "./normal-form.ts";
import { exactName, namespaceIn, optionalText, requiredText } from "./stored-text.ts";
import { writeObservation } from "./write-observation.ts";

export interface CaptureLearningsRequest {
  readonly content: string;
  readonly sessionId?: string | undefined;
  readonly project?: string | undefined;
  readonly scope?: string | undefined;
  readonly namespace?: string | undefined;
  /** Where the text comes from, such as the name of a tool. */
  readonly source?: string | undefined;
}

export interface CapturedLearnings {
  readonly extracted: number;
  /** Ids of new observations. */
  readonly saved: readonly number[];
  /** Ids of observations that said the same before. */
  readonly duplicates: readonly number[];
}

const LONGEST_TITLE = 80;

/** @throws InvalidInput for a blank or too long text, and for a namespace where the database has none. */
export async function captureLearnings(
  store: ObservationStore,
  request: CaptureLearningsRequest,
  { now }: { readonly now: number },
): Promise<CapturedLearnings> {
  // Private parts go before the text is taken apart: one may hold several items.
  const items = learnedItems(requiredText("content", request.content));
  return store.write(async (rows) => {
    const place = {
      session_id: exactName("session_id", request.sessionId) ?? DEFAULT_SESSION,
      type: "passive",
      tool_name: optionalText("source", request.source),
      project: exactName("project", request.project),
      scope: normalScope(request.scope),
      topic_key: null,
      namespace: namespaceIn(rows, request.namespace),
    };
    const saved: number[] = [];
    const duplicates: number[] = [];
    for (const content of items) {
      const columns = { ...place, title: cutAt(content, LONGEST_TITLE), content };
      const { id, outcome } = await writeObservation(rows, columns, { now, repeatsWithin: Number.POSITIVE_INFINITY });
      (outcome === "created" ? saved : duplicates).push(id);
    }
    return { extracted: items.length, saved, duplicates };
  });
}
