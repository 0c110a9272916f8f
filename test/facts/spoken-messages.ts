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
    thoughts: [],
  }));
}

/** A message of the assistant that calls a tool, saying `text` before it. */
export function calling(text: string, name: string, input: Record<string, unknown>, message: number): FactMessage {
  const strings = Object.values(input).filter((value) => typeof value === "string");
  return {
    source: { step: 1, message },
    spoken: text === "" ? [] : [{ author: "assistant", text }],
    calls: [{ callId: `c${message}`, name, input, texts: strings }],
    results: [],
    thoughts: [],
  };
}

/** What a tool printed. */
export function printed(text: string, message: number): FactMessage {
  return {
    source: { step: 1, message },
    spoken: [],
    calls: [],
    results: [{ callId: "c", text, isError: false }],
    thoughts: [],
  };
}
