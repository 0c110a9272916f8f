// Reads a native list: which format, healed or refused, views, sizes, units, and which messages are our own
// previous summary. Everything later works on this reading; the native messages stay as they are.
import type { Format, MessageView, Repair } from "../../formats/format.ts";

import { groupUnits } from "../../formats/units.ts";
import { CompactError } from "../../errors.ts";
import type { TokenBreakdown } from "../../trace/compact-event.ts";
import type { ConversationInput, ConversationParts } from "../conversation-parts.ts";
import { sha256 } from "../fingerprint.ts";
import { partition, type StandingUnit } from "./partition.ts";
import type { SessionState } from "../session-state.ts";
import { SUMMARY_PREFIX } from "./summary-frame.ts";

export interface ReadConversation {
  readonly format: Format;
  /** Healed; the same objects where nothing was wrong. */
  readonly messages: readonly unknown[];
  readonly views: readonly MessageView[];
  readonly tokens: readonly number[];
  /** Per message: 1-based number in the caller's list, which is the number in the step's transcript. */
  readonly numbers: readonly number[];
  readonly repairs: readonly Repair[];
  readonly units: readonly StandingUnit[];
  /** Indices of our previous summary and its filler. */
  readonly replaced: ReadonlySet<number>;
  readonly previousSummary: string | undefined;
  readonly breakdown: TokenBreakdown;
  readonly total: number;
  /** Tokens of what is sent besides the messages. */
  readonly fixedTokens: number;
}

const viewMemo = new WeakMap<object, { readonly format: Format; readonly view: MessageView }>();

/** Throws `InvalidInput` when no format knows the list, or when it is damaged and `isStrict`. */
export async function readConversation(input: ConversationInput, state: SessionState, parts: ConversationParts): Promise<ReadConversation> {
  const format = findFormat(input, parts.formats);
  const { messages, repairs } = healOrRefuse(input, format);
  const views = messages.map((message) => viewOf(message, format));
  const tokens = messages.map((message, index) => parts.counter.countMessage(message, views[index] as MessageView));
  const replaced = await findPreviousSummary(messages, format, state);
  const units = partition({
    units: groupUnits(views),
    views,
    tokens,
    rolesNeverPrune: parts.policy.rolesNeverPrune,
    isProtected: (index) => views[index]?.isProtected === true || parts.protect?.(messages[index]) === true,
    isReplaced: (index) => replaced.has(index),
  });
  const breakdown = breakDown(input, views, tokens, parts);
  const fixedTokens = breakdown.system + breakdown.tools_schema - sumOf(views, tokens, "system");
  const total = breakdown.system + breakdown.developer + breakdown.tools_schema + breakdown.messages;
  const previousSummary = [...replaced].map((index) => format.summaryText(messages[index])).findLast((text) => text?.startsWith(SUMMARY_PREFIX));
  return { format, messages, views, tokens, numbers: numberMessages(input.messages, messages), repairs, units, replaced, previousSummary, breakdown, total, fixedTokens };
}

function findFormat({ messages, format: name }: ConversationInput, formats: readonly Format[]): Format {
  if (name !== undefined) return namedFormat(name, formats);
  const format = messages.length === 0 ? formats[0] : formats.find((candidate) => candidate.matches(messages));
  if (format !== undefined) return format;
  throw new CompactError("InvalidInput", `The ${messages.length} messages match no known format.`, {
    code: "UNKNOWN_FORMAT",
    hint: `Pass messages of one of: ${formats.map(({ name }) => name).join(", ")}.`,
  });
}

function namedFormat(name: string, formats: readonly Format[]): Format {
  const format = formats.find((candidate) => candidate.name === name);
  if (format !== undefined) return format;
  throw new CompactError("InvalidInput", `There is no format named ${JSON.stringify(name)}.`, {
    code: "UNKNOWN_FORMAT",
    hint: `Use one of: ${formats.map((candidate) => candidate.name).join(", ")}.`,
  });
}

function healOrRefuse({ messages, isStrict }: ConversationInput, format: Format) {
  const healed = format.heal(messages);
  if (!isStrict || healed.repairs.length === 0) return healed;
  const faults = healed.repairs.map(({ index, kind }) => `message ${index + 1}: ${kind.replaceAll("_", " ")}`);
  throw new CompactError("InvalidInput", `The conversation is damaged (${faults.slice(0, 5).join("; ")}${faults.length > 5 ? "; ..." : ""}).`, {
    code: "DAMAGED_INPUT",
    hint: "Leave strict mode to have these repaired and listed in the report.",
    data: { faults: healed.repairs },
  });
}

function viewOf(message: unknown, format: Format): MessageView {
  if (typeof message !== "object" || message === null) return format.view(message);
  const known = viewMemo.get(message);
  if (known?.format === format) return known.view;
  const view = format.view(message);
  viewMemo.set(message, { format, view });
  return view;
}

/** Recognised by the hash of the whole text, never by the marker: anyone can write the marker. */
async function findPreviousSummary(messages: readonly unknown[], format: Format, state: SessionState): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  if (state.summary_hash === null) return found;
  for (const [index, message] of messages.entries()) {
    const text = format.summaryText(message);
    if (text === undefined || !text.startsWith(SUMMARY_PREFIX) || (await sha256(text)) !== state.summary_hash) continue;
    found.add(index);
    if (index > 0 && format.isFiller(messages[index - 1])) found.add(index - 1);
  }
  return found;
}

function breakDown({ system, tools }: ConversationInput, views: readonly MessageView[], tokens: readonly number[], { counter }: ConversationParts): TokenBreakdown {
  const total = tokens.reduce((sum, count) => sum + count, 0);
  const inList = sumOf(views, tokens, "system");
  const developer = sumOf(views, tokens, "developer");
  const beside = system === undefined || system === null ? 0 : counter.countText(typeof system === "string" ? system : JSON.stringify(system));
  const schemas = tools === undefined || tools.length === 0 ? 0 : counter.countTools(tools);
  return { system: inList + beside, developer, tools_schema: schemas, messages: total - inList - developer };
}

function sumOf(views: readonly MessageView[], tokens: readonly number[], role: MessageView["role"]): number {
  return views.reduce((sum, view, index) => sum + (view.role === role ? (tokens[index] ?? 0) : 0), 0);
}

/** A repaired or inserted message takes the number of the message before it. */
function numberMessages(original: readonly unknown[], healed: readonly unknown[]): readonly number[] {
  if (original === healed) return healed.map((_, index) => index + 1);
  const position = new Map(original.map((message, index) => [message, index + 1]));
  let last = 1;
  return healed.map((message) => {
    last = position.get(message) ?? last;
    return last;
  });
}
