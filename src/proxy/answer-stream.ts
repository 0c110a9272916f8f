// A stream of events in which some calls are not for the client. Until the first of them every event passes as its own bytes;
// from then on the answers that follow, each asked for with what the calls gave, become one: one beginning, one count of its
// parts, one end.
import { asArray, asText, isObject, type JsonObject, toJson } from "../text/json-values.ts";
import type { Part } from "./answer-shapes.ts";

export interface StreamEvent {
  readonly bytes: Buffer;
  /** Undefined for one that holds no JSON object. */
  readonly data: JsonObject | undefined;
}

/** What ends the whole answer. */
export interface Ending {
  readonly usage: JsonObject | undefined;
  /** All that the client sees, of all answers. */
  readonly parts: readonly Part[];
  /** It ended with calls that the client does not see, and with no other. */
  readonly isDropped: boolean;
}

export interface AnswerStream {
  /** What of an event goes on to the client. */
  take(event: StreamEvent): readonly Buffer[];
  /** What the provider has answered since the start or the last `next`. */
  answer(): JsonObject;
  /** Another answer follows. */
  next(): void;
  /** What was held back of the end. */
  end(ending: Ending): readonly Buffer[];
}

/** One API's events. */
export interface EventReader {
  /** Puts the answer together. */
  read(data: JsonObject): void;
  answer(): JsonObject;
  next(): void;
  /** A call that is not the client's was seen. */
  isTouched(): boolean;
  isEnd(event: StreamEvent): boolean;
  /** As the client sees it in its one answer; undefined for nothing. */
  shown(data: JsonObject): JsonObject | undefined;
  ended(data: JsonObject, ending: Ending): JsonObject;
}

export function createAnswerStream(reader: EventReader): AnswerStream {
  let isLater = false;
  let held: StreamEvent[] = [];
  return {
    take(event) {
      const { bytes, data } = event;
      if (data !== undefined) reader.read(data);
      if (!isLater && !reader.isTouched()) return [bytes];
      const isEnd = reader.isEnd(event);
      if (isEnd) held.push(event);
      if (data === undefined) return isEnd ? [] : [bytes];
      const shown = reader.shown(data);
      return shown === undefined ? [] : [eventBytes(shown)];
    },
    answer: () => reader.answer(),
    next() {
      isLater = true;
      held = [];
      reader.next();
    },
    end: (ending) =>
      held.map(({ bytes, data }) => (data === undefined ? bytes : eventBytes(reader.ended(data, ending)))),
  };
}

export function eventBytes(data: JsonObject): Buffer {
  const type = asText(data.type);
  return Buffer.from(`${type === "" ? "" : `event: ${type}\n`}data: ${toJson(data)}\n\n`);
}

const [LINE_FEED, RETURN] = [10, 13];

export async function* readEvents(stream: AsyncIterable<Buffer>): AsyncGenerator<StreamEvent> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = eventEnd(rest); end !== undefined; end = eventEnd(rest)) {
      yield eventOf(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  }
  if (rest.length > 0) yield eventOf(rest);
}

/** Behind the first empty line. */
function eventEnd(bytes: Buffer): number | undefined {
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) {
    const next = bytes[at + 1] === RETURN ? at + 2 : at + 1;
    if (bytes[next] === LINE_FEED) return next + 1;
  }
  return undefined;
}

function eventOf(bytes: Buffer): StreamEvent {
  const lines = bytes.toString("utf8").split(/\r?\n/);
  const text = lines.flatMap((line) => (line.startsWith("data:") ? [line.slice("data:".length)] : [])).join("\n");
  try {
    const data: unknown = JSON.parse(text);
    return { bytes, data: isObject(data) ? data : undefined };
  } catch {
    return { bytes, data: undefined };
  }
}

/** Whether a part is a call that is not for the client. */
export type IsOwn = (part: Part) => boolean;

// Anthropic: blocks by their index between one `message_start` and one `message_stop`.

