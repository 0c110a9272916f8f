// An event as a span: what every viewer draws. A run's last event is the root of its trace, its other events are the
// children; an event outside a run is a trace of its own. Each event is one span, ended when it is made.
import type { Redacted } from "../redaction/redactor.ts";
import { figure } from "../text/figures.ts";
import { cutAt, toWellFormed } from "../text/quote.ts";
import type { CompactEvent } from "./compact-event.ts";
import { randomHex } from "./emit.ts";

export interface Span {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits, unique over all traces. */
  readonly spanId: string;
  /** Absent for the root. */
  readonly parentId?: string;
  /** Milliseconds since the epoch; equal for what took no time. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly isError: boolean;
  readonly event: Redacted<CompactEvent>;
}

export function spanOf(event: Redacted<CompactEvent>): Span {
  const traceId = event.run_id ?? randomHex(32);
  // Known before the root is: children leave as soon as they have ended.
  const rootId = traceId.slice(0, 16);
  const isRoot = event.run_id === undefined || isRunEnd(event);
  return {
    traceId,
    ...(isRoot ? { spanId: rootId } : { spanId: randomHex(16), parentId: rootId }),
    ...timesOf(event),
    isError: event.event === "compact.error" || (isRunEnd(event) && event.outcome === "failed"),
    event,
  };
}

export function isRunEnd(event: CompactEvent): event is Extract<CompactEvent, { outcome: string }> {
  return event.event === "compact.preflight" || event.event === "compact.manual";
}

/** Without a start of its own an event with a duration ended when it was emitted. */
function timesOf({ at, started_at, duration_ms = 0 }: CompactEvent): Pick<Span, "startedAt" | "endedAt"> {
  const emitted = Date.parse(at);
  const startedAt = started_at === undefined ? emitted - duration_ms : Date.parse(started_at);
  return { startedAt, endedAt: startedAt + duration_ms };
}

// A span's event as flat, typed attributes: the names of OpenTelemetry's GenAI conventions where they have one, else
// `agent_compact.<field>`. What the span says itself (name, times, status) is not repeated. Bounded in size.

type AttributeValue = string | number | boolean | readonly (string | number)[];
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** What a token estimate calls a model that nobody named. */
const UNNAMED_MODEL = "unnamed";

const PREFIX = "agent_compact.";
/** Fields that the span tells, or that have a name of their own below. */
const TOLD_OTHERWISE: ReadonlySet<string> = new Set([
  ...["event", "session_id", "at", "started_at", "duration_ms", "status"],
  ...["model", "provider", "usage", "payload", "error_type", "code"],
]);
/** The conventions' word for what has no name in them. */
const OTHER = "_OTHER";
const MOST_ITEMS = 128;
const LONGEST_JSON = 8_000;
/** Collectors take about a megabyte in one request; a viewer shows far less. */
const LONGEST_TEXT = 32_000;
const MOST_CHARACTERS = 64_000;

type Entry = readonly [name: string, value: AttributeValue];

/** At most about 64,000 characters; with `agent_compact.truncated` where something did not fit. */
export function attributesOf({ event }: Span): Attributes {
  const rest = Object.entries(event).filter(([field]) => !TOLD_OTHERWISE.has(field));
  return within([
    ...conventional(event),
    ...kindOfFailure(event),
    ...rest.flatMap(([field, value]) => flatten(PREFIX + field, value)),
    // The largest comes last: it may cost itself, never a figure.
    ...summary(event),
  ]);
}

/** The conventions are in development: names as of their registry in 2026. */
function* conventional(event: CompactEvent): Generator<Entry> {
  yield ["gen_ai.conversation.id", event.session_id];
  const isCall = callsModel(event);
  // `chat` is the conventions' word for a call of a model; they have none for a compaction, and leave others to us.
  if (isCall) yield ["gen_ai.operation.name", "chat"];
  if (isRunEnd(event) || event.event === "compact.applied") yield ["gen_ai.operation.name", "compact"];
  if ("provider" in event || isCall) yield ["gen_ai.provider.name", ("provider" in event && event.provider) || OTHER];
  const model = "model" in event ? event.model : undefined;
  if (isCall || (model !== undefined && model !== UNNAMED_MODEL)) yield ["gen_ai.request.model", model ?? OTHER];
  if (isRunEnd(event) && event.outcome === "completed") yield ["gen_ai.conversation.compacted", true];
  if (event.event !== "compact.summary_created" || event.usage === undefined) return;
  yield ["gen_ai.usage.input_tokens", event.usage.input_tokens];
  yield ["gen_ai.usage.output_tokens", event.usage.output_tokens];
  yield [`${PREFIX}usage.calls`, event.usage.calls];
}

/** True of the time that a model took: for a summary that is used, or for a call that was no use. */
export function callsModel(event: CompactEvent): boolean {
  if (event.event === "compact.error") return event.attempt !== undefined;
  // Of a model that failed the usage stands beside the text that code wrote; one that was remembered took no call.
  if (event.event !== "compact.summary_created" || event.source === "extractive") return false;
  return event.usage !== undefined && event.usage.calls > 0;
}

/** `error.type` is for telling failures apart: the most precise word there is. */
function* kindOfFailure(event: CompactEvent): Generator<Entry> {
  if (event.event === "compact.warning") yield [`${PREFIX}code`, event.code];
  if (isRunEnd(event) && event.outcome === "failed") yield ["error.type", event.reason];
  if (event.event !== "compact.error") return;
  yield ["error.type", event.code ?? event.error_type];
  yield [`${PREFIX}error_type`, event.error_type];
  if (event.code !== undefined) yield [`${PREFIX}code`, event.code];
}

/**
 * Not `gen_ai.output.messages`, which is what a model answered: this text is framed, completed by code, and often has no
 * model behind it.
 */
function* summary(event: CompactEvent): Generator<Entry> {
  if (event.event === "compact.summary_created") yield [`${PREFIX}summary`, summaryText(event.payload)];
}

/** What went wrong, in a line: of a failed event. */
export function failureOf(event: CompactEvent): string {
  if (isRunEnd(event)) return event.reason;
  return "message" in event ? event.message : "";
}

/** What an event tells, in a line for people. */
export function lineOf(event: CompactEvent): string {
  switch (event.event) {
    case "compact.preflight":
    case "compact.manual":
      return event.outcome === "completed" ? change(event) : `${event.outcome}: ${event.reason}`;
    case "compact.token_estimate": {
      const share = `${(event.usage_pct * 100).toFixed(1)} %`;
      return `${count(event.t_est)} of ${count(event.max_tokens)} tokens (${share}), ${event.counting}`;
    }
    case "compact.trigger_decision":
      return `${event.triggered ? "compacts" : "does not compact"}: ${event.reason}`;
    case "compact.layer_choice": {
      const { pinned, recent_turns, tool_pairs } = event.kept;
      const stays = `${count(pinned)} pinned, ${count(recent_turns)} recent turns, ${count(tool_pairs)} tool pairs`;
      return `${count(event.pruned_count)} messages leave; stay: ${stays}`;
    }
    case "compact.summary_created":
      return `v${event.version}, ${event.source}: ${count(event.summary_tokens)} tokens`;
    case "compact.pruned_messages":
      return `${count(event.pruned_count)} messages left: ${change(event)} tokens`;
    case "compact.archival":
      return `${event.what} of step ${event.step}: ${event.location}`;
    case "compact.expired":
      return `step ${event.step} left by ${event.reason}: ${count(event.bytes)} bytes`;
    case "compact.error":
    case "compact.warning":
      return event.message;
    default: {
      const counts = Object.entries(event.counts).map(([name, value]) => `${name} ${count(value)}`);
      return counts.join(", ");
    }
  }
}

function change(event: { readonly tokens_before?: number; readonly tokens_after?: number }): string {
  return `${count(event.tokens_before)} -> ${count(event.tokens_after)}`;
}

function count(value = 0): string {
  return figure(value);
}

/** The text in a `payload`; the payload itself where it is not as we write it. */
export function summaryText(payload: string): string {
  try {
    const { summary: text } = JSON.parse(payload) as { readonly summary?: unknown };
    return typeof text === "string" ? text : payload;
  } catch {
    return payload;
  }
}

function flatten(name: string, value: unknown): readonly Entry[] {
  if (typeof value === "string" || typeof value === "boolean") return [[name, value]];
  if (typeof value === "number") return Number.isFinite(value) ? [[name, value]] : [];
  if (Array.isArray(value)) return listed(name, value);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([field, inner]) => flatten(`${name}.${field}`, inner));
}

