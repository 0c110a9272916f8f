// The plan of a conversation compaction: plain data that names every message it will touch and why. A dry run prints it, apply
// takes it, and refuses it when it would not do what was reviewed: its messages, session or policy are others by now, or what
// is prepared from them is.
import * as z from "zod/mini";
import { planFile, planHeader } from "../engine/plan-file.ts";
import { checkPolicy, fingerprintOf, stalePlan } from "../engine/staleness.ts";
import type { Repair } from "../providers/format.ts";
import { sha256 } from "../storage/sha256.ts";
import { type AppliedCompaction, applyPrepared, prepareCompaction } from "./compact-conversation.ts";
import { countKept } from "./conversation-events.ts";
import type { ConversationInput, ConversationParts } from "./conversation-parts.ts";
import type { DueCompaction, PreparedCompaction } from "./layers.ts";
import { TRIGGER_REASONS } from "./policy.ts";
import type { StandingUnit } from "./read-conversation.ts";
import type { SessionState } from "./session-state.ts";

const count = z.int().check(z.nonnegative());
const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));

const messageSchema = z.readonly(
  z.object({
    /** Index in the caller's list. */
    index: count,
    role: z.string(),
    tokens: count,
    action: z.enum(["pin", "keep", "shorten", "summarize", "repair"]),
    why: z.string(),
  }),
);

const planSchema = z.readonly(
  z.object({
    ...planHeader("conversation"),
    session_id: z.string(),
    format: z.string(),
    /** SHA-256 over the messages the plan was made from. */
    fingerprint: hash,
    /** SHA-256 over the policy, the model and its window. */
    policy: hash,
    message_count: count,
    step: count,
    triggered: z.boolean(),
    /** Why it acts, or why it does not: see `compact.trigger_decision`. */
    reason: z.enum(TRIGGER_REASONS),
    tokens_before: count,
    budget: z.number(),
    /** Tokens aimed at. */
    target: z.number(),
    /** Tokens that were asked for, if any were. */
    target_tokens: z.optional(z.number()),
    summary_max_tokens: z.number(),
    kept: z.readonly(z.object({ pinned: count, recent_turns: count, tool_pairs: count })),
    pruned_count: count,
    messages: z.readonly(z.array(messageSchema)),
    repairs: z.custom<readonly Repair[]>((value) => Array.isArray(value)),
  }),
);

export type ConversationPlan = z.infer<typeof planSchema>;
export type PlannedMessage = z.infer<typeof messageSchema>;

const { seal, read } = planFile<ConversationPlan>({ part: "conversation", schema: planSchema });

/** @throws InvalidInput (`INVALID_PLAN`). */
export const readPlan = read;

/** The plan as plain data: what a dry run prints and apply takes. Leaves no trace: nothing has happened. */
export async function planConversationCompaction(
  input: ConversationInput,
  state: SessionState,
  parts: ConversationParts,
): Promise<ConversationPlan> {
  const silent = { ...parts, trace: { emit: () => {} } };
  const prepared = await prepareCompaction(input, state, silent);
  return describePlan(prepared, parts);
}

/**
 * Carries out a plan as it was reviewed; messages appended behind its own are kept. Throws `Conflict` (`STALE_PLAN`) when the messages, the session or the policy are others since, or other messages would leave.
 */
export async function applyConversationCompaction(
  plan: ConversationPlan,
  input: ConversationInput,
  state: SessionState,
  parts: ConversationParts,
): Promise<AppliedCompaction> {
  const { triggered, reason } = plan;
  const planned = plannedInput(plan, input, state, parts);
  const prepared = await prepareCompaction(planned, state, parts, { decided: { triggered, reason } });
  refuseOther(plan, prepared);
  const applied = await applyPrepared(prepared);
  return { ...applied, messages: [...applied.messages, ...input.messages.slice(plan.message_count)] };
}

// A prepared compaction as plain data: every message it will touch, and why.

