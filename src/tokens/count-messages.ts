// What one message costs when it is sent: every part of it and the frame around it. Nothing is free: call
// arguments, results, thinking and opaque items count like text. Unknown shapes cost what their JSON costs.
import type { MessagePart, MessageRole, MessageView } from "../providers/format.ts";
import { countAllMedia, countImage } from "./count-media.ts";
import { memoize } from "./memo-token-counter.ts";
import { createPacer, type Pacer } from "./stepwise.ts";
import type { TokenCounter } from "./token-counter.ts";

/**
 * OpenAI's published rule for chat messages: 3 tokens around each message plus its role, which is 1 token in
 * every encoding. The 3 tokens that prime the answer belong to the request, not to a message: the buffer holds them.
 */
export const MESSAGE_OVERHEAD = 4;
/** JSON keys and brackets around a call's name, arguments and id; no provider publishes a figure. */
const CALL_OVERHEAD = 8;
/**
 * Encrypted or binary content, per base64 character: 3 bytes in 4 characters, 4 bytes of text a token. Counted as text,
 * base64 costs four times that, and a session with much reasoning would be compacted at half its true size.
 */
const SEALED_TOKENS = 3 / 16;
const RESULT_OVERHEAD = 4;
const OPAQUE_OVERHEAD = 4;

/** Tokens of one message by the product's own rules, `countMessage` not asked. Never throws, never negative. */
export function countView(view: MessageView, counter: TokenCounter): number {
  let total = MESSAGE_OVERHEAD;
  for (const part of view.parts) total += countPart(part, counter);
  return total;
}

function countPart(part: MessagePart, counter: TokenCounter): number {
  switch (part.kind) {
    case "text":
      return counter.count(part.text);
    case "thinking":
      return Math.max(counter.count(part.text), Math.ceil(part.sealedLength * SEALED_TOKENS));
    case "call":
      return CALL_OVERHEAD + counter.count(part.callId) + counter.count(part.name) + counter.count(part.arguments);
    case "result":
      return (
        RESULT_OVERHEAD +
        counter.count(part.callId) +
        counter.count(part.text) +
        countPictures(part) +
        countAllMedia(part.media) +
        Math.ceil((part.sealedLength ?? 0) * SEALED_TOKENS)
      );
    case "image":
      return countImage(part.width, part.height);
    case "opaque":
      return (
        OPAQUE_OVERHEAD +
        counter.count(part.text) +
        countAllMedia(part.media) +
        Math.ceil(part.sealedLength * SEALED_TOKENS)
      );
  }
}

/** An image of a result costs what it would cost in a user's message. */
function countPictures({ images, pictures = [] }: MessagePart & { readonly kind: "result" }): number {
  const unknown = Math.max(0, images - pictures.length) * countImage(undefined, undefined);
  return pictures.reduce((sum, { width, height }) => sum + countImage(width, height), unknown);
}

export interface MessageCounter {
  /** The counter beneath, with a memo. */
  readonly counter: TokenCounter;
  /** Tokens of one message. `message` is the native object, used for the memo and for the caller's own `countMessage`. */
  countMessage(message: unknown, view: MessageView): number;
  /** The same; other work runs in between where a text is large, and nowhere else. */
  countMessageInTurns(message: unknown, view: MessageView, pacer: Pacer): Promise<number>;
  /** Tokens of each message, same order. `views[i]` was read from `messages[i]`. */
  countEach(messages: readonly unknown[], views: readonly MessageView[]): readonly number[];
  /** Sum of `countEach`. */
  countMessages(messages: readonly unknown[], views: readonly MessageView[]): number;
  /** The same sum; other work runs in between, even inside one large text. Views are read on the way. */
  countMessagesAsync(messages: readonly unknown[], viewOf: (message: unknown) => MessageView): Promise<number>;
}

interface Known {
  readonly size: number;
  readonly tokens: number;
}

