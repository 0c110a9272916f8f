// The tool `mem_update`: changes fields of one observation.
import * as z from "zod";
import { updateObservation } from "../../../observations/saving/update-observation.ts";
import { defineTool } from "../../tool.ts";
import { shownName } from "./shown-name.ts";

const input = z.object({
  id: z.number().describe("Observation to change"),
  title: z.string().optional().describe("New title"),
  content: z.string().optional().describe("New text, as a whole"),
  type: z.string().optional().describe("New type"),
  project: z.string().optional().describe('New project; "" takes it out of its project'),
  scope: z.string().optional().describe("project or personal"),
  topic_key: z.string().optional().describe('New topic key; "" takes it out of its topic'),
});

const output = z.object({
  id: z.int(),
  revision_count: z.int(),
  project: z.string().nullable(),
  scope: z.string(),
  topic_key: z.string().nullable(),
  updated_at: z.string(),
});

export const memUpdate = defineTool({
  name: "mem_update",
  title: "Update an observation",
  description:
    "Changes the fields that are sent of one observation and leaves the others. Its text is replaced as a whole: read " +
    "it with mem_get first. For a topic that evolves, mem_save with its topic_key does the same.",
  input,
  output,
  hints: { isReadOnly: false, isDestructive: true, isIdempotent: false },
  async run({ topic_key: topicKey, ...fields }, context) {
    const row = await updateObservation(await context.store(), { ...fields, topicKey }, { now: context.now() });
    const { id, revision_count, scope, topic_key, updated_at } = row;
    const project = row.project === null ? null : shownName(row.project, "");
    return {
      text: `Observation ${id} updated: ${shownName(row.title)} (rev ${revision_count})`,
      structured: { id, revision_count, project, scope, topic_key, updated_at },
    };
  },
});
