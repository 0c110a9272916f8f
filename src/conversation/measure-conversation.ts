// Measures a native list: which format, healed or refused, one view and one size a message, the breakdown. Runs
// before every model call, so what an earlier look at the same list settled is not looked at again: a call costs
// what is new, plus one comparison of references a message.
import { CompactError } from "../errors.ts";
import { preferredFor } from "../providers/detect-format.ts";
import type { Format, MessageView, Repair } from "../providers/format.ts";
import { jsonBytes } from "../text/json-values.ts";
import { createPacer, mapInTurns } from "../tokens/stepwise.ts";
import type { TokenBreakdown } from "../trace/compact-event.ts";
import type { ConversationInput, ConversationParts, MessageCounter } from "./conversation-parts.ts";
import type { ConversationPolicy } from "./policy.ts";

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
  const format = known?.format ?? findFormat(input, parts);
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

// Reads and sizes a list that needs no healing, stretch by stretch: whether a stretch needs any is told in one go, so a
// long list is parted where every call before is answered. Where something is damaged the whole list has to be healed.

/** Stand for what came before a stretch: some providers let no list begin with the assistant, and in some it tells another. */
const BEFORE = [
  { role: "user", content: "What came before." },
  { role: "assistant", content: "And what was answered." },
];

interface SizedMessages {
  readonly views: readonly MessageView[];
  readonly tokens: readonly number[];
}

/** A few milliseconds of looking for damage. */
const STRETCH = 400;
/** The newest messages are measured again each time: hosts write into them while an answer streams in. */
const ALWAYS_FRESH = 4;

/** Of the messages from index `from` on, before which nothing is open; undefined when some are damaged. */
async function sizeHealthy(
  messages: readonly unknown[],
  from: number,
  format: Format,
  counter: MessageCounter,
  stretchLength = STRETCH,
): Promise<SizedMessages | undefined> {
  if (repeatsBlocks(messages, from)) return undefined;
  const pacer = createPacer();
  const views: MessageView[] = [];
  const tokens: number[] = [];
  let length = stretchLength;
  for (let start = from; ; ) {
    const end = endOfStretch(messages, start + length, format);
    const stretch = messages.slice(start, end);
    if (format.heal(start === 0 ? stretch : [...BEFORE, ...stretch]).repairs.length > 0) return undefined;
    if (pacer.isDue()) await pacer.pause();
    const sized = await sizeMessages(stretch, format, counter, pacer);
    views.length = start - from;
    tokens.length = start - from;
    for (const view of sized.views) views.push(view);
    for (const size of sized.tokens) tokens.push(size);
    if (end === messages.length) return { views, tokens };
    const settled = settledUntil(sized.views, 0);
    // Nothing is settled where one step is longer than the stretch.
    length = settled === 0 ? length * 2 : stretchLength;
    start += settled;
  }
}

async function sizeMessages(
  messages: readonly unknown[],
  format: Format,
  counter: MessageCounter,
  pacer = createPacer(),
): Promise<SizedMessages> {
  const views: MessageView[] = [];
  const tokens: number[] = [];
  for (const message of messages) {
    const view = format.view(message);
    views.push(view);
    tokens.push((await counter.countMessageInTurns?.(message, view, pacer)) ?? counter.countMessage(message, view));
    if (pacer.isDue()) await pacer.pause();
  }
  return { views, tokens };
}

/**
 * Whether a block with an id of its own (a call of a provider's own tool, say) stands twice. Where both are whole, no
 * stretch by itself would show it.
 */
function repeatsBlocks(messages: readonly unknown[], from: number): boolean {
  const ids = new Set<string>();
  for (let index = from; index < messages.length; index++) {
    for (const id of blockIds(messages[index])) {
      if (ids.has(id)) return true;
      ids.add(id);
    }
  }
  if (ids.size === 0) return false;
  for (let index = 0; index < from; index++) {
    for (const id of blockIds(messages[index])) if (ids.has(id)) return true;
  }
  return false;
}

function blockIds(message: unknown): readonly string[] {
  const content = (message as { readonly content?: unknown } | null | undefined)?.content;
  if (!Array.isArray(content)) return NO_IDS;
  const ids: string[] = [];
  for (const block of content) if (typeof block?.id === "string") ids.push(block.id);
  return ids;
}

