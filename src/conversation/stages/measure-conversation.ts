// Measures a native list: which format, healed or refused, one view and one size a message, the breakdown. Runs
// before every model call, so what an earlier look at the same list settled is not looked at again: a call costs
// what is new, plus one comparison of references a message.
import { CompactError } from "../../errors.ts";
import type { Format, MessageView, Repair } from "../../formats/format.ts";
import { createPacer, mapInTurns } from "../../tokens/turns/pacer.ts";
import type { TokenBreakdown } from "../../trace/compact-event.ts";
import type { ConversationInput, ConversationParts } from "../conversation-parts.ts";
import { findFormat } from "./find-format.ts";
import { type SizedMessages, settledUntil, sizeHealthy, sizeMessages } from "./measuring/healthy-stretches.ts";
import { measureBytes, type RequestBytes } from "./request-bytes.ts";

export interface MeasuredConversation {
  readonly format: Format;
  /** Healed; the same objects where nothing was wrong. */
  readonly messages: readonly unknown[];
  readonly views: readonly MessageView[];
  readonly tokens: readonly number[];
  readonly repairs: readonly Repair[];
  readonly breakdown: TokenBreakdown;
  readonly total: number;
  /** Tokens of what is sent besides the messages. */
  readonly fixedTokens: number;
  /** Tokens of the total that a provider reported and that nothing explains: no compaction wins them. */
  readonly doubted: number;
  /** Undefined where the policy sets no ceiling for them. */
  readonly bytes: RequestBytes | undefined;
  /** Messages before this index cannot change any more: healthy, and every call among them is answered. */
  readonly settled: number;
  /** Per message, the length of its texts: tells a message that was changed in place. */
  readonly stamps: readonly number[];
}

/** Throws `InvalidInput` when no format knows the list, or when it is damaged and `isStrict`. */
export async function measureConversation(
  input: ConversationInput,
  parts: ConversationParts,
  earlier?: MeasuredConversation,
): Promise<MeasuredConversation> {
  const known = earlier !== undefined && continues(input, earlier) ? earlier : undefined;
  const format = known?.format ?? findFormat(input, parts.formats);
  const { messages, repairs, from, views, tokens } = await healAndSize(input, format, known, parts);
  const pacer = createPacer();
  const allViews = known === undefined ? views : known.views.slice(0, from).concat(views);
  const allTokens = known === undefined ? tokens : known.tokens.slice(0, from).concat(tokens);
  const { breakdown, fixedTokens } = breakDown(input, allViews, allTokens, parts);
  const total = breakdown.system + breakdown.developer + breakdown.tools_schema + breakdown.messages;
  const settled = repairs.length > 0 ? 0 : settledUntil(allViews, from);
  const fresh = await mapInTurns(messages.slice(from), stampOf, pacer);
  const stamps = known === undefined ? fresh : known.stamps.slice(0, from).concat(fresh);
  const hasCeiling = parts.policy.maxRequestBytes !== undefined;
  return {
    format,
    messages,
    views: allViews,
    tokens: allTokens,
    repairs,
    breakdown,
    total,
    fixedTokens,
    doubted: 0,
    bytes: hasCeiling ? measureBytes(input, messages, from, known?.bytes?.each) : undefined,
    settled,
    stamps,
  };
}

function continues(
  { messages, format: name }: ConversationInput,
  { settled, format, messages: before, stamps }: MeasuredConversation,
): boolean {
  if (settled === 0 || settled > messages.length || (name !== undefined && name !== format.name)) return false;
  for (let index = 0; index < settled; index++) {
    if (messages[index] !== before[index] || stampOf(messages[index]) !== stamps[index]) return false;
  }
  return settled === messages.length || format.matches(messages.slice(settled));
}

/** Length of the strings in a message, two levels deep: cheap enough for every message at every call. */
function stampOf(message: unknown): number {
  if (typeof message !== "object" || message === null) return 0;
  let stamp = 0;
  for (const key in message) {
    const field: unknown = (message as Record<string, unknown>)[key];
    if (typeof field === "string") stamp += field.length;
    else if (Array.isArray(field)) for (const part of field) stamp += 1 + textLength(part);
  }
  return stamp;
}

function textLength(part: unknown): number {
  if (typeof part !== "object" || part === null) return typeof part === "string" ? part.length : 0;
  const { text, content, thinking } = part as Record<string, unknown>;
  return lengthOf(text) + lengthOf(content) + lengthOf(thinking);
}

function lengthOf(value: unknown): number {
  return typeof value === "string" ? value.length : 0;
}

interface HealedMessages extends SizedMessages {
  readonly messages: readonly unknown[];
  readonly repairs: readonly Repair[];
  /** Index of the first message that was looked at. */
  readonly from: number;
}

/** Looks at what is not settled; damage there may reach back, so then the whole list is healed. */
async function healAndSize(
  input: ConversationInput,
  format: Format,
  known: MeasuredConversation | undefined,
  { counter, redactor }: ConversationParts,
): Promise<HealedMessages> {
  const from = known?.settled ?? 0;
  const healthy = await sizeHealthy(input.messages, from, format, counter);
  if (healthy !== undefined) return { ...healthy, messages: input.messages, repairs: [], from };
  const healed = format.heal(input.messages);
  // Reports, plans, events and errors tell them, and the ids of calls are anybody's text.
  const repairs = redactor.json(healed.repairs);
  if (input.isStrict && repairs.length > 0) throw damagedInput(repairs);
  return { ...healed, repairs, ...(await sizeMessages(healed.messages, format, counter)), from: 0 };
}

function breakDown(
  { system, tools }: ConversationInput,
  views: readonly MessageView[],
  tokens: readonly number[],
  { counter }: ConversationParts,
) {
  const inList = { system: 0, developer: 0, messages: 0 };
  for (let index = 0; index < views.length; index++) {
    const role = views[index]?.role;
    inList[role === "system" || role === "developer" ? role : "messages"] += tokens[index] ?? 0;
  }
  const beside = counter.countSystem(system);
  const schemas = counter.countTools(tools);
  const breakdown: TokenBreakdown = { ...inList, system: inList.system + beside, tools_schema: schemas };
  return { breakdown, fixedTokens: beside + schemas };
}

function damagedInput(repairs: readonly Repair[]): CompactError {
  const faults = repairs.map(({ index, kind }) => `message ${index + 1}: ${kind.replaceAll("_", " ")}`);
  const listed = `${faults.slice(0, 5).join("; ")}${faults.length > 5 ? "; ..." : ""}`;
  return new CompactError("InvalidInput", `The conversation is damaged (${listed}).`, {
    code: "DAMAGED_INPUT",
    hint: "Leave strict mode to have these repaired and listed in the report.",
    data: { faults: repairs },
  });
}
