// Puts each result directly after the step that made its call, in the order in which results came: two of the three
// providers want it so. What has no call, or comes twice, stays where it stands, for `heal`.
import type { MessagePart, MessageView } from "../../format.ts";
import { MISSING_RESULT } from "../../healing/notes.ts";
import { type PairedCall, type Pairing, pairCalls } from "../../pairing.ts";
import { callsOf, type NeutralMessage, type ResultMessage } from "./neutral.ts";

/** Calls of the oldest kind have no id; their provider lets them stay unanswered. */
export const LEGACY_ID = "function:";

export function arrangeResults(messages: readonly NeutralMessage[]): readonly NeutralMessage[] {
  const pairing = pairNeutral(messages);
  const callsAt = groupByMessage(pairing);
  const arranged: NeutralMessage[] = [];
  let openStep = -1;
  for (const [at, message] of messages.entries()) {
    if (message.kind === "result") {
      const first = pairing.callOf(at, 0)?.results[0];
      if (first?.index !== at) arranged.push(message);
      continue;
    }
    const calls = callsAt.get(at) ?? [];
    if (calls.length > 0) openStep = isAnswered(calls) ? -1 : arranged.length;
    arranged.push(message, ...resultsOf(calls, messages, at));
  }
  return openStep < 0 ? arranged : openStepLast(arranged, openStep);
}

/** As `pairCalls`, by message and by the ordinal of the call in it. */
export function pairNeutral(messages: readonly NeutralMessage[]): Pairing {
  return pairCalls(messages.map(viewPairs));
}

function viewPairs(message: NeutralMessage): MessageView {
  const parts: readonly MessagePart[] =
    message.kind === "result"
      ? [{ kind: "result", callId: message.callId, text: "", isError: false, images: 0 }]
      : callsOf(message).map(({ callId, name }) => ({ kind: "call", callId, name, arguments: "" }));
  return { role: "user", parts, isProtected: false, isIrreplaceable: false, joinsNext: false };
}

function groupByMessage({ calls }: Pairing): ReadonlyMap<number, readonly PairedCall[]> {
  const groups = new Map<number, PairedCall[]>();
  for (const call of calls) {
    const group = groups.get(call.index);
    if (group === undefined) groups.set(call.index, [call]);
    else group.push(call);
  }
  return groups;
}

function isAnswered(calls: readonly PairedCall[]): boolean {
  return calls.every(({ results }) => results.length > 0);
}

function resultsOf(
  calls: readonly PairedCall[],
  messages: readonly NeutralMessage[],
  at: number,
): readonly ResultMessage[] {
  const message = messages[at];
  const parts = message === undefined ? [] : callsOf(message);
  const found = calls.flatMap((call) => {
    const index = call.results[0]?.index;
    const result = index === undefined ? undefined : messages[index];
    if (index === undefined || result?.kind !== "result") return [];
    return [{ index, result: { ...result, isCustom: parts[call.ordinal]?.isCustom === true } }];
  });
  const results = found.sort((left, right) => left.index - right.index).map(({ result }) => result);
  const isLast = at === messages.length - 1;
  return isLast ? results : [...results, ...calls.flatMap(answerLegacyCall)];
}

function answerLegacyCall({ callId, results }: PairedCall): readonly ResultMessage[] {
  if (results.length > 0 || !callId.startsWith(LEGACY_ID)) return [];
  const parts = [{ kind: "text", text: MISSING_RESULT } as const];
  return [{ kind: "result", callId, parts, isPlain: true, isError: false, isCustom: false, sources: [] }];
}

/** What a host put in after calls that still wait stands before them: after, no provider but one would take it. */
function openStepLast(messages: readonly NeutralMessage[], start: number): readonly NeutralMessage[] {
  const end = messages.findIndex((message, at) => at > start && message.kind === "said");
  const after = end < 0 ? [] : messages.slice(end);
  if (!after.every((message) => message.kind === "said" && isHosts(message.role))) return messages;
  return [...messages.slice(0, start), ...after, ...messages.slice(start, end < 0 ? messages.length : end)];
}

function isHosts(role: string): boolean {
  return role === "system" || role === "developer";
}
