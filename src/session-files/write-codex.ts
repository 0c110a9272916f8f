// Writes a rollout file that Codex goes on from: the head of the session and its last settings, and one compaction, as its
// own writes it, whose list is the summary and what stays.
import { asArray, asText, isObject, type JsonObject } from "../text/json-values.ts";
import { readTranscript } from "./codex.ts";
import type { SessionText } from "./session-reader.ts";
import { readSessionValues, type SessionValue } from "./session-values.ts";
import { type CompactedSession, jsonLines, type SessionWriter, unknownSession } from "./session-writer.ts";

export const codexWriter: SessionWriter = {
  forgets: true,
  newId: () => crypto.randomUUID(),
  fileName: ({ id, now }) => `rollout-${now.slice(0, 19).replaceAll(":", "-")}-${id}.jsonl`,
  resume: (id) => [["codex", "resume", id]],
  write: writeCodexSession,
};

function writeCodexSession(from: SessionText, { id, now, summary, kept: staying, results }: CompactedSession): string {
  const { values } = readSessionValues(from);
  const transcript = readTranscript(values);
  const lines = values.flatMap(({ value }) => (isObject(value) && isObject(value.payload) ? [value] : []));
  const ofType = (type: string) => lines.findLast((line) => line.type === type);
  const [head, settings] = [ofType("session_meta"), ofType("turn_context")];
  if (head === undefined || values.some(({ line }) => line === 0)) throw unknownSession("Codex");
  const raw = new Map(
    values.flatMap(({ value, line }) =>
      isObject(value) && value.type === "response_item" ? [[line, value.payload]] : [],
    ),
  );
  const sent = summary === undefined ? lastList(values, transcript) : undefined;
  const pieces = transcript.pieces.filter(({ line }, index) => staying.has(index) && line > (sent?.line ?? 0));
  const items = pieces.map(({ item, line }) => (raw.get(line) as JsonObject | undefined) ?? item);
  const kept = [...(sent?.list ?? []), ...items]
    .map((item) => withOutput(item, results))
    // Behind a compaction Codex says anew what it says to every session, and its own leave it out.
    .filter(({ role }) => role !== "developer");
  const said =
    summary === undefined
      ? []
      : [{ type: "message", role: "user", content: [{ type: "input_text", text: summary.text }] }];
  const { payload } = head as { readonly payload: JsonObject };
  const named = { ...payload, id, ...("session_id" in payload ? { session_id: id } : {}), timestamp: now };
  const compacted = { message: summary?.text ?? "", replacement_history: [...said, ...kept] };
  const isNumbered = "ordinal" in head;
  const written = [
    { ...head, timestamp: now, payload: named },
    ...(settings === undefined ? [] : [{ ...settings, timestamp: now }]),
    { timestamp: now, type: "compacted", payload: compacted },
  ];
  return jsonLines(isNumbered ? written.map((line, ordinal) => ({ ...line, ordinal })) : written);
}

/** What the host itself compacted last: without a summary of ours, that is what it goes on from. */
function lastList(
  values: readonly SessionValue[],
  { compactions }: ReturnType<typeof readTranscript>,
): { readonly list: readonly JsonObject[]; readonly line: number } | undefined {
  const last = values.findLast(({ value }) => isObject(value) && value.type === "compacted");
  const { payload } = (last?.value ?? {}) as JsonObject;
  const list = isObject(payload) ? asArray(payload.replacement_history).filter(isObject) : [];
  return last === undefined || compactions.length === 0 || list.length === 0 ? undefined : { list, line: last.line };
}

function withOutput(item: JsonObject, results: CompactedSession["results"]): JsonObject {
  const shorter = "output" in item ? results.get(asText(item.call_id)) : undefined;
  return shorter === undefined ? item : { ...item, output: shorter };
}