export function createMessagesReader(isOwn: IsOwn): EventReader {
  let [isTouched, shownBlocks] = [false, 0];
  let message: JsonObject = {};
  let blocks: Record<string, unknown>[] = [];
  /** From the provider's indexes to the client's. */
  let places = new Map<unknown, number>();
  const start = (index: number, block: JsonObject) => {
    blocks[index] = { ...block };
    if (isOwn(block)) isTouched = true;
    else places.set(index, shownBlocks++);
  };
  return {
    read(data) {
      const { type, delta, content_block } = data;
      const index = Number(data.index);
      if (type === "message_start" && isObject(data.message)) message = data.message;
      else if (type === "content_block_start" && isObject(content_block)) start(index, content_block);
      else if (type === "content_block_delta" && isObject(delta)) addDelta(blocks[index], delta);
      else if (type === "message_delta" && isObject(delta)) message = { ...message, ...delta };
    },
    answer: () => ({ ...message, content: blocks.filter(isObject).map(withInput) }),
    next() {
      [message, blocks, places] = [{}, [], new Map()];
    },
    isTouched: () => isTouched,
    isEnd: ({ data }) => data?.type === "message_delta" || data?.type === "message_stop",
    shown(data) {
      if (asText(data.type).startsWith("message_")) return undefined;
      if (!("index" in data)) return data;
      const index = places.get(data.index);
      return index === undefined ? undefined : { ...data, index };
    },
    ended(data, { usage, isDropped }) {
      if (data.type !== "message_delta") return data;
      const delta = { ...(data.delta as JsonObject), ...(isDropped ? { stop_reason: "end_turn" } : {}) };
      return { ...data, delta, ...(usage === undefined ? {} : { usage }) };
    },
  };
}

const INPUT = "partial_json";

function addDelta(block: Record<string, unknown> | undefined, { type, ...delta }: JsonObject): void {
  if (block === undefined) return;
  for (const [name, value] of Object.entries(delta)) {
    if (name === "citation") block.citations = [...asArray(block.citations), value];
    else if (type === "signature_delta" || typeof value !== "string") block[name] = value;
    else block[name] = asText(block[name]) + value;
  }
}

function withInput({ [INPUT]: text, ...block }: JsonObject): JsonObject {
  if (typeof text !== "string" || text.trim() === "") return block;
  try {
    return { ...block, input: JSON.parse(text) };
  } catch {
    return block;
  }
}

// Chat: deltas of one message, its calls by their index.

export function createChatReader(isOwn: IsOwn): EventReader {
  let [isTouched, isLater] = [false, false];
  let first: JsonObject | undefined;
  let last: JsonObject = {};
  let message: Record<string, unknown> = { role: "assistant" };
  let calls: Record<string, unknown>[] = [];
  let finish: unknown;
  let places = new Map<number, number>();
  const indexOf = (call: JsonObject, at: number) => (typeof call.index === "number" ? call.index : at);
  const addCall = (call: JsonObject, at: number) => {
    const index = indexOf(call, at);
    calls[index] ??= {};
    addFields(calls[index], call);
    if (isOwn(calls[index])) isTouched = true;
    else if (!places.has(index)) places.set(index, places.size);
  };
  const asOne = (data: JsonObject) => ({ ...data, id: first?.id, created: first?.created });
  return {
    read(data) {
      first ??= data;
      last = data;
      const [choice] = asArray(data.choices);
      if (!isObject(choice)) return;
      finish = choice.finish_reason ?? finish;
      if (!isObject(choice.delta)) return;
      const { role: _, tool_calls, ...delta } = choice.delta;
      addFields(message, delta);
      for (const [at, call] of asArray(tool_calls).entries()) if (isObject(call)) addCall(call, at);
    },
    answer() {
      const found = calls.filter(isObject).map(({ index: _, ...call }) => call);
      const whole = found.length === 0 ? message : { ...message, tool_calls: found };
      return { ...asOne(last), choices: [{ index: 0, message: whole, finish_reason: finish }] };
    },
    next() {
      isLater = true;
      [message, calls, finish, places] = [{ role: "assistant" }, [], undefined, new Map()];
    },
    isTouched: () => isTouched,
    isEnd: ({ bytes, data }) => {
      if (data === undefined) return bytes.includes("[DONE]");
      const [choice] = asArray(data.choices);
      return !isObject(choice) || (choice.finish_reason !== null && choice.finish_reason !== undefined);
    },
    shown(data) {
      const [choice] = asArray(data.choices);
      if (!isObject(choice) || !isObject(choice.delta)) return undefined;
      const { role, tool_calls, ...others } = choice.delta;
      const delta: Record<string, unknown> = { ...others, ...(isLater || role === undefined ? {} : { role }) };
      const own = asArray(tool_calls).flatMap((call, at) => {
        const index = isObject(call) ? places.get(indexOf(call, at)) : undefined;
        return index === undefined ? [] : [{ ...(call as JsonObject), index }];
      });
      if (own.length > 0) delta.tool_calls = own;
      if (!Object.values(delta).some((value) => value !== null && value !== "")) return undefined;
      const { usage: _, ...rest } = data;
      return { ...asOne(rest), choices: [{ ...choice, delta, finish_reason: null }] };
    },
    ended(data, { usage, isDropped }) {
      const choices = asArray(data.choices).map((choice) => ({
        ...(choice as JsonObject),
        delta: {},
        ...(isDropped ? { finish_reason: "stop" } : {}),
      }));
      return { ...asOne(data), choices, ...(isObject(data.usage) && usage !== undefined ? { usage } : {}) };
    },
  };
}

