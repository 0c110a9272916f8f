// One provider's conversation as another's. Everything that can be said there is; what cannot is left out and told.
// Each format is read into neutral messages and written from them: adding one is a reader and a writer.
import type { ReadNote } from "../../session-files/session-reader.ts";
import { anthropicConversion } from "../anthropic/conversion.ts";
import type { Conversation, ProviderFormat } from "../format.ts";
import { FreeNames, legalName, type NameRule } from "../names.ts";
import { chatConversion } from "../openai-chat/conversion.ts";
import { responsesConversion } from "../openai-responses/conversion.ts";
import { renameClashes } from "../repair.ts";
import type { PairedCall } from "../units.ts";
import {
  arrangeResults,
  type CallIdRule,
  type ConversionFormat,
  callsOf,
  Losses,
  type NeutralConversation,
  type NeutralMessage,
  type NeutralTool,
  pairNeutral,
  type Utterance,
} from "./neutral-conversation.ts";
import { readSystem, readTools } from "./read-content.ts";

export type { Conversation, ProviderFormat } from "../format.ts";

export interface Converted extends Conversation {
  /** One sentence for each kind of thing that was left out, or is said in another way. Never content. */
  readonly notes: readonly ReadNote[];
}

/** Adding a format is one more here. */
const FORMATS: Readonly<Record<ProviderFormat, ConversionFormat>> = {
  "openai-chat": chatConversion,
  "openai-responses": responsesConversion,
  anthropic: anthropicConversion,
};

/** What comes over and what does not is told where users find it: src/conversation.ts. Never throws. */
export function convertConversation(conversation: Conversation, to: ProviderFormat): Converted {
  if (conversation.format === to) return { ...conversation, notes: [] };
  const losses = new Losses();
  const writer = FORMATS[to];
  const system = readSystem(conversation.system, losses);
  const reader = FORMATS[conversation.format];
  const read = reader.read(conversation.messages, losses);
  const loaded = reader.toolsIn?.(conversation.messages) ?? [];
  const messages = withLegalCallIds(arrangeResults(read), writer.callIds, losses);
  const tools = readTools(
    loaded.length === 0 ? conversation.tools : [...(conversation.tools ?? []), ...loaded],
    losses,
  );
  const legal = withLegalToolNames({ system, messages, tools }, writer.toolNames, losses);
  const written = writer.write(legal, losses);
  const made = legal.tools?.map((tool) => writer.writeTool(tool, losses)) ?? [];
  return { format: to, ...written, ...(made.length === 0 ? {} : { tools: made }), notes: losses.notes() };
}

// Gives calls ids, and tools names, that the target takes: those that are legal stay as they are, the others become
// legal and stay apart from each other. The same one becomes the same everywhere.

/** Makes names legal; `fallback` stands for an empty one. */
function namer(rule: NameRule, known: Iterable<string>, fallback: string): (name: string) => string {
  const names = new FreeNames(known);
  const given = new Map<string, string>();
  return (name) => {
    const before = given.get(name);
    if (before !== undefined) return before;
    const legal = legalName(name, rule) || fallback;
    if (legal === name) names.taken.add(name);
    const chosen = legal === name ? name : names.take(legal, rule.longest);
    given.set(name, chosen);
    return chosen;
  };
}

/** Results go with their calls. */
export function withLegalCallIds(
  messages: readonly NeutralMessage[],
  rule: CallIdRule,
  losses: Losses,
): readonly NeutralMessage[] {
  const pairing = pairNeutral(messages);
  const renamed = renameClashes(pairing, (call, earlier) => !rule.mayRepeat || isOpen(earlier, call));
  const legal = namer(rule, [...pairing.calls.map(({ callId }) => callId), ...renamed.values()], "call");
  const ids = new Map(pairing.calls.map((call) => [call, legal(renamed.get(call) ?? call.callId)]));
  for (const [{ callId }, id] of ids) if (id !== callId) losses.add("call_ids");
  return messages.map((message, at) => {
    if (message.kind === "said") return withCallIds(message, pairing.callsAt(at), ids);
    const call = pairing.resultsAt(at)[0]?.call;
    const callId = (call === undefined ? undefined : ids.get(call)) ?? legal(message.callId);
    return callId === message.callId ? message : { ...message, callId };
  });
}

function isOpen(earlier: PairedCall, call: PairedCall): boolean {
  return earlier.index === call.index || earlier.results.length === 0;
}

function withCallIds(
  message: Utterance,
  calls: readonly PairedCall[],
  ids: ReadonlyMap<PairedCall, string>,
): Utterance {
  if (calls.length === 0) return message;
  const given = calls.map((call) => ids.get(call) ?? call.callId);
  let ordinal = 0;
  const parts = message.parts.map((part) =>
    part.kind === "call" ? { ...part, callId: given[ordinal++] ?? part.callId } : part,
  );
  return { ...message, parts };
}

/** In calls and in definitions alike. */
export function withLegalToolNames(
  { messages, tools, ...rest }: NeutralConversation,
  rule: NameRule,
  losses: Losses,
): NeutralConversation {
  const names = new Set([
    ...messages.flatMap((message) => callsOf(message).map(({ name }) => name)),
    ...(tools ?? []).map(({ name }) => name),
  ]);
  const legal = namer(rule, names, "unnamed_tool");
  for (const name of names) if (legal(name) !== name) losses.add("tool_names", name);
  const rename = <T extends NeutralTool>(tool: T): T => ({ ...tool, name: legal(tool.name) });
  return {
    ...rest,
    tools: tools?.map(rename),
    messages: messages.map((message) =>
      callsOf(message).every(({ name }) => legal(name) === name) ? message : renameCalls(message, legal),
    ),
  };
}

function renameCalls(message: NeutralMessage, legal: (name: string) => string): NeutralMessage {
  if (message.kind === "result") return message;
  const parts = message.parts.map((part) => (part.kind === "call" ? { ...part, name: legal(part.name) } : part));
  return { ...message, parts };
}
