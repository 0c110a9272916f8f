// `agent-compact/tokens` names the formats by itself, so as not to load the rest: they are the same ones.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FORMATS } from "../../src/factories/formats.ts";
import { createTokenCounter as createWith } from "../../src/tokens/create-token-counter.ts";
import { createTokenCounter } from "../../src/tokens.ts";

const transcripts = new URL("../../examples/transcripts/", import.meta.url);

describe("the public counter", () => {
  it.each([
    ["coding-session.json", "openai-chat"],
    ["research.openai-responses.json", "openai-responses"],
    ["support-chat.anthropic.json", "anthropic"],
  ])("counts %s as %s", (file, name) => {
    const parsed = JSON.parse(readFileSync(new URL(file, transcripts), "utf8"));
    const messages: readonly unknown[] = Array.isArray(parsed) ? parsed : (parsed.messages ?? parsed.input);
    const format = FORMATS.find((candidate) => candidate.matches(messages));
    expect(format?.name).toBe(name);
    const tokens = createTokenCounter({ model: "gpt-4o" }).countMessages(messages);
    expect(tokens).toBe(createWith({ model: "gpt-4o" }, FORMATS).countMessages(messages));
    expect(tokens).not.toBe(createWith({ model: "gpt-4o" }, []).countMessages(messages));
  });

  it("is tested with every format there is", () => {
    expect(FORMATS.map((format) => format.name).sort()).toEqual(["anthropic", "openai-chat", "openai-responses"]);
  });
});
