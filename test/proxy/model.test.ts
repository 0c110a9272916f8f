// Summaries by a model of the same provider, with the client's own key; and providers by path and by model.
import { describe, expect, it } from "vitest";
import { upstreamModel } from "../../src/proxy/upstream-model.ts";
import { targetOf } from "../../src/proxy/upstreams.ts";
import { ask, conversation, openTestProxy } from "./support.ts";

const KEY = "sk-ant-test-key";

describe("a model that writes the proxy's summaries", () => {
  it.each([
    ["/v1/messages", "messages", "/v1/messages"],
    ["/v1/chat/completions", "messages", "/v1/chat/completions"],
    ["/v1/responses", "input", "/v1/chat/completions"],
  ])("is asked where the conversation goes, ahead of need and in the client's name: %s", async (path, list, asked) => {
    const { address, provider } = await openTestProxy({
      config: {
        ...{ maxContextTokens: 8_000, policy: { preparePct: 0.6, onSummaryFailure: "extractive" } },
        summarizer: { model: upstreamModel("small-model") },
      },
    });
    const outcomes: (string | null)[] = [];
    for (let length = 1; length <= 24; length++) {
      const fields = { model: "gpt-4o", messages: undefined, max_tokens: undefined, [list]: conversation(length) };
      const headers = { "x-api-key": KEY, authorization: `Bearer ${KEY}`, "anthropic-version": "2023-06-01" };
      const { status, outcome } = await ask(address, [], fields, headers, path);
      expect(status).toBe(200);
      outcomes.push(outcome);
    }
    const summaries = provider.heard.filter(({ bytes }) => bytes.includes('"small-model"'));
    expect(summaries.length).toBeGreaterThan(0);
    expect(summaries.map((each) => each.path)).toEqual(summaries.map(() => asked));
    expect(summaries.every(({ headers }) => headers.includes(KEY) || headers.includes(`Bearer ${KEY}`))).toBe(true);
    expect(outcomes).toContain("compacted");
    const first = provider.heard.findIndex(({ bytes }) => bytes.includes('"small-model"'));
    expect(first).toBeLessThan(outcomes.indexOf("compacted") + 1);
  });

  it("that fails costs no request: the summary is then written by code", async () => {
    const { address, provider } = await openTestProxy({
      config: {
        ...{ maxContextTokens: 8_000, policy: { preparePct: 0.6, onSummaryFailure: "extractive" } },
        summarizer: { model: { name: "gone", complete: () => Promise.reject(new Error("no such model")) } },
      },
    });
    for (let length = 1; length <= 24; length++) expect((await ask(address, conversation(length))).status).toBe(200);
    expect(provider.heard.at(-1)?.bytes.toString()).toContain("COMPACT-SUMMARY");
  });
});

describe("the provider of a request", () => {
  const url = (text: string) => new URL(text);
  const upstreams = [
    { path: "/local", url: url("http://127.0.0.1:11434/") },
    { model: "gpt-*", url: url("https://api.openai.com/v1/") },
    { url: url("https://api.anthropic.com") },
  ];

  it.each([
    ["/local/v1/models?x=1", undefined, "http://127.0.0.1:11434", "/v1/models?x=1"],
    ["/local", undefined, "http://127.0.0.1:11434", "/"],
    ["/locally/v1", undefined, "https://api.anthropic.com", "/locally/v1"],
    ["/responses", "gpt-5.1", "https://api.openai.com", "/v1/responses"],
    ["/v1/messages", "claude-sonnet-4-5", "https://api.anthropic.com", "/v1/messages"],
    ["/v1/models", undefined, "https://api.anthropic.com", "/v1/models"],
    ["//evil.example/v1", undefined, "https://api.anthropic.com", "//evil.example/v1"],
  ])("is told by its path and its model: %s %s", (path, model, origin, target) => {
    const found = targetOf(upstreams, path, model);
    expect([found?.base.origin, found?.path]).toEqual([origin, target]);
  });

  it("is none where nothing fits", () => {
    expect(targetOf(upstreams.slice(0, 2), "/v1/messages", "claude")).toBeUndefined();
  });
});