function describePlan(prepared: PreparedCompaction, parts: ConversationParts): ConversationPlan {
  const { input, measured, decision, due, state } = prepared;
  const { budget } = parts;
  return seal({
    session_id: input.sessionId,
    format: measured.format.name,
    fingerprint: fingerprint(input.messages),
    policy: policyOf(parts),
    message_count: input.messages.length,
    step: due?.step ?? state.step,
    triggered: decision.triggered,
    reason: decision.reason,
    tokens_before: measured.total,
    budget,
    target: due?.layers.target ?? budget,
    ...(input.targetTokens === undefined ? {} : { target_tokens: input.targetTokens }),
    summary_max_tokens: due?.layers.summaryTokens ?? 0,
    kept: due === undefined ? { pinned: 0, recent_turns: 0, tool_pairs: 0 } : countKept(due.read, due.layers),
    pruned_count: due?.layers.removed.length ?? 0,
    messages: planMessages(due),
    repairs: measured.repairs,
  });
}

/** Two lists with the same JSON have the same one. */
function fingerprint(messages: readonly unknown[]): string {
  return sha256(messages.map((message) => JSON.stringify(message)).join("\n"));
}

function planMessages(due: DueCompaction | undefined): readonly PlannedMessage[] {
  if (due === undefined) return [];
  const planned = due.read.units.flatMap((unit, position) =>
    unit.messages.map((index) => planMessage(due, unit, position, index)),
  );
  return planned.sort((a, b) => a.index - b.index);
}

function planMessage(
  { read, layers, input }: DueCompaction,
  unit: StandingUnit,
  position: number,
  index: number,
): PlannedMessage {
  const number = read.numbers[index] ?? 1;
  const message = read.messages[index];
  const stays = layers.fit.stays[position] === true;
  const action =
    message !== input.messages[number - 1] ? "repair" : actionFor(unit, stays, layers.shortened.has(message));
  const why = stays && unit.standing === "free" ? "recent" : unit.why;
  return { index: number - 1, role: read.views[index]?.role ?? "user", tokens: read.tokens[index] ?? 0, action, why };
}

function actionFor({ standing }: StandingUnit, stays: boolean, isShortened: boolean): PlannedMessage["action"] {
  if (standing === "pinned") return "pin";
  if (!stays) return "summarize";
  return isShortened ? "shorten" : "keep";
}

/** What decides, besides the messages, what stays. */
function policyOf({ model, maxContextTokens, budget, policy }: ConversationParts): string {
  return fingerprintOf({ model, maxContextTokens, budget, policy });
}

// Whether a plan still holds: looked at before anything is prepared, and once more when it is known what would be done.

const UNDONE = "The conversation was left as it was";

/** The messages that the plan is of, for what is prepared as the plan says. @throws Conflict (`STALE_PLAN`). */
function plannedInput(
  plan: ConversationPlan,
  input: ConversationInput,
  state: SessionState,
  parts: ConversationParts,
): ConversationInput {
  const messages = input.messages.slice(0, plan.message_count);
  const isStale = fingerprint(messages) !== plan.fingerprint || (plan.triggered && plan.step <= state.step);
  if (isStale) {
    const session = JSON.stringify(plan.session_id);
    throw stalePlan(`The plan for session ${session} no longer fits: its messages or its session changed since.`);
  }
  checkPolicy(UNDONE, plan.policy, policyOf(parts));
  const { target_tokens: targetTokens = input.targetTokens } = plan;
  return {
    ...input,
    messages,
    isManual: plan.reason === "manual",
    ...(targetTokens === undefined ? {} : { targetTokens }),
  };
}

/** System prompt, tools and facts take room too: with others, other messages might leave. @throws Conflict (`STALE_PLAN`). */
function refuseOther(plan: ConversationPlan, { due, measured }: PreparedCompaction): void {
  const fates = (messages: readonly PlannedMessage[]) =>
    messages.map(({ index, action }) => `${index} ${action}`).join();
  const isSame =
    plan.format === measured.format.name &&
    plan.target === (due?.layers.target ?? plan.target) &&
    fates(plan.messages) === fates(planMessages(due));
  if (isSame) return;
  throw stalePlan(
    `${UNDONE}: other messages would leave or be shortened than the plan says, as the system prompt, the tools or the session are others.`,
  );
}
