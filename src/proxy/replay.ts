// A head and what stands behind it, as bytes. A head is written once, so that it stays the same; what stands behind it is never
// written anew.
import type { ListRequest } from "../providers/list-requests.ts";
import { asArray, isObject, type JsonObject, toJson } from "../text/json-values.ts";
import type { Head, HeadPiece } from "./heads.ts";
import { type RequestBody, readValue, skipSpace, valueEnd } from "./request-body.ts";

interface HeadText {
  readonly bytes: Buffer;
  /** Bytes of its last message. */
  readonly last: number;
}

/** Written once, so that it stays the same bytes. */
const texts = new WeakMap<Head, HeadText>();

function textOf(head: Head, body: RequestBody): HeadText {
  const known = texts.get(head);
  if (known !== undefined) return known;
  const pieces = head.pieces.map((piece) => pieceText(piece, body));
  const text = { bytes: Buffer.from(pieces.join(",")), last: Buffer.byteLength(pieces.at(-1) ?? "") };
  texts.set(head, text);
  return text;
}

/** How many `replay` would give, but for a mark. */
export function sentBytes(body: RequestBody, head: Head | undefined): number {
  const { bytes, list, places } = body;
  if (head === undefined) return bytes.length;
  return bytes.length - (places[head.covers]?.start ?? list.end) + list.start + textOf(head, body).bytes.length;
}

/** The body to send in the place of one that begins with what the head stands for. */
export function replay(body: RequestBody, head: Head, wire: ListRequest): Buffer {
  const { bytes, list, places } = body;
  const next = places[head.covers];
  const behind = bytes.subarray(next?.start ?? list.end - 1);
  const comma = Buffer.from(next === undefined ? "" : ",");
  return Buffer.concat([bytes.subarray(0, list.start + 1), ...headBytes(head, body, behind, wire), comma, behind]);
}

/** As it came, unless it carries a mark for the cache, which belongs where the client has it now. */
function pieceText(piece: HeadPiece, { bytes, places, messages }: RequestBody): string {
  if (typeof piece !== "number") return toJson(piece);
  const { start, end } = places[piece] as { start: number; end: number };
  const raw = bytes.toString("utf8", start, end);
  return MARK.test(raw) ? toJson(messages[piece]) : raw;
}

const MARK = /"(?:cache_control|prompt_cache_breakpoint)"/;
/** That Anthropic takes. */
const MOST_MARKS = 4;

/**
 * With a mark for the cache on its last block, where the client sets such marks and one more may be set: the head is what is
 * read again by every request until the next compaction, however much stands behind it.
 */
function headBytes(head: Head, body: RequestBody, behind: Buffer, { format }: ListRequest): readonly Buffer[] {
  const text = textOf(head, body);
  const last = head.pieces.at(-1);
  if (format !== "anthropic" || last === undefined || !body.bytes.includes(ANTHROPIC_MARK)) return [text.bytes];
  const marks = countMarks(body.bytes.subarray(0, body.list.start)) + countMarks(behind);
  const message = typeof last === "number" ? body.messages[last] : last;
  const marked = marks < MOST_MARKS ? withMark(message, lastMark(body.bytes)) : undefined;
  if (marked === undefined) return [text.bytes];
  return [text.bytes.subarray(0, text.bytes.length - text.last), Buffer.from(toJson(marked))];
}

const ANTHROPIC_MARK = '"cache_control"';

function countMarks(bytes: Buffer): number {
  let marks = 0;
  for (let at = bytes.indexOf(ANTHROPIC_MARK); at !== -1; at = bytes.indexOf(ANTHROPIC_MARK, at + 1)) marks++;
  return marks;
}

/** The client's own: one that holds longer than those before it would be refused. */
function lastMark(bytes: Buffer): unknown {
  const colon = skipSpace(bytes, bytes.lastIndexOf(ANTHROPIC_MARK) + ANTHROPIC_MARK.length);
  const start = skipSpace(bytes, colon + 1);
  return readValue(bytes, { start, end: valueEnd(bytes, start) });
}

const TAKES_MARK: ReadonlySet<unknown> = new Set(["text", "tool_use", "tool_result", "image", "document"]);

/** Undefined where its last block takes none. */
function withMark(message: JsonObject | undefined, cache_control: unknown): JsonObject | undefined {
  if (message === undefined || !isObject(cache_control)) return undefined;
  const mark = { cache_control };
  const { content } = message;
  if (typeof content === "string")
    return content === "" ? undefined : { ...message, content: [{ type: "text", text: content, ...mark }] };
  const last: unknown = Array.isArray(content) ? content.at(-1) : undefined;
  if (!isObject(last) || !TAKES_MARK.has(last.type) || last.text === "") return undefined;
  return { ...message, content: [...asArray(content).slice(0, -1), { ...last, ...mark }] };
}