/** How many there are is always told: the list itself may be too long to be. */
function listed(name: string, items: readonly unknown[]): readonly Entry[] {
  const count: Entry = [`${name}.count`, items.length];
  if (items.every(isScalar)) return [count, [name, ofOneType(items.slice(0, MOST_ITEMS))]];
  const json = JSON.stringify(items.slice(0, MOST_ITEMS));
  return json.length > LONGEST_JSON ? [count] : [count, [name, json]];
}

function isScalar(item: unknown): item is string | number {
  return typeof item === "string" || (typeof item === "number" && Number.isFinite(item));
}

/** The protocol knows no mixed lists. */
function ofOneType(items: readonly (string | number)[]): readonly (string | number)[] {
  return items.every((item) => typeof item === typeof items[0]) ? items : items.map(String);
}

function within(entries: readonly Entry[]): Attributes {
  const fitting: Record<string, AttributeValue> = {};
  let left = MOST_CHARACTERS;
  let isWhole = true;
  for (const [name, value] of entries) {
    const cut = typeof value === "string" ? cutAt(value, LONGEST_TEXT) : value;
    const size = name.length + sizeOf(cut);
    if (cut !== value || size > left) isWhole = false;
    if (size > left) continue;
    left -= size;
    fitting[name] = cut;
  }
  return isWhole ? fitting : { ...fitting, [`${PREFIX}truncated`]: true };
}

