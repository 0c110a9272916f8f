import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createAiSdkModel } from "../../src/models/ai-sdk-model.ts";
import type { Model } from "../../src/models/model.ts";
import { type ScriptedServer, type ServerStep, startScriptedServer } from "../../src/testing.ts";
import { everythingOf, failureOf, KEY, modelRequest, PROMPT_WORDS } from "./requests.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  vi.doUnmock("ai");
  vi.resetModules();
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function serve(...steps: readonly ServerStep[]): Promise<ScriptedServer> {
  const server = await startScriptedServer(steps);
  closing.push(() => server.close());
  return server;
}

const modelAt = (baseURL: string): Model =>
  createAiSdkModel(createOpenAICompatible({ name: "local", baseURL, apiKey: KEY })("small"));
const modelOn = async (...steps: readonly ServerStep[]): Promise<Model> => modelAt((await serve(...steps)).openaiUrl);

describe("a model of the ai package", () => {
  it("sends system and prompt, and no tools", async () => {
    const server = await serve("fine");
    await modelAt(server.openaiUrl).complete(modelRequest());
    const body = server.calls[0]?.body as Record<string, unknown>;
    expect(body.messages).toEqual([
      { role: "system", content: "Summarize." },
      { role: "user", content: PROMPT_WORDS },
    ]);
    expect(body).not.toHaveProperty("tools");
  });

  it.each<[string, ServerStep, { text: string; finish: string }]>([
    ["a cut answer", { text: "## Goa", finish: "length" }, { text: "## Goa", finish: "length" }],
    ["reasoning only", { text: "", finish: "length", reasoning: "let me think" }, { text: "", finish: "length" }],
    ["a filtered answer", { text: "I ca", finish: "refusal" }, { text: "I ca", finish: "refusal" }],
    ["a tool call", { text: "", calls: ["run_tests"], finish: "calls" }, { text: "", finish: "calls" }],
    ["no reason", { text: "x", finish: "unknown" }, { text: "x", finish: "unknown" }],
  ])("reads %s", async (_, step, expected) => {
    const answer = await (await modelOn(step)).complete(modelRequest());
    expect({ text: answer.text, finish: answer.finish }).toEqual(expected);
  });

  it.each<[ServerStep, string]>([
    [{ status: 400, error: { message: "too long", code: "context_length_exceeded" } }, "MODEL_INPUT_TOO_LONG"],
    [{ status: 400, error: { message: "filtered", code: "content_filter" } }, "MODEL_REFUSED"],
    [{ status: 401, error: { message: "wrong key" } }, "MODEL_REJECTED"],
    [
      { status: 429, error: { message: "You exceeded your current quota", code: "insufficient_quota" } },
      "MODEL_REJECTED",
    ],
    [{ status: 500, error: { message: "oops" } }, "MODEL_UNAVAILABLE"],
    [{ fault: "reset" }, "MODEL_UNAVAILABLE"],
    [{ fault: "half-body" }, "MODEL_UNAVAILABLE"],
    [{ fault: "not-json" }, "MODEL_UNAVAILABLE"],
  ])("%j is %s, asked for once", async (step, code) => {
    const server = await serve(step);
    expect((await failureOf(modelAt(server.openaiUrl).complete(modelRequest()))).code).toBe(code);
    expect(server.calls).toHaveLength(1);
  });

  it("a server that is not there is unavailable", async () => {
    const server = await startScriptedServer([]);
    await server.close();
    expect((await failureOf(modelAt(server.openaiUrl).complete(modelRequest()))).code).toBe("MODEL_UNAVAILABLE");
  });

  it("hands on a wish to wait", async () => {
    const model = await modelOn({ status: 429, headers: { "retry-after": "9" }, error: { message: "slow down" } });
    expect((await failureOf(model.complete(modelRequest()))).data).toMatchObject({ status: 429, retryAfterMs: 9_000 });
  });

  it("throws nothing that holds the key, the prompt or what the provider said", async () => {
    const said = `you sent ${PROMPT_WORDS} with ${KEY}`;
    const steps: readonly ServerStep[] = [
      { status: 400, error: { message: said, code: KEY, type: KEY } },
      { status: 500, body: said },
      { status: 200, body: said },
      { fault: "reset" },
    ];
    const model = await modelOn(...steps);
    for (const _step of steps) {
      const shown = everythingOf(await failureOf(model.complete(modelRequest())));
      expect(shown).not.toContain(KEY);
      expect(shown).not.toContain("heron");
    }
  });

  it("an abort, before or during the call, is thrown as it is", async () => {
    const caller = new AbortController();
    const reason = new Error("changed my mind");
    const server = await startScriptedServer(() => {
      setTimeout(() => caller.abort(reason), 30);
      return { fault: "hang" };
    });
    closing.push(() => server.close());
    const model = modelAt(server.openaiUrl);
    await expect(model.complete(modelRequest({ signal: caller.signal }))).rejects.toBe(reason);
    await expect(model.complete(modelRequest({ signal: caller.signal }))).rejects.toBe(reason);
    expect(server.calls).toHaveLength(1);
  });

  it("says what to install when the package is not there", async () => {
    vi.doMock("ai", () => {
      throw new Error("Cannot find package 'ai'");
    });
    const failure = await failureOf(createAiSdkModel("openai/gpt-4o-mini").complete(modelRequest()));
    expect([failure.kind, failure.hint]).toEqual(["MissingDependency", "Install it: npm install ai"]);
  });
});
