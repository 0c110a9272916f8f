// The tool `mem_save`: an observation, a prompt, or whatever a text says was learned.
import * as z from "zod";
import { CompactError } from "../../errors.ts";
import { readIds } from "../../observations/saving/named-rows.ts";
import {
  captureLearnings,
  type SavedObservation,
  saveObservation,
  suggestTopicKey,
} from "../../observations/saving/save-observation.ts";
import { savePrompt } from "../../observations/saving/sessions.ts";
import { defineTool, type ToolAnswer, type ToolContext } from "../tool.ts";
import { shownName } from "./row-view.ts";
import { savedSecrets, secretsParam, secretsResult, toldSecrets } from "./saved-secrets.ts";

const input = z.object({
  content: z.string().describe("What to remember: **What**, **Why**, **Where**, **Learned**. Never cut"),
  save_type: z
    .enum(["observation", "prompt", "passive"])
    .optional()
    .describe(
      "observation (default); prompt: what the user asked; passive: saves each list item under a heading Key Learnings",
    ),
  title: z.string().optional().describe("Short and searchable. Required for an observation"),
  type: z
    .string()
    .optional()
    .describe("decision, architecture, bugfix, pattern, config, discovery, learning, ... Default: manual"),
  session_id: z.string().optional().describe("Session it belongs to; made when it is new. Default: manual-save"),
  project: z.string().optional().describe("Project name"),
  scope: z.string().optional().describe("project (default) or personal"),
  topic_key: z
    .string()
    .optional()
    .describe("Such as architecture/auth-model: saving again under the same key replaces the text"),
  namespace: z.string().optional().describe("Keeps the memory of a sub-agent apart, such as subagent/task-123"),
  upsert: z.boolean().optional().describe("True: where topic_key is missing, take the suggested one"),
  relate_to: z
    .union([z.string(), z.array(z.unknown())])
    .optional()
    .describe('Ids of observations it relates to, as "[1, 2]"'),
  redact: secretsParam,
  source: z.string().optional().describe("For passive: where the text comes from, such as the name of a tool"),
});

const output = z.object({
  save_type: z.enum(["observation", "prompt", "passive"]),
  id: z.int().optional().describe("Of the observation or prompt"),
  outcome: z.enum(["created", "updated", "repeated"]).optional().describe("repeated: the same text was there already"),
  topic_key: z.string().nullable().optional(),
  suggested_topic_key: z.string().optional(),
  revision_count: z.int().optional(),
  related_to: z.array(z.int()).optional(),
  not_related: z.array(z.object({ id: z.int(), reason: z.string() })).optional(),
  extracted: z.int().optional(),
  saved: z.int().optional(),
  duplicates: z.int().optional(),
  secrets: secretsResult,
});

type Input = z.infer<typeof input>;

const MOST_RELATED = 50;

export const memSave = defineTool({
  name: "mem_save",
  title: "Save to memory",
  description:
    "Saves an observation (a decision, a fix, a finding) so that later sessions can find it. Call it on your own after " +
    "significant work. A topic_key makes it a living document: saving under the same key replaces the text, and " +
    "mem_search with include_compacted finds the earlier one. The same " +
    "text saved again within 15 minutes is counted, not stored twice. Text in <private>...</private> is not stored; what " +
    "looks like a key or a password is, with a warning, or replaced with redact: true.",
  params: input,
  result: output,
  hints: { isReadOnly: false, isDestructive: false, isIdempotent: false },
  async run({ redact, ...sent }, context) {
    const { title, content } = sent;
    const { texts, secrets } = savedSecrets({ title, content }, redact, context);
    const { text, structured } = await keep({ ...sent, ...texts }, context);
    return toldSecrets({ text, structured }, secrets, redact);
  },
});

function keep(given: Input, context: ToolContext): Promise<ToolAnswer> {
  if (given.save_type === "prompt") return keepPrompt(given, context);
  return given.save_type === "passive" ? capture(given, context) : save(given, context);
}

async function keepPrompt(given: Input, context: ToolContext): Promise<ToolAnswer> {
  const { id } = await savePrompt(await context.store(), savedWhere(given), { now: context.now() });
  return { text: `Prompt saved (ID: ${id})`, structured: { save_type: "prompt", id } };
}

async function capture(given: Input, context: ToolContext): Promise<ToolAnswer> {
  const request = { ...savedWhere(given), scope: given.scope, source: given.source };
  const result = await captureLearnings(await context.store(), request, { now: context.now() });
  const { extracted, saved, duplicates } = {
    ...result,
    saved: result.saved.length,
    duplicates: result.duplicates.length,
  };
  return {
    text: `Passive capture complete: ${extracted} extracted, ${saved} saved, ${duplicates} duplicates`,
    structured: { save_type: "passive", extracted, saved, duplicates },
  };
}

async function save(given: Input, context: ToolContext): Promise<ToolAnswer> {
  const { title = "", type, scope, topic_key = "" } = given;
  if (title.trim() === "")
    throw new CompactError("InvalidInput", "'title' is required for save_type=observation.", {
      code: "TEXT_REQUIRED",
      hint: "Send a short, searchable title.",
    });
  const related = readRelated(given.relate_to);
  const suggestion = suggestTopicKey({ type, title, content: given.content });
  const topicKey = given.upsert === true && topic_key.trim() === "" ? suggestion : topic_key;
  const saved = await saveObservation(
    await context.store(),
    { ...savedWhere(given), title, type, scope, topicKey, relateTo: related.ids },
    { now: context.now() },
  );
  return describeSaved(saved, suggestion, related.fault);
}

function savedWhere({ content, session_id, project, namespace }: Input) {
  return { content, sessionId: session_id, project, namespace };
}

/** A list that cannot be read must not cost the note itself: it is reported. */
function readRelated(given: Input["relate_to"]): { readonly ids: readonly number[]; readonly fault?: string } {
  if (given === undefined || given === "" || (Array.isArray(given) && given.length === 0)) return { ids: [] };
  try {
    return { ids: readIds("relate_to", given, MOST_RELATED) };
  } catch (error) {
    if (!CompactError.isInstance(error)) throw error;
    return { ids: [], fault: error.message };
  }
}

function describeSaved(
  { observation, outcome, relations, refusedRelations }: SavedObservation,
  suggestion: string,
  fault: string | undefined,
): ToolAnswer {
  const { id, title, type, topic_key, revision_count } = observation;
  const asked = relations.length + refusedRelations.length;
  const warnings = refusedRelations.map((refused) => `${refused.id} ${refused.reason}`);
  const lines = [
    `Memory saved: ${shownName(title)} (${shownName(type, "")})${OUTCOMES[outcome]}`,
    topic_key === null ? `Suggested topic_key: ${suggestion}` : `Topic key: ${topic_key}`,
    `ID: ${id}`,
    ...(asked === 0 ? [] : [`Relations created: ${relations.length}/${asked}`]),
    ...(warnings.length === 0 ? [] : [`Relation warnings: ${warnings.join("; ")}`]),
    ...(fault === undefined ? [] : [`Warning: relate_to ignored (${fault})`]),
  ];
  return {
    text: lines.join("\n"),
    structured: {
      save_type: "observation",
      ...{ id, outcome, topic_key, revision_count },
      ...(topic_key === null ? { suggested_topic_key: suggestion } : {}),
      related_to: relations.map((relation) => relation.to_id),
      not_related: refusedRelations.map((refused) => ({ ...refused })),
    },
  };
}

const OUTCOMES = { created: "", updated: ", replacing the text of its topic", repeated: ", already there" } as const;