/** Texts grow, but for what names or sorts something. */
function addFields(into: Record<string, unknown>, fields: JsonObject): void {
  for (const [name, value] of Object.entries(fields)) {
    const before = into[name];
    if (value === null || value === undefined) continue;
    if (isObject(value)) {
      const inner = { ...(isObject(before) ? before : {}) };
      addFields(inner, value);
      into[name] = inner;
    } else if (Array.isArray(value)) into[name] = [...asArray(before), ...value];
    else if (typeof value === "string" && !NAMES.has(name)) into[name] = asText(before) + value;
    else if (value !== "" || before === undefined) into[name] = value;
  }
}

const NAMES: ReadonlySet<string> = new Set(["id", "type", "name"]);

// Responses: items by their index in one response, events by their number.

export function createResponsesReader(isOwn: IsOwn): EventReader {
  let [isTouched, isLater, shownItems, sequence] = [false, false, 0, -1];
  let id: unknown;
  let response: JsonObject = {};
  let items: JsonObject[] = [];
  let places = new Map<unknown, number | undefined>();
  const addItem = (item: JsonObject, { type, output_index: index }: JsonObject) => {
    if (!places.has(index)) places.set(index, isOwn(item) ? undefined : shownItems++);
    isTouched ||= isOwn(item);
    if (type === "response.output_item.done") items[Number(index)] = item;
  };
  const numbered = (data: JsonObject) => ({
    ...data,
    ...("sequence_number" in data ? { sequence_number: ++sequence } : {}),
  });
  return {
    read(data) {
      if (isObject(data.response)) response = data.response;
      id ??= response.id;
      if (isObject(data.item)) addItem(data.item, data);
      if (!isTouched && !isLater) sequence = Number(data.sequence_number ?? sequence);
    },
    answer() {
      const done = items.filter(isObject);
      return { ...response, id, output: done.length > 0 ? done : asArray(response.output) };
    },
    next() {
      isLater = true;
      [response, items, places] = [{}, [], new Map()];
    },
    isTouched: () => isTouched,
    isEnd: ({ data }) => ENDS.has(data?.type),
    shown(data) {
      if (isObject(data.response)) return undefined;
      if (!("output_index" in data)) return numbered(data);
      const index = places.get(data.output_index);
      return index === undefined ? undefined : numbered({ ...data, output_index: index });
    },
    ended: (data, { usage, parts }) =>
      numbered({
        ...data,
        response: { ...(data.response as JsonObject), id, output: parts, ...(usage === undefined ? {} : { usage }) },
      }),
  };
}

const ENDS: ReadonlySet<unknown> = new Set(["response.completed", "response.incomplete", "response.failed"]);