/**
 * Counts messages with a memo: by the identity of the native object, then by the content of its parts. A
 * message that was changed in place is counted anew (its parts have another length). A caller's `countMessage`
 * decides where there is one.
 */
export function createMessageCounter(counter: TokenCounter): MessageCounter {
  const memoized = memoize(counter);
  const byIdentity = new WeakMap<object, Known>();

  function countAnew(message: unknown, view: MessageView, using: TokenCounter): number {
    return using.countMessage === undefined ? countView(view, using) : tokensOf(using.countMessage(view, message));
  }

  function countMessage(message: unknown, view: MessageView, using = memoized): number {
    if (typeof message !== "object" || message === null) return countAnew(message, view, using);
    const size = sizeOf(view);
    const known = byIdentity.get(message);
    if (known?.size === size) return known.tokens;
    const tokens = countAnew(message, view, using);
    byIdentity.set(message, { size, tokens });
    return tokens;
  }

  function isKnown(message: unknown, view: MessageView): boolean {
    return typeof message === "object" && message !== null && byIdentity.get(message)?.size === sizeOf(view);
  }

  async function countMessageInTurns(message: unknown, view: MessageView, pacer: Pacer): Promise<number> {
    const isLarge = hasLargeText(view) && !isKnown(message, view);
    return countMessage(message, view, isLarge ? await countLargeTexts(view, memoized, pacer) : memoized);
  }

  function countEach(messages: readonly unknown[], views: readonly MessageView[]): readonly number[] {
    return views.map((view, index) => countMessage(messages[index], view));
  }

  async function countMessagesAsync(
    messages: readonly unknown[],
    viewOf: (message: unknown) => MessageView,
  ): Promise<number> {
    const pacer = createPacer();
    // What led here took its time of this turn, and the first count opens the encoding.
    await pacer.pause();
    let total = 0;
    for (const message of messages) {
      total += await countMessageInTurns(message, viewOf(message), pacer);
      if (pacer.isDue()) await pacer.pause();
    }
    return total;
  }

  return {
    counter: memoized,
    countMessage: (message, view) => countMessage(message, view),
    countMessageInTurns,
    countEach,
    countMessagesAsync,
    countMessages: (messages, views) => countEach(messages, views).reduce((sum, tokens) => sum + tokens, 0),
  };
}

/** A caller's counter is not ours to trust: a NaN here would switch the trigger off for good. */
function tokensOf(value: number): number {
  return Number.isFinite(value) && value > 0 ? value : 0;
}

function sizeOf(view: MessageView): number {
  let size = view.parts.length;
  for (const part of view.parts) {
    if ("text" in part) size += part.text.length;
    if ("sealedLength" in part) size += part.sealedLength ?? 0;
    if ("media" in part) for (const { bytes } of part.media ?? []) size += bytes;
    if (part.kind === "call") size += part.name.length + part.arguments.length;
    if (part.kind === "result") size += part.images;
    if (part.kind === "image") size += (part.width ?? 0) + (part.height ?? 0);
  }
  return size;
}

// JSON of a value that nobody checked, for counting: never throws.