function sizeOf(value: AttributeValue): number {
  if (typeof value === "string") return value.length;
  return Array.isArray(value) ? value.reduce<number>((sum, item) => sum + String(item).length, 0) : 8;
}

// Makes a record small enough for a post: long strings, long lists and then everything else are cut until it fits, with
// a marker where something is missing. A span that is too large arrives shorter; it is never lost.

const CUT_MARKER = "... [truncated]";

export interface Room {
  /** Of each string, in UTF-8 bytes and without the marker. */
  readonly stringBytes: number;
  /** Of each list. */
  readonly items: number;
  /** Of each object. */
  readonly keys: number;
}

/** From generous to what surely fits: no event has 32 fields that hold lists of lists. */
const ROOMS: readonly Room[] = [
  { stringBytes: 90_000, items: 20_000, keys: 1_000 },
  { stringBytes: 45_000, items: 5_000, keys: 500 },
  { stringBytes: 15_000, items: 1_000, keys: 100 },
  { stringBytes: 4_000, items: 100, keys: 64 },
  { stringBytes: 500, items: 10, keys: 32 },
  { stringBytes: 50, items: 1, keys: 16 },
];

const encoder = new TextEncoder();

interface Encoded {
  readonly json: string;
  /** UTF-8 bytes of `json`. */
  readonly bytes: number;
}

/** The first record of `recordFor` that is at most `maxBytes` as JSON. Undefined when not even the smallest is. */
export function fitRecord(recordFor: (room: Room) => unknown, maxBytes: number): Encoded | undefined {
  for (const room of ROOMS) {
    const json = JSON.stringify(recordFor(room));
    const bytes = utf8Length(json);
    if (bytes <= maxBytes) return { json, bytes };
  }
  return undefined;
}

/** A copy in that room, without what JSON and the viewer do not have: `undefined`, and `null` in an object. */
function fitValue(value: unknown, room: Room): unknown {
  if (typeof value === "string") return cutToBytes(value, room.stringBytes);
  if (Array.isArray(value)) {
    const items = value.slice(0, room.items).map((item) => fitValue(item, room));
    return items.length < value.length ? [...items, CUT_MARKER] : items;
  }
  return typeof value === "object" && value !== null ? fitObject(value, room) : value;
}

export function fitObject(value: object, room: Room): Record<string, unknown> {
  const fitted: Record<string, unknown> = {};
  const keys = Object.keys(value);
  // Cut before anything is looked at: an object may have any number of keys.
  for (const key of keys.slice(0, room.keys)) {
    const item = (value as Record<string, unknown>)[key];
    if (item === null || item === undefined) continue;
    Object.defineProperty(fitted, cutToBytes(key, room.stringBytes), { value: fitValue(item, room), enumerable: true });
  }
  return keys.length > room.keys ? { ...fitted, [CUT_MARKER]: keys.length - room.keys } : { ...fitted };
}

/**
 * The longest beginning of whole characters with at most `maxBytes` in UTF-8, and the marker where something is missing.
 * Well-formed, since a server may refuse a post for half a character.
 */
export function cutToBytes(text: string, maxBytes: number): string {
  // No unit takes more than three bytes.
  if (text.length * 3 <= maxBytes) return toWellFormed(text);
  const { read } = encoder.encodeInto(text, new Uint8Array(maxBytes));
  return toWellFormed(read < text.length ? cutAt(text, read) + CUT_MARKER : text);
}

function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

// The version of this package where no file can be read to find it. A test holds it against package.json.
export const PACKAGE_NAME = "agent-compact";
export const PACKAGE_VERSION = "0.1.0";
