// What a model reads of images, documents and sound is a guess, and a guess refuses nothing: where a list would not fit
// because of it, it is taken for less, down to nothing. What its provider then says is no guess.
import { CompactError } from "../errors.ts";
import { holdsMedia, withoutMedia } from "../tokens/count-media.ts";
import type { MessageCounter } from "./conversation-parts.ts";
import type { PreparedCompaction } from "./layers.ts";

/** Shares of the guess that are believed, one after the other. */
const SHARES = [0.5, 0.25, 0] as const;

/** The list as it was measured; where it holds media, then with less and less believed of what they were taken for. */
export function* believingLess(prepared: PreparedCompaction): Generator<PreparedCompaction> {
  yield prepared;
  if (prepared.measured.views.some(holdsMedia)) for (const share of SHARES) yield believing(prepared, share);
}

/** Refused for tokens, which are guessed; bytes are not. */
export function isForSize(error: unknown): boolean {
  return CompactError.isInstance(error) && error.kind === "InsufficientBudget" && error.code !== "TOO_MANY_BYTES";
}

function believing({ measured, parts, ...prepared }: PreparedCompaction, share: number): PreparedCompaction {
  const counter = doubtingCounter(parts.counter, share);
  const tokens = measured.tokens.map((size, index) => {
    const view = measured.views[index];
    return view === undefined || !holdsMedia(view) ? size : counter.countMessage(measured.messages[index], view);
  });
  const lost = measured.tokens.reduce((sum, size, index) => sum + size - (tokens[index] ?? 0), 0);
  const messages = Math.max(0, measured.breakdown.messages - lost);
  const total = measured.total - measured.breakdown.messages + messages;
  const breakdown = { ...measured.breakdown, messages };
  return { ...prepared, measured: { ...measured, tokens, breakdown, total }, parts: { ...parts, counter } };
}

/** What a caller's own counter says of a message without its media, it says of its own. */
function doubtingCounter(counter: MessageCounter, share: number): MessageCounter {
  return {
    isExact: counter.isExact,
    margin: counter.margin,
    countText: (text) => counter.countText(text),
    countSystem: (system) => counter.countSystem(system),
    countTools: (tools) => counter.countTools(tools),
    countMessage: (message, view) => {
      const whole = counter.countMessage(message, view);
      if (!holdsMedia(view)) return whole;
      return whole - Math.floor((whole - counter.countMessage(message, withoutMedia(view))) * (1 - share));
    },
  };
}
