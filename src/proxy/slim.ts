// Slimming below the trigger: what a call gave that was made again later, word for word the same. The newer result stays, of the
// older one its beginning and its end. Done only where the provider's cache has gone cold, so that the prompt is written anew
// anyway, and kept as a head: what was slimmed once stays as it is.
import type { Archive } from "../archive/archive.ts";
import { expandCommand } from "../conversation/summary-frame.ts";
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

export interface Slimmed {
  readonly messages: readonly JsonObject[];
  /** UTF-16 units that left. */
  readonly won: number;
}

/**
 * The list with earlier results of repeated calls shortened, the originals archived as the one step of `sessionId`; undefined
 * where too little would be won. Throws `ArchiveFailed`.
 */
export async function slim(
  messages: readonly JsonObject[],
  format: Format,
  sessionId: string,
  { archive, redactor }: Slimming,
): Promise<Slimmed | undefined> {
  const repeated = repeatedCalls(messages, format);
  let won = 0;
  const originals: JsonObject[] = [];
  const shorter = messages.map((message) => {
    const copy = format.mapResults(message, (text, callId) => {
      if (!repeated.has(callId) || text.length < LEAST) return text;
      const { head, tail, omitted } = headTail(text, KEPT.head, KEPT.tail);
      won += omitted;
      const where = expandCommand(`1.${originals.length + 1}`, sessionId);
      return `${head}\n[The same call was made again below. ${figure(omitted)} characters of this earlier output were left out here; whole text: ${where}]\n${tail}`;
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

/** Ids of calls that were made again, with the same tool and the same arguments, and answered. */
function repeatedCalls(messages: readonly JsonObject[], format: Format): ReadonlySet<string> {
  const answered = new Set<string>();
  const calls: { readonly id: string; readonly said: string }[] = [];
  for (const part of messages.flatMap((message) => format.view(message).parts)) {
    if (part.kind === "call") calls.push({ id: part.callId, said: `${part.name}\n${part.arguments}` });
    if (part.kind === "result") answered.add(part.callId);
  }
  const last = new Map(calls.filter(({ id }) => answered.has(id)).map(({ id, said }) => [said, id]));
  return new Set(calls.flatMap(({ id, said }) => (last.has(said) && last.get(said) !== id ? [id] : [])));
}
