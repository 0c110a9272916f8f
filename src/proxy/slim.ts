// Slimming below the trigger: earlier output that is outdated, since the same call was made again or its lines stand in later
// output (a file read twice, in whole or in part), and base64 that was sent before. Done only where the provider's cache has
// gone cold, so that the prompt is written anew anyway, and kept as a head: what was slimmed once stays as it is.
import type { Archive } from "../archive/archive.ts";
import { expandCommand } from "../conversation/summary-frame.ts";
import { describeAttachment } from "../providers/attachments.ts";
import type { Format } from "../providers/format.ts";
import type { Redactor } from "../redaction/redactor.ts";
import { figure } from "../text/figures.ts";
import type { JsonObject } from "../text/json-values.ts";
import { headTail } from "../text/quote.ts";

export interface Slimming {
  /** Whole messages go there first. */
  readonly archive: Archive;
  readonly redactor: Redactor;
}

/** Characters of a result that stay. */
const KEPT = { head: 300, tail: 150 };
/** Of a result below which nothing is gained. */
const LEAST = 800;
/** Characters that must be won, or the head is not worth its file. */
const LEAST_WON = 4_000;
/** Of a result's characters, in lines that stand below: what is missing then is a line that was changed since. */
const SHARE_BELOW = 0.9;
/** Images and documents that tools gave: the newest stay, the model may be at work with them. */
const NEWEST_ATTACHMENTS = 3;
/** What an image is worth beside text: some 1,500 tokens. */
const MOST_FOR_ATTACHMENT = 6_000;

export interface Slimmed {
  readonly messages: readonly JsonObject[];
  /** UTF-16 units that left. */
  readonly won: number;
}

/**
 * The list with outdated output shortened, the originals archived as the one step of `sessionId`; undefined where too little
 * would be won. Throws `ArchiveFailed`.
 */
export async function slim(
  messages: readonly JsonObject[],
  format: Format,
  sessionId: string,
  { archive, redactor }: Slimming,
): Promise<Slimmed | undefined> {
  const outdated = outdatedResults(messages, format);
  const attachments = oldAttachments(messages, format);
  // What came since has not been sent yet.
  const answered = messages.findLastIndex((message) => format.view(message).role === "assistant");
  let won = 0;
  let ordinal = 0;
  const originals: JsonObject[] = [];
  const shorter = messages.map((message, at) => {
    if (at > answered) return message;
    const where = `whole text: ${expandCommand(`1.${originals.length + 1}`, sessionId)}`;
    const texts = format.mapResults(message, (text, callId) => {
      const why = outdated.get(nameOf(at, callId));
      const { head, tail, omitted } = headTail(text, KEPT.head, KEPT.tail);
      const isOld = why !== undefined && text.length >= LEAST;
      const short = isOld
        ? `${head}\n[${why} ${figure(omitted)} characters of this earlier output were left out here; ${where}]\n${tail}`
        : withoutBase64(text, where);
      won += text.length - short.length;
      return short;
    });
    const copy = format.mapAttachments(texts, (attachment) => {
      if (!attachments.has(ordinal++)) return undefined;
      won += Math.min(attachment.bytes, MOST_FOR_ATTACHMENT);
      return `[${describeAttachment(attachment)}, sent before and left out here; ${where}]`;
    }) as JsonObject;
    if (copy !== message) originals.push(message);
    return copy;
  });
  if (won < LEAST_WON) return undefined;
  await archive.saveTranscript(
    sessionId,
    1,
    originals.map((message) => redactor.json(message as unknown)),
  );
  return { messages: shorter, won };
}

/** An id may come twice in a session. */
function nameOf(message: number, callId: string): string {
  return `${message} ${callId}`;
}

/** By its message and its call, why a result is outdated. */
function outdatedResults(messages: readonly JsonObject[], format: Format): ReadonlyMap<string, string> {
  const calls = new Map<string, string>();
  const results = messages.flatMap((message, at) =>
    format.view(message).parts.flatMap((part) => {
      if (part.kind === "call") calls.set(part.callId, `${part.name}\n${part.arguments}`);
      if (part.kind !== "result") return [];
      return [{ name: nameOf(at, part.callId), call: calls.get(part.callId), text: part.text }];
    }),
  );
  const outdated = new Map<string, string>();
  const made = new Set<string>();
  const below = new Set<string>();
  for (const { name, call, text } of results.reverse()) {
    const lines = text.split("\n").map(withoutNumber);
    const known = lines.reduce((sum, line) => sum + (below.has(line) ? line.length : 0), 0);
    if (call !== undefined && made.has(call)) outdated.set(name, "The same call was made again below.");
    else if (known >= SHARE_BELOW * lines.reduce((sum, line) => sum + line.length, 0))
      outdated.set(name, "Its lines stand in output below.");
    else for (const line of lines) below.add(line);
    if (call !== undefined) made.add(call);
  }
  return outdated;
}

/** A line without the number that a reader of files puts before it. */
function withoutNumber(line: string): string {
  return line.replace(/^\s*\d+\s*[\t→|:]/, "").trim();
}

/** Base64 in text: of no use to a model, but for how it begins. */
function withoutBase64(text: string, where: string): string {
  return text.replace(/[\w+/-]+/g, (run) => {
    if (run.length < LEAST || !/^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])/.test(run)) return run;
    const { head, omitted } = headTail(run, 60, 0);
    return `${head}[${figure(omitted)} more characters of base64; ${where}]`;
  });
}

/** Positions, in the order of the list, of attachments that tools gave, without the newest. */
function oldAttachments(messages: readonly JsonObject[], format: Format): ReadonlySet<number> {
  const given: number[] = [];
  let ordinal = 0;
  for (const message of messages) {
    format.mapAttachments(message, ({ isInResult }) => {
      if (isInResult) given.push(ordinal);
      ordinal++;
      return undefined;
    });
  }
  return new Set(given.slice(0, -NEWEST_ATTACHMENTS));
}
