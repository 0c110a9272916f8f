// Writes a chat that Gemini CLI goes on from: the head under a new id, the summary with the model's line that it was taken
// in, as its own compaction leaves them, and the records that stay.
import { asText, isObject, type JsonObject } from "../text/json-values.ts";
import { partsOf, readGeminiChats } from "./gemini-chat.ts";
import { readGeminiCliSession } from "./gemini-cli.ts";
import type { SessionText } from "./session-reader.ts";
import { readLineValues } from "./session-values.ts";
import { type CompactedSession, jsonLines, linesLeft, type SessionWriter, unknownSession } from "./session-writer.ts";

export const geminiCliWriter: SessionWriter = {
  forgets: true,
  newId: () => crypto.randomUUID(),
  fileName: ({ id, now }) => `session-${now.slice(0, 16).replaceAll(":", "-")}-${id.slice(0, 8)}.jsonl`,
  resume: (id) => [["gemini", "--resume", id]],
  write: writeGeminiChat,
};

function writeGeminiChat(from: SessionText, { id, now, summary, kept: staying, results }: CompactedSession): string {
  const { values } = readLineValues(from);
  const head = values.find(({ value }) => isObject(value) && typeof value.projectHash === "string")?.value;
  const chats = readGeminiChats(values);
  const records = chats.at(-1)?.records() ?? [];
  if (!isObject(head) || "messages" in head || chats.length !== 1) throw unknownSession("Gemini CLI");
  // One record a line, so that each message says which record it begins with; without the host's word that its summary
  // was taken in, which is no message.
  const told = records.flatMap(({ message, isHosts }, index) =>
    isHosts && message.type === "gemini" ? [] : [{ value: message, line: index + 1 }],
  );
  const { messages, sources } = readGeminiCliSession({ kind: "lines", values: told, faults: [] });
  if (messages.length !== readGeminiCliSession(from).messages.length) throw unknownSession("Gemini CLI");
  const { first, dropped } = linesLeft(sources, { kept: staying });
  const own = records.findLastIndex(({ message, isHosts }) => isHosts && message.type === "user");
  const kept =
    summary === undefined
      ? records.slice(Math.max(0, own))
      : records.filter(({ isHosts }, index) => index + 1 >= first && !dropped.has(index + 1) && !isHosts);
  const record = (type: string, content: unknown) => ({ id: crypto.randomUUID(), timestamp: now, type, content });
  const opening =
    summary === undefined
      ? []
      : [record("user", [{ text: summary.text }]), record("gemini", "Got it. Thanks for the additional context!")];
  const { sessionId: _, ...rest } = head;
  return jsonLines([
    { sessionId: id, ...rest, startTime: now, lastUpdated: now },
    ...opening,
    ...kept.map(({ message }) => withResults(message, results)),
  ]);
}

/** The answer to a call stands in a message of its own, and once more beside the call. */
function withResults(message: JsonObject, results: CompactedSession["results"]): JsonObject {
  const shorter = (part: unknown): unknown => {
    const { functionResponse: given } = isObject(part) ? part : {};
    const text = isObject(given) ? results.get(asText(given.id)) : undefined;
    return text === undefined ? part : { functionResponse: { ...(given as JsonObject), response: { output: text } } };
  };
  const calls = Array.isArray(message.toolCalls) ? message.toolCalls : undefined;
  return {
    ...message,
    ...(message.type === "user" ? { content: partsOf(message.content).map(shorter) } : {}),
    ...(calls === undefined
      ? {}
      : { toolCalls: calls.map((call: unknown) => withShorterCall(call, shorter, results)) }),
  };
}

function withShorterCall(
  call: unknown,
  shorter: (part: unknown) => unknown,
  results: CompactedSession["results"],
): unknown {
  if (!isObject(call) || !results.has(asText(call.id))) return call;
  const { resultDisplay: _, ...rest } = call;
  return Array.isArray(call.result) ? { ...rest, result: call.result.map(shorter) } : rest;
}
