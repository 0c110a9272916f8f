// The tools that change one observation: `mem_update` its fields, `mem_delete` takes it out of memory.
import * as z from "zod";
import {
  type DeletedObservation,
  deleteObservation,
  updateObservation,
} from "../../observations/saving/change-observation.ts";
import { defineTool } from "../tool.ts";
import { shownName } from "./row-view.ts";
import { savedSecrets, secretsParam, secretsResult, toldSecrets } from "./saved-secrets.ts";

const updateInput = z.object({
  id: z.number().describe("Observation to change"),
  title: z.string().optional().describe("New title"),
  content: z.string().optional().describe("New text, as a whole"),
  type: z.string().optional().describe("New type"),
  project: z.string().optional().describe('New project; "" takes it out of its project'),
  scope: z.string().optional().describe("project or personal"),
  topic_key: z.string().optional().describe('New topic key; "" takes it out of its topic'),
  redact: secretsParam,
});

const updateOutput = z.object({
  id: z.int(),
  revision_count: z.int(),
  project: z.string().nullable(),
  scope: z.string(),
  topic_key: z.string().nullable(),
  updated_at: z.string(),
  secrets: secretsResult,
});

export const memUpdate = defineTool({
  name: "mem_update",
  title: "Update an observation",
  description:
    "Changes the fields that are sent of one observation and leaves the others. Its text is replaced as a whole: read " +
    "it with mem_get first. For a topic that evolves, mem_save with its topic_key does the same.",
  params: updateInput,
  result: updateOutput,
  hints: { isReadOnly: false, isDestructive: true, isIdempotent: false },
  async run({ topic_key: topicKey, redact, ...sent }, context) {
    const { title, content, ...fields } = sent;
    const { texts, secrets } = savedSecrets({ title, content }, redact, context);
    const request = { ...fields, ...texts, topicKey };
    const row = await updateObservation(await context.store(), request, { now: context.now() });
    const { id, revision_count, scope, topic_key, updated_at } = row;
    const project = row.project === null ? null : shownName(row.project, "");
    const answer = {
      text: `Observation ${id} updated: ${shownName(row.title)} (rev ${revision_count})`,
      structured: { id, revision_count, project, scope, topic_key, updated_at },
    };
    return toldSecrets(answer, secrets, redact);
  },
});

const deleteInput = z.object({
  id: z.number().describe("Observation to delete"),
  hard_delete: z
    .boolean()
    .optional()
    .describe("True: for good, with its relations. Default: mem_restore brings it back"),
});

const deleteOutput = z.object({
  id: z.int(),
  hard_delete: z.boolean(),
  stood_for: z.array(z.int()).describe("Compacted observations it stood for; at most 50 are named"),
});

const MOST_NAMED = 50;

export const memDelete = defineTool({
  name: "mem_delete",
  title: "Delete an observation",
  description:
    "Takes one observation out of memory: it is found no more, and mem_restore brings it back. With hard_delete it is " +
    "removed for good. For many stale ones, mem_compact leaves a summary in their place.",
  params: deleteInput,
  result: deleteOutput,
  hints: { isReadOnly: false, isDestructive: true, isIdempotent: false },
  async run({ id, hard_delete: isHard }, context) {
    const deleted = await deleteObservation(await context.store(), { id, isHard }, { now: context.now() });
    return {
      text: describeDeleted(deleted),
      structured: { id, hard_delete: deleted.isHard, stood_for: deleted.stoodFor.slice(0, MOST_NAMED) },
    };
  },
});

function describeDeleted({ id, isHard, stoodFor }: DeletedObservation): string {
  const line = `Observation ${id} ${isHard ? "permanently deleted" : "soft-deleted"}`;
  if (stoodFor.length === 0) return line;
  const ids = stoodFor.slice(0, MOST_NAMED).join(", ") + (stoodFor.length > MOST_NAMED ? ", ..." : "");
  return `${line}\n⚠️ It stood for ${stoodFor.length} compacted observations, which stay deleted: ${ids}. mem_restore with ids brings them back.`;
}
