// The body of a request that carries a list of messages, read by places: what is not changed is sent on as the very bytes that
// came. What a body shares with one before it, from its start, is not read again, so that a call costs what is new.
import type { ListRequest } from "../providers/list-requests.ts";
import { withoutMarks } from "../providers/message-marks.ts";
import { sha256 } from "../storage/sha256.ts";
import { isObject, type JsonObject, toJson } from "../text/json-values.ts";
import { MESSAGE_LIMITS, parseJson } from "../text/parse-json.ts";

/** From the first byte of a JSON value to the one behind its last. */
export interface Place {
  readonly start: number;
  readonly end: number;
}

export interface RequestBody {
  readonly bytes: Buffer;
  /** Of the values of its fields, the last where a name stands twice. */
  readonly fields: ReadonlyMap<string, Place>;
  readonly list: Place;
  /** Of the messages in `list`. */
  readonly places: readonly Place[];
  /** Without marks for the provider's cache, which are no content. The objects of the body before where they say the same. */
  readonly messages: readonly JsonObject[];
  /** For each message, what names the list up to it: two lists with the same name say the same so far. */
  readonly chain: readonly string[];
  /** The values of fields that were asked for. */
  readonly read: Map<string, unknown>;
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];
const BLOCK = 65_536;

/**
 * Undefined for what is no object with a list of objects as `listName`: that is the provider's to answer. `name`: what its
 * chain begins with. `earlier`: a body that may begin with the same bytes.
 */
export function readRequestBody(
  bytes: Buffer,
  listName: string,
  name: string,
  earlier?: RequestBody,
): RequestBody | undefined {
  try {
    return readBody(bytes, listName, name, earlier);
  } catch {
    return undefined;
  }
}

function readBody(bytes: Buffer, listName: string, name: string, earlier: RequestBody | undefined): RequestBody {
  const shared = earlier === undefined ? 0 : sharedBytes(bytes, earlier.bytes);
  const isAlike = earlier !== undefined && earlier.list.start < shared;
  const known = isAlike ? earlier.places.filter(({ end }) => end <= shared) : [];
  const fields = new Map<string, Place>();
  let places: readonly Place[] | undefined;
  readFields(bytes, (key, start) => {
    const isList = key === listName && bytes[start] === OPEN_LIST;
    const items = isList && start === earlier?.list.start ? [...known] : [];
    const end = isList ? readItems(bytes, start, items) : valueEnd(bytes, start);
    if (key === listName) places = isList ? items : undefined;
    fields.set(key, { start, end });
    return end;
  });
  const list = fields.get(listName);
  if (places === undefined || list === undefined) throw new SyntaxError();
  const read = sameValues(bytes, fields, earlier);
  return { bytes, fields, list, places, ...readMessages(bytes, places, name, known, earlier), read };
}

/** Those of `known` places are the same objects. */
function readMessages(
  bytes: Buffer,
  places: readonly Place[],
  name: string,
  known: readonly Place[],
  earlier: RequestBody | undefined,
): Pick<RequestBody, "messages" | "chain"> {
  const kept = known[0] === places[0] ? known.length : 0;
  const messages = earlier?.messages.slice(0, kept) ?? [];
  const chain = earlier?.chain.slice(0, kept) ?? [];
  for (const place of places.slice(kept)) {
    const message = readValue(bytes, place);
    if (!isObject(message)) throw new SyntaxError();
    const bare = withoutMarks(message);
    const index = messages.length;
    const link = sha256(`${chain.at(-1) ?? name}\n${toJson(plain(bare))}`).slice(0, 32);
    messages.push(earlier?.chain[index] === link ? (earlier.messages[index] as JsonObject) : bare);
    chain.push(link);
  }
  return { messages, chain };
}

/** One text is the same as the list of it, as which clients write a message while a mark for the cache stands on it. */
function plain(message: JsonObject): JsonObject {
  const [only, ...others] = Array.isArray(message.content) ? (message.content as readonly unknown[]) : [];
  const isText = isObject(only) && typeof only.text === "string" && Object.keys(only).length === 2 && "type" in only;
  return isText && others.length === 0 ? { ...message, content: only.text } : message;
}

/** A value that has the same bytes as that of the body before is the same object. */
function sameValues(
  bytes: Buffer,
  fields: ReadonlyMap<string, Place>,
  earlier: RequestBody | undefined,
): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [name, value] of earlier?.read ?? []) {
    const [now, before] = [fields.get(name), earlier?.fields.get(name)];
    if (now === undefined || before === undefined || earlier === undefined) continue;
    if (bytesAt(bytes, now).equals(bytesAt(earlier.bytes, before))) values.set(name, value);
  }
  return values;
}

/** The value of a field, parsed when it is asked for; undefined for one that is not there. Throws for what is no JSON. */
export function fieldOf({ bytes, fields, read }: RequestBody, name: string): unknown {
  const place = fields.get(name);
  if (place === undefined) return undefined;
  if (!read.has(name)) read.set(name, readValue(bytes, place));
  return read.get(name);
}

function bytesAt(bytes: Buffer, { start, end }: Place): Buffer {
  return bytes.subarray(start, end);
}

export function readValue(bytes: Buffer, { start, end }: Place): unknown {
  return parseJson(bytes.toString("utf8", start, end), MESSAGE_LIMITS);
}

