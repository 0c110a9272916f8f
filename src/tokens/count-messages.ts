// What one message costs when it is sent: every part of it and the frame around it. Nothing is free: call
// arguments, results, thinking and opaque items count like text. Unknown shapes cost what their JSON costs.
import type { MessagePart, MessageView } from "../formats/format.ts";
import { countImage } from "./image-cost.ts";
import { memoize } from "./memo/memo-token-counter.ts";
import type { TokenCounter } from "./token-counter.ts";
import { countLargeTexts, hasLargeText } from "./turns/large-texts.ts";
import { createPacer } from "./turns/pacer.ts";

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
        Math.ceil((part.sealedLength ?? 0) * SEALED_TOKENS)
      );
    case "image":
      return countImage(part.width, part.height);
    case "opaque":
      return OPAQUE_OVERHEAD + counter.count(part.text) + Math.ceil(part.sealedLength * SEALED_TOKENS);
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
      const view = viewOf(message);
      const inTurns = hasLargeText(view) && !isKnown(message, view);
      total += countMessage(message, view, inTurns ? await countLargeTexts(view, memoized, pacer) : memoized);
      if (pacer.isDue()) await pacer.pause();
    }
    return total;
  }

  return {
    counter: memoized,
    countMessage: (message, view) => countMessage(message, view),
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
    if (part.kind === "call") size += part.name.length + part.arguments.length;
    if (part.kind === "result") size += part.images;
    if (part.kind === "image") size += (part.width ?? 0) + (part.height ?? 0);
  }
  return size;
}