/** `JSON.stringify` without blanks; the empty string for what has no JSON (functions, cycles, `undefined`). */
export function compactJson(value: unknown): string {
  try {
    return JSON.stringify(value, bigintAsText) ?? "";
  } catch {
    return "";
  }
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

// Reads a message of no known format for counting: role and strings, all else as JSON. Formats do better.

const ROLES: readonly string[] = ["system", "developer", "user", "assistant", "tool"] satisfies readonly MessageRole[];

/** Never throws. Text in `content` counts as text; a message without `content` counts as its JSON. */
export function plainView(message: unknown): MessageView {
  return {
    role: roleOf(message),
    parts: partsOf(message),
    isProtected: false,
    isIrreplaceable: false,
    joinsNext: false,
  };
}

function roleOf(message: unknown): MessageRole {
  const role = fieldOf(message, "role");
  return typeof role === "string" && ROLES.includes(role) ? (role as MessageRole) : "user";
}

function partsOf(message: unknown): readonly MessagePart[] {
  if (typeof message === "string") return [{ kind: "text", text: message }];
  if (message === undefined || message === null) return [];
  const {
    content,
    role: _,
    ...rest
  } = typeof message === "object" ? (message as Record<string, unknown>) : { content: message };
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  const parts = blocks.flatMap(blockParts);
  return Object.keys(rest).length === 0
    ? parts
    : [...parts, { kind: "opaque", type: "fields", text: compactJson(rest), sealedLength: 0 }];
}

function blockParts(block: unknown): readonly MessagePart[] {
  if (block === undefined || block === null || block === "") return [];
  if (typeof block === "string") return [{ kind: "text", text: block }];
  const text = fieldOf(block, "text");
  if (typeof text === "string") return [{ kind: "text", text }];
  return [{ kind: "opaque", type: "unknown", text: compactJson(block), sealedLength: 0 }];
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

// Remembers the tokens of whole messages by their identity, so that a list that grew by one message costs a glance at
// each old one: it is not even read into a view. A message that was changed in place has another size.

export interface KnownMessages {
  /** Tokens of this very message; undefined when it is new or was changed. */
  get(message: unknown): number | undefined;
  set(message: unknown, tokens: number): void;
}

interface KnownMessage {
  readonly size: number;
  readonly tokens: number;
}

export function createKnownMessages(): KnownMessages {
  const known = new WeakMap<object, KnownMessage>();
  return {
    get(message) {
      if (typeof message !== "object" || message === null) return undefined;
      const found = known.get(message);
      return found !== undefined && found.size === contentSizeOf(message) ? found.tokens : undefined;
    },
    set(message, tokens) {
      if (typeof message === "object" && message !== null) known.set(message, { size: contentSizeOf(message), tokens });
    },
  };
}

/** Values looked at in one message; a larger one, or one that holds itself, is counted anew each time. */
const MOST_VALUES = 5_000;

/** Grows with every string and field; NaN, equal to nothing, where that would take too long to tell. */
function contentSizeOf(message: object): number {
  let values = 0;

  function add(value: unknown): number {
    if (++values > MOST_VALUES) return Number.NaN;
    if (typeof value === "string") return value.length + 1;
    if (typeof value === "number") return value;
    if (typeof value !== "object" || value === null) return value === true ? 2 : 1;
    let size = 1;
    for (const key in value) {
      size += key.length + add((value as Record<string, unknown>)[key]);
      if (Number.isNaN(size)) break;
    }
    return size;
  }

  return add(message);
}

// Counts the large texts of a message in steps with pauses between them, ahead of the message itself. One megabyte
// without a break takes a tenth of a second; nobody's heartbeat should wait that long.

/** UTF-16 units; a smaller text is counted in a few milliseconds whatever it holds. */
const LARGE = 32_768;

/** A counter that knows the large texts of `view` by now; `counter` itself where there are none. */
async function countLargeTexts(view: MessageView, counter: TokenCounter, pacer: Pacer): Promise<TokenCounter> {
  const counted = new Map<string, number>();
  for (const text of view.parts.flatMap(textsOf)) {
    if (text.length > LARGE && !counted.has(text)) counted.set(text, await countInTurns(text, counter, pacer));
  }
  return { ...counter, count: (text) => counted.get(text) ?? counter.count(text) };
}

function hasLargeText(view: MessageView): boolean {
  return view.parts.some((part) => textsOf(part).some((text) => text.length > LARGE));
}

async function countInTurns(text: string, counter: TokenCounter, pacer: Pacer): Promise<number> {
  const steps = counter.countSteps?.(text);
  if (steps === undefined) return counter.count(text);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (pacer.isDue()) await pacer.pause();
  }
}

function textsOf(part: MessagePart): readonly string[] {
  if (part.kind === "call") return [part.arguments];
  return "text" in part ? [part.text] : [];
}