/** How many bytes both begin with. */
function sharedBytes(a: Buffer, b: Buffer): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  for (let size = BLOCK; size > 0; ) {
    const end = Math.min(at + size, most);
    if (end > at && a.subarray(at, end).equals(b.subarray(at, end))) at = end;
    else size = size === 1 ? 0 : Math.ceil(size / 8);
    if (at === most) break;
  }
  return at;
}

// Finds where JSON values end. What stands in them is checked when they are parsed.

/** `read` takes the name of each field of the object and the start of its value, and gives the value's end. */
function readFields(bytes: Buffer, read: (key: string, start: number) => number): void {
  let at = skipSpace(bytes, expect(bytes, skipSpace(bytes, 0), OPEN_OBJECT));
  while (bytes[at] !== CLOSE_OBJECT) {
    const keyEnd = stringEnd(bytes, expect(bytes, at, QUOTE) - 1);
    const key = JSON.parse(bytes.toString("utf8", at, keyEnd)) as string;
    const start = skipSpace(bytes, expect(bytes, skipSpace(bytes, keyEnd), COLON));
    at = skipSpace(bytes, read(key, start));
    if (bytes[at] !== COMMA) break;
    at = skipSpace(bytes, at + 1);
  }
  if (skipSpace(bytes, expect(bytes, at, CLOSE_OBJECT)) !== bytes.length) throw new SyntaxError();
}

export function skipSpace(bytes: Buffer, at: number): number {
  while (bytes[at] === 32 || bytes[at] === 10 || bytes[at] === 13 || bytes[at] === 9) at++;
  return at;
}

/** The place behind a byte that has to stand here. */
function expect(bytes: Buffer, at: number, byte: number): number {
  if (bytes[at] !== byte) throw new SyntaxError();
  return at + 1;
}

/** The elements of the list at `start` go into `items`, which may hold the first of them already; gives the list's end. */
function readItems(bytes: Buffer, start: number, items: Place[]): number {
  let at = skipSpace(bytes, items.at(-1)?.end ?? start + 1);
  if (bytes[at] === CLOSE_LIST) return at + 1;
  if (items.length > 0) at = skipSpace(bytes, expect(bytes, at, COMMA));
  for (;;) {
    const end = valueEnd(bytes, at);
    items.push({ start: at, end });
    at = skipSpace(bytes, end);
    if (bytes[at] === CLOSE_LIST) return at + 1;
    at = skipSpace(bytes, expect(bytes, at, COMMA));
  }
}

export function valueEnd(bytes: Buffer, start: number): number {
  const first = bytes[start];
  if (first === QUOTE) return stringEnd(bytes, start);
  if (first === OPEN_OBJECT || first === OPEN_LIST) return containerEnd(bytes, start);
  let at = start;
  while (at < bytes.length && !isEnd(bytes[at] as number)) at++;
  if (at === start) throw new SyntaxError();
  return at;
}

function isEnd(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_LIST || byte <= 32;
}

function containerEnd(bytes: Buffer, start: number): number {
  let open = 0;
  for (let at = start; at < bytes.length; ) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = stringEnd(bytes, at);
      continue;
    }
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) open++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) open--;
    at++;
    if (open === 0) return at;
  }
  throw new SyntaxError();
}

/** The place behind the quote that ends the string at `start`. */
function stringEnd(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start + 1); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let slashes = 0;
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  throw new SyntaxError();
}

// Bodies that a next one may begin like.

interface Bodies {
  /** As `readRequestBody`. */
  read(bytes: Buffer, wire: ListRequest): RequestBody | undefined;
}

/** What they may take together. */
const MOST_BYTES = 128 * 1024 * 1024;
const MOST_BODIES = 100;

export function createBodies(): Bodies {
  /** The newest at the end. */
  let held: RequestBody[] = [];
  return {
    read(bytes, wire) {
      const earlier = closestTo(bytes, held);
      const body = readRequestBody(bytes, wire.list, wire.format, earlier);
      if (body === undefined) return undefined;
      if (earlier !== undefined && isWithin(earlier, body)) held = held.filter((each) => each !== earlier);
      held.push(body);
      let total = 0;
      const first = held.findLastIndex((each) => {
        total += each.bytes.length;
        return total > MOST_BYTES;
      });
      held = held.slice(Math.max(first + 1, held.length - MOST_BODIES));
      return body;
    },
  };
}

/** The one with which these bytes begin alike for longest: agents of one kind differ late, so that the first bytes tell little. */
function closestTo(bytes: Buffer, held: readonly RequestBody[]): RequestBody | undefined {
  let closest: RequestBody | undefined;
  let most = 0;
  for (const body of held.toReversed()) {
    const shared = sharedBytes(bytes, body.bytes);
    if (shared > most) [closest, most] = [body, shared];
    if (shared > ALIKE * body.bytes.length) break;
  }
  return closest;
}

/** Share of a body: what comes behind the messages changes from call to call. */
const ALIKE = 0.9;

/** The later one says all that the earlier one says. */
function isWithin({ chain }: RequestBody, later: RequestBody): boolean {
  return chain.length > 0 && later.chain[chain.length - 1] === chain.at(-1);
}
