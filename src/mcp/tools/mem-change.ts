// The tools that change one thing: `mem_update` the fields of an observation, `mem_delete` takes it out of memory,
// `mem_relate` adds and removes a relation, `mem_session` marks where a session of work starts and ends.

import * as z from "zod";
import { CompactError } from "../../errors.ts";
import {
  type DeletedObservation,
  deleteObservation,
  updateObservation,
} from "../../observations/saving/change-observation.ts";
import { relate, unrelate } from "../../observations/saving/relations.ts";
import { endSession, startSession } from "../../observations/saving/sessions.ts";
import { defineTool, type ToolAnswer, type ToolContext } from "../tool.ts";
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

const relateInput = z.object({
  action: z.enum(["add", "remove"]).describe("add or remove"),
  from_id: z.number().optional().describe("Observation it leads from. Required on add"),
  to_id: z.number().optional().describe("Observation it leads to. Required on add"),
  relation_type: z
    .string()
    .optional()
    .describe("relates_to, implements, depends_on, caused_by, supersedes, part_of, ... Required on add"),
  note: z.string().optional().describe("Why, on add"),
  bidirectional: z.boolean().optional().describe("True: add it the other way too"),
  id: z.number().optional().describe("Relation to remove. Required on remove"),
});

const relateOutput = z.object({
  action: z.enum(["add", "remove"]),
  relations: z
    .array(z.object({ id: z.int(), from_id: z.int(), to_id: z.int() }))
    .describe("Those added, or the one removed"),
});

type RelateInput = z.infer<typeof relateInput>;

export const memRelate = defineTool({
  name: "mem_relate",
  title: "Relate observations",
  description:
    "Adds a relation between two observations (what caused, supersedes, implements or is part of what), or removes one " +
    "by its id. mem_get shows the relations of an observation.",
  params: relateInput,
  result: relateOutput,
  hints: { isReadOnly: false, isDestructive: true, isIdempotent: false },
  run: (given, context) => (given.action === "add" ? addRelation(given, context) : removeRelation(given, context)),
});

async function addRelation(given: RelateInput, context: ToolContext): Promise<ToolAnswer> {
  const fromId = required("from_id", given.from_id, "add");
  const toId = required("to_id", given.to_id, "add");
  const { relation_type: type = "", note, bidirectional: isBidirectional } = given;
  const request = { fromId, toId, type, note, isBidirectional };
  const relations = await relate(await context.store(), request, { now: context.now() });
  const ids = relations.map((relation) => relation.id).join(", ");
  const kind = shownName(relations[0]?.type ?? type, "");
  const text =
    relations.length > 1
      ? `Bidirectional relation created: #${fromId} ↔ #${toId} (${kind})\nRelation IDs: ${ids}`
      : `Relation created: #${fromId} → #${toId} (${kind})\nRelation ID: ${ids}`;
  return { text, structured: { action: "add", relations: relations.map(ends) } };
}

async function removeRelation(given: RelateInput, context: ToolContext): Promise<ToolAnswer> {
  const removed = await unrelate(await context.store(), { id: required("id", given.id, "remove") });
  return { text: `Relation ${removed.id} removed`, structured: { action: "remove", relations: [ends(removed)] } };
}

function ends({ id, from_id, to_id }: { readonly id: number; readonly from_id: number; readonly to_id: number }) {
  return { id, from_id, to_id };
}

function required(name: string, value: number | undefined, action: string): number {
  if (value !== undefined) return value;
  throw new CompactError("InvalidInput", `'${name}' is required for action=${action}.`, {
    code: "ID_REQUIRED",
    hint: `Send '${name}'.`,
  });
}

const sessionInput = z.object({
  action: z.enum(["start", "end"]).describe("start or end"),
  id: z.string().describe("Session id, yours to choose"),
  project: z.string().optional().describe("Project name. Required on start"),
  directory: z.string().optional().describe("Working directory, on start"),
  summary: z.string().optional().describe("What was done, on end"),
});

const sessionOutput = z.object({
  action: z.enum(["start", "end"]),
  project: z.string(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  is_new: z.boolean().optional().describe("False: the session was there already and is unchanged"),
});

type SessionInput = z.infer<typeof sessionInput>;

export const memSession = defineTool({
  name: "mem_session",
  title: "Start or end a session",
  description:
    "Marks where a session of work starts (with its project) and ends (with a summary of what was done). Observations " +
    "saved with its id belong to it, and mem_context shows the summary to later sessions.",
  params: sessionInput,
  result: sessionOutput,
  hints: { isReadOnly: false, isDestructive: false, isIdempotent: false },
  run: (given, context) => (given.action === "start" ? startNamed(given, context) : endNamed(given, context)),
});

async function startNamed({ id, project = "", directory }: SessionInput, context: ToolContext): Promise<ToolAnswer> {
  const { session, isNew } = await startSession(
    await context.store(),
    { id, project, directory },
    { now: context.now() },
  );
  const { started_at, ended_at } = session;
  const text = isNew
    ? `Session ${shownName(id)} started for project ${shownName(session.project)}`
    : `Session ${shownName(id)} was there already, for project ${shownName(session.project)} since ${started_at}`;
  return {
    text,
    structured: { action: "start", project: shownName(session.project, ""), started_at, ended_at, is_new: isNew },
  };
}

async function endNamed({ id, summary }: SessionInput, context: ToolContext): Promise<ToolAnswer> {
  const session = await endSession(await context.store(), { id, summary }, { now: context.now() });
  const { started_at, ended_at } = session;
  const project = shownName(session.project, "");
  return { text: `Session ${shownName(id)} completed`, structured: { action: "end", project, started_at, ended_at } };
}