const NO_IDS: readonly string[] = [];

/** Not within the items of one step: reasoning by itself would pass for damage. */
function endOfStretch(messages: readonly unknown[], wanted: number, format: Format): number {
  let end = Math.min(wanted, messages.length);
  while (end < messages.length && format.view(messages[end - 1]).role === "assistant") end++;
  return end;
}

/**
 * Up to where nothing can change any more: every call before is answered, the last step with calls stands behind, and so
 * do the newest messages.
 */
function settledUntil(views: readonly MessageView[], from: number): number {
  const limit = Math.min(lastStepWithCalls(views, from), views.length - ALWAYS_FRESH);
  const waiting = new Set<string>();
  let settled = from;
  for (let index = from; index <= limit; index++) {
    const isWithinStep = isAssistants(views[index - 1]) && isAssistants(views[index]);
    if (waiting.size === 0 && !isWithinStep) settled = index;
    for (const part of views[index]?.parts ?? []) {
      if (part.kind === "call") waiting.add(part.callId);
      else if (part.kind === "result") waiting.delete(part.callId);
    }
  }
  return settled;
}

function lastStepWithCalls(views: readonly MessageView[], from: number): number {
  const last = views.findLastIndex(({ parts }) => parts.some((part) => part.kind === "call"));
  if (last < from) return views.length;
  let start = last;
  while (start > from && isAssistants(views[start - 1])) start--;
  return start;
}

function isAssistants(view: MessageView | undefined): boolean {
  return view?.role === "assistant";
}

// Bytes of the request body, where the policy sets a ceiling for them. Measured like tokens: a call costs what is new.

interface RequestBytes {
  /** JSON of each message, with the comma behind it. */
  readonly each: readonly number[];
  /** System prompt, tools, and the body's own fields. */
  readonly fixed: number;
  readonly total: number;
}

/** Model, sampling options, the names of the fields. */
const BODY_BYTES = 512;

/** `known` are the sizes of the messages before `from`. */
function measureBytes(
  { system, tools }: Pick<ConversationInput, "system" | "tools">,
  messages: readonly unknown[],
  from: number,
  known: readonly number[] = [],
): RequestBytes {
  const fresh = messages.slice(from).map((message) => jsonBytes(message) + 1);
  const each = from === 0 ? fresh : known.slice(0, from).concat(fresh);
  const fixed = BODY_BYTES + jsonBytes(system) + jsonBytes(tools);
  return { each, fixed, total: each.reduce((sum, bytes) => sum + bytes, fixed) };
}

/** Bytes above the ceiling; not above 0 when all is well, or when there is no ceiling. */
export function bytesOverCeiling(
  { bytes }: { readonly bytes: RequestBytes | undefined },
  { maxRequestBytes }: Pick<ConversationPolicy, "maxRequestBytes">,
): number {
  return bytes === undefined || maxRequestBytes === undefined ? 0 : bytes.total - maxRequestBytes;
}

// Which format a list is in: the one the caller named, else one that knows its shape. Plain text is everybody's: there the
// model decides.

/** Throws `InvalidInput` (`UNKNOWN_FORMAT`). */
function findFormat(
  { messages, format: name }: ConversationInput,
  { formats, model }: Pick<ConversationParts, "formats" | "model">,
): Format {
  const isWanted = (candidate: Format) => (name === undefined ? candidate.matches(messages) : candidate.name === name);
  const isAny = name === undefined && messages.length === 0;
  const format = preferredFor(model, isAny ? formats : formats.filter(isWanted));
  if (format !== undefined) return format;
  const odd = messages.findIndex((message) => !formats.some((candidate) => candidate.matches([message])));
  const where = odd < 0 ? "" : `; message ${odd + 1} is the first that none of them knows`;
  const what =
    name === undefined
      ? `The ${messages.length} messages match no known format${where}.`
      : `There is no format named ${JSON.stringify(name)}.`;
  throw new CompactError("InvalidInput", what, {
    code: "UNKNOWN_FORMAT",
    hint: `Use one of: ${formats.map((candidate) => candidate.name).join(", ")}.`,
  });
}
