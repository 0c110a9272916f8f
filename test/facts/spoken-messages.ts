// Messages as the extractors read them, made by hand.
import type { FactMessage, SpokenText } from "../../src/facts/fact-message.ts";

type Said = readonly [author: SpokenText["author"], text: string];

/** One message for each text, numbered from 1 in step `step`. */
export function said(texts: readonly Said[], step = 1): readonly FactMessage[] {
  return texts.map(([author, text], index) => ({
    source: { step, message: index + 1 },
    spoken: [{ author, text }],
    calls: [],
    results: [],
    attached: [],
    thoughts: [],
  }));
}

/** What a tool printed. */
export function printed(text: string, message: number): FactMessage {
  return {
    source: { step: 1, message },
    spoken: [],
    calls: [],
    results: [{ callId: "c", text, isError: false }],
    attached: [],
    thoughts: [],
  };
}
