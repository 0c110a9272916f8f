// Writes a session that pi goes on from: what stays of its path, and behind it a compaction entry as its own compaction
// writes one, which says where what stays begins.
import { isObject, type JsonObject } from "../text/json-values.ts";
import { callId, isPiHeader, type PiEntry, readPath } from "./pi.ts";
import { assembleMessages } from "./session-messages.ts";
import type { SessionText } from "./session-reader.ts";
import { readLineValues } from "./session-values.ts";
import { type CompactedSession, jsonLines, linesLeft, type SessionWriter, unknownSession } from "./session-writer.ts";

export const piWriter: SessionWriter = {
  newId: () => crypto.randomUUID(),
  fileName: ({ id, now }) => `${now.replace(/[:.]/g, "-")}_${id}.jsonl`,
  resume: (_id, file) => [["pi", "--session", file]],
  write: writePiSession,
};

/** Of the files that it is known to go on from; it reads older ones by giving each entry an id, as is done here. */
const PI_VERSION = 3;
/** Entries that say what holds from there on: of those that leave, the last of a kind stays. */
const SETTINGS: ReadonlySet<unknown> = new Set(["model_change", "thinking_level_change", "session_info"]);

function writePiSession(from: SessionText, { id, now, summary, kept, results }: CompactedSession): string {
  const { values } = readLineValues(from);
  const { entries } = readPath(values);
  const left = linesLeft(assembleMessages(entries).sources, { kept });
  const first = summary === undefined ? 0 : left.first;
  const header = values.findLast(({ value }) => isPiHeader(value))?.value;
  if (
    first === Number.POSITIVE_INFINITY ||
    !isObject(header) ||
    Number(header.version ?? 1) > PI_VERSION ||
    entries.some(({ line }) => line === 0)
  )
    throw unknownSession("pi");
  const settings = new Map<unknown, PiEntry>();
  for (const entry of entries)
    if (entry.line < first && SETTINGS.has(entry.value.type)) settings.set(entry.value.type, entry);
  const staying = entries.filter(
    ({ line, isCompaction }) => line >= first && !left.dropped.has(line) && !(isCompaction && summary !== undefined),
  );
  let parentId: string | null = null;
  const chain = [...settings.values(), ...staying].map(({ value, id }): JsonObject => {
    const entry = { ...value, id, parentId };
    parentId = id;
    return isObject(value.message) ? { ...entry, message: withResult(value.message, results) } : entry;
  });
  const compaction =
    summary === undefined
      ? []
      : [
          {
            type: "compaction",
            id: crypto.randomUUID().slice(0, 8),
            parentId,
            timestamp: now,
            summary: summary.text,
            firstKeptEntryId: staying[0]?.id,
            tokensBefore: summary.tokensBefore,
            fromHook: true,
          },
        ];
  return jsonLines([{ ...header, version: PI_VERSION, id, timestamp: now }, ...chain, ...compaction]);
}

function withResult(message: JsonObject, results: CompactedSession["results"]): JsonObject {
  const shorter = message.role === "toolResult" ? results.get(callId(message.toolCallId)) : undefined;
  if (shorter === undefined) return message;
  const { details: _, ...rest } = message;
  return { ...rest, content: [{ type: "text", text: shorter }] };
}
