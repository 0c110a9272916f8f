// Writes an export that opencode takes in as another session and goes on from: what stays, and behind it a prompt that asks
// for a compaction and the answer that is the summary, as its own compaction writes them.
import { asArray, asText, isFilledText, isObject, type JsonObject } from "../text/json-values.ts";
import { readOpencodeSession } from "./opencode.ts";
import type { SessionText } from "./session-reader.ts";
import { readSessionValues } from "./session-values.ts";
import { type CompactedSession, linesLeft, type SessionWriter, unknownSession } from "./session-writer.ts";

export const opencodeWriter: SessionWriter = {
  newId: (before) => renamed(before ?? ""),
  fileName: ({ id }) => `${id}.json`,
  resume: (id, file) => [
    ["opencode", "import", file],
    ["opencode", "--session", id],
  ],
  write: writeOpencodeSession,
};

/** The kind and the time of an id, which put it in its place among the others. */
const PLACE = /^(?:ses|msg|prt)_[\da-f]{12}/;
const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxy";

/** Another id in the same place; with `behind`, after all that stand there, in the order of these. */
function renamed(id: string, behind = ""): string {
  const place = PLACE.exec(id)?.[0];
  if (place === undefined) throw unknownSession("opencode");
  const letters = crypto.getRandomValues(new Uint8Array(14 - behind.length));
  return `${place}${behind}${Array.from(letters, (letter) => LETTERS[letter % LETTERS.length]).join("")}`;
}

function writeOpencodeSession(from: SessionText, { id, summary, kept: staying, results }: CompactedSession): string {
  const [{ value } = { value: undefined }] = readSessionValues(from).values;
  const all = isObject(value) ? asArray(value.messages).filter(isObject) : [];
  const info = isObject(value) ? value.info : undefined;
  if (!isObject(info) || all.length === 0 || info.revert !== undefined) throw unknownSession("opencode");
  // One message a line, so that each of ours says which of theirs it begins with.
  const values = all.map((message, index) => ({ value: message, line: index + 1 }));
  const { messages, sources } = readOpencodeSession({ kind: "lines", values, faults: [] });
  if (messages.length !== readOpencodeSession(from).messages.length) throw unknownSession("opencode");
  const { first, dropped } = linesLeft(sources, { kept: staying });
  // What stays begins with a prompt: the host names one.
  const prompt = all.slice(0, first).findLastIndex(({ info: own }) => isObject(own) && own.role === "user");
  const stays = (message: JsonObject, index: number) =>
    index === prompt || (index >= prompt && !dropped.has(index + 1) && !isCompaction(message));
  const kept = summary === undefined ? all : all.filter(stays);
  const ids = new Map(kept.map(({ info: own }) => [idOf(own), renamed(idOf(own))]));
  const copies = kept.map((message) => copyOf(message, { id, ids, results }));
  const closing = summary === undefined ? [] : compaction(copies, id, summary.text);
  return `${JSON.stringify({ info: { ...info, id }, messages: [...copies, ...closing] })}\n`;
}

/** What the host compacted itself: our summary stands for it. */
function isCompaction({ info, parts }: JsonObject): boolean {
  const isSummary = isObject(info) && info.summary === true;
  return isSummary || asArray(parts).some((part) => isObject(part) && part.type === "compaction");
}

function idOf(info: unknown): string {
  return isObject(info) ? asText(info.id) : "";
}

interface Renaming {
  /** Of the new session. */
  readonly id: string;
  /** New ids of messages by the old ones. */
  readonly ids: ReadonlyMap<string, string>;
  readonly results: CompactedSession["results"];
}

function copyOf({ info, parts, ...rest }: JsonObject, { id, ids, results }: Renaming): JsonObject {
  const own = info as JsonObject;
  const messageID = ids.get(asText(own.id));
  const parentID = ids.get(asText(own.parentID));
  return {
    ...rest,
    info: {
      ...own,
      id: messageID,
      sessionID: id,
      ...(isFilledText(own.parentID) ? { parentID: parentID ?? messageID } : {}),
    },
    parts: asArray(parts)
      .filter(isObject)
      .map((part) => ({
        ...{ ...withOutput(part, results), id: renamed(asText(part.id)), messageID, sessionID: id },
        ...(isFilledText(part.tail_start_id) ? { tail_start_id: ids.get(part.tail_start_id) } : {}),
      })),
  };
}

function withOutput(part: JsonObject, results: CompactedSession["results"]): JsonObject {
  const shorter = part.type === "tool" ? results.get(asText(part.callID)) : undefined;
  if (shorter === undefined || !isObject(part.state)) return part;
  const { attachments: _, ...state } = part.state;
  return { ...part, state: { ...state, output: shorter } };
}

function compaction(kept: readonly JsonObject[], sessionID: string, text: string): readonly JsonObject[] {
  const infos = kept.map(({ info }) => info as JsonObject);
  const [asked, answered] = ["user", "assistant"].map((role) => infos.findLast((info) => info.role === role));
  const last = infos.at(-1);
  const start = infos.find((info) => info.role === "user");
  if (asked === undefined || answered === undefined || last === undefined) throw unknownSession("opencode");
  const prompt = renamed(asText(last.id), "zz1");
  const answer = renamed(asText(last.id), "zz2");
  const at =
    Math.max(...infos.map(({ time }) => (isObject(time) ? Number(time.completed ?? time.created) || 0 : 0))) + 1;
  const part = (messageID: string, rest: JsonObject) => [
    { ...rest, id: renamed(`prt${messageID.slice(3)}`), messageID, sessionID },
  ];
  const { error: _, ...whole } = answered;
  return [
    {
      info: { ...asked, id: prompt, time: { created: at }, summary: { diffs: [] } },
      parts: part(prompt, { type: "compaction", auto: false, tail_start_id: start?.id }),
    },
    {
      info: {
        ...{ ...whole, id: answer, parentID: prompt, mode: "compaction", agent: "compaction", summary: true },
        ...{ time: { created: at + 1, completed: at + 2 }, finish: "stop" },
      },
      parts: part(answer, { type: "text", text, time: { start: at + 1, end: at + 2 } }),
    },
  ];
}
