// The public way to a counter: by encoding or by model. The list of formats is injected, so that counting does
// not decide which providers there are.
import { CompactError } from "../errors.ts";
import type { Format, MessageView } from "../providers/format.ts";
import { createKnownMessages, createMessageCounter, type KnownMessages, plainView } from "./count-messages.ts";
import { createGptTokenCounter, createScaledTokenCounter, type GptEncoding } from "./gpt-token-counter.ts";
import { type ModelEncoding, resolveModel } from "./models.ts";
import type { LimitedTokenCounter } from "./token-counter.ts";

export type TokenCounterOptions = { readonly encoding: GptEncoding } | { readonly model: string };

export interface ModelTokenCounter extends LimitedTokenCounter {
  /** Share by which a count may be off (0.15 = 15 %); 0 when exact. */
  readonly margin: number;
  /** Tokens of a list of native messages, overhead included. Lists of no known format: their strings and JSON. */
  countMessages(messages: readonly unknown[]): number;
  /**
   * The same figure, for a server's event loop: other work runs at least every few milliseconds, whatever the messages
   * hold. Named after what differs; `countMessages` stays synchronous because a trigger inside a synchronous callback
   * needs it, and because nearly every list is counted in less than a turn of the loop.
   */
  countMessagesAsync(messages: readonly unknown[]): Promise<number>;
}

/**
 * A token counter for an encoding (`o200k_base`, `cl100k_base`) or a model's name. Unknown models are counted as
 * o200k times a cautious factor, with `isExact: false`.
 * @throws CompactError `InvalidConfig` for an unknown encoding.
 */
export function createTokenCounter(options: TokenCounterOptions, formats: readonly Format[] = []): ModelTokenCounter {
  const resolved = "encoding" in options ? encodingOf(options.encoding) : resolveModel(options.model);
  const counter = counterFor(resolved);
  const messageCounter = createMessageCounter(counter);
  /** By format: the same message may be read in more than one way. */
  const known = new Map<Format | undefined, KnownMessages>();

  function knownIn(format: Format | undefined): KnownMessages {
    const found = known.get(format) ?? createKnownMessages();
    known.set(format, found);
    return found;
  }

  return {
    ...counter,
    margin: resolved.margin,
    count: messageCounter.counter.count,
    countMessages(messages) {
      const format = formatOf(messages, formats);
      const viewOf = viewerOf(format);
      const remembered = knownIn(format);
      let total = 0;
      for (const message of messages) {
        let tokens = remembered.get(message);
        if (tokens === undefined) {
          tokens = messageCounter.countMessage(message, viewOf(message));
          remembered.set(message, tokens);
        }
        total += tokens;
      }
      return total;
    },
    countMessagesAsync: (messages) =>
      messageCounter.countMessagesAsync(messages, viewerOf(formatOf(messages, formats))),
  };
}

function formatOf(messages: readonly unknown[], formats: readonly Format[]): Format | undefined {
  return formats.find((candidate) => candidate.matches(messages));
}

function viewerOf(format: Format | undefined): (message: unknown) => MessageView {
  return format === undefined ? plainView : (message) => format.view(message);
}

/** The counter that a resolved model asks for. */
export function counterFor(model: ModelEncoding): LimitedTokenCounter {
  const exact = createGptTokenCounter({ encoding: model.encoding });
  return model.factor === 1 ? exact : createScaledTokenCounter(exact, model.factor);
}

function encodingOf(encoding: GptEncoding): ModelEncoding {
  if (encoding === "o200k_base" || encoding === "cl100k_base") {
    return { encoding, factor: 1, isExact: true, margin: 0 };
  }
  throw new CompactError("InvalidConfig", "encoding must be o200k_base or cl100k_base", {
    code: "UNKNOWN_ENCODING",
    hint: "Name a model instead, or pass your own tokenCounter.",
  });
}
