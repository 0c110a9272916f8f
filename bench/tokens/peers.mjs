// The counters that are measured, each opened the way its page shows: a function from text to a number of tokens.
// Plain JavaScript, so that a fresh process can run it without a compiler in its start-up time.

/** The one that the others are compared with stands first. */
export const peers = {
  "agent-compact": async () => {
    const { createTokenCounter } = await import("agent-compact/tokens");
    return createTokenCounter({ encoding: "o200k_base" }).count;
  },
  "gpt-tokenizer": async () => {
    const { countTokens } = await import("gpt-tokenizer/encoding/o200k_base");
    const options = { disallowedSpecial: new Set() };
    return (text) => countTokens(text, options);
  },
  "ai-tokenizer": async () => {
    const { default: Tokenizer } = await import("ai-tokenizer");
    const tokenizer = new Tokenizer(await import("ai-tokenizer/encoding/o200k_base"));
    return (text) => tokenizer.count(text);
  },
  "tiktoken (wasm)": async () => {
    const { get_encoding } = await import("tiktoken");
    const encoding = get_encoding("o200k_base");
    return (text) => encoding.encode(text, [], []).length;
  },
  "js-tiktoken": async () => {
    const { Tiktoken } = await import("js-tiktoken/lite");
    const { default: ranks } = await import("js-tiktoken/ranks/o200k_base");
    const encoding = new Tiktoken(ranks);
    return (text) => encoding.encode(text, [], []).length;
  },
};
