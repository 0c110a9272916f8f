import { afterEach, describe, expect, it } from "vitest";
import { createAnthropicModel } from "../../src/models/anthropic-model.ts";
import { type ScriptedServer, type ServerCall, type ServerStep, startScriptedServer } from "../../src/testing.ts";
import { failureOf, KEY, modelRequest, PROMPT_WORDS } from "./requests.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function serve(script: readonly ServerStep[]): Promise<ScriptedServer> {
  const server = await startScriptedServer(script);
  closing.push(() => server.close());
  return server;
}

const modelAt = (server: ScriptedServer) =>
  createAnthropicModel({ baseUrl: server.url, model: "claude-small", apiKey: KEY });
const bodyOf = (call: ServerCall | undefined) => call?.body as Record<string, unknown>;
const messageBody = (changes: Record<string, unknown>) => ({
  status: 200,
  body: { type: "message", content: [{ type: "text", text: "x" }], stop_reason: "end_turn", ...changes },
});

describe("an Anthropic model", () => {
  it("sends the system text apart, no tools, no seed, and the key in its own header", async () => {
    const server = await serve(["fine"]);
    await modelAt(server).complete(modelRequest({ seed: 42 }));
    const call = server.calls[0];
    expect(bodyOf(call)).toEqual({
      model: "claude-small",
      max_tokens: 500,
      system: "Summarize.",
      messages: [{ role: "user", content: PROMPT_WORDS }],
      temperature: 0,
    });
    expect(call?.headers["x-api-key"]).toBe(KEY);
    expect(call?.headers["anthropic-version"]).toBe("2023-06-01");
    expect(call?.headers.authorization).toBeUndefined();
  });

  it.each(["", "/", "/v1", "/v1/", "/v1/messages"])("takes a base URL that ends in '%s'", async (end) => {
    const server = await serve(["fine"]);
    await createAnthropicModel({ baseUrl: server.url + end, model: "m" }).complete(modelRequest());
    expect(server.calls[0]?.path).toBe("/v1/messages");
  });

  it.each<[string, ServerStep, { text: string; finish: string }]>([
    ["a cut answer", { text: "## Goa", finish: "length" }, { text: "## Goa", finish: "length" }],
    ["thinking only", { text: "", finish: "length", reasoning: "let me think" }, { text: "", finish: "length" }],
    ["thinking beside text", { text: "done", reasoning: "let me think" }, { text: "done", finish: "stop" }],
    ["a refusal without text", { text: "", finish: "refusal" }, { text: "", finish: "refusal" }],
    [
      "a tool call",
      { text: "Running it.", calls: ["run_tests"], finish: "calls" },
      { text: "Running it.", finish: "calls" },
    ],
    ["a stop sequence", messageBody({ stop_reason: "stop_sequence" }), { text: "x", finish: "stop" }],
    [
      "text that is not in a text block",
      messageBody({ content: [{ type: "search_result", text: "found" }, { type: "text", text: "x" }, null, "y"] }),
      { text: "x", finish: "stop" },
    ],
    ["a pause", messageBody({ stop_reason: "pause_turn" }), { text: "x", finish: "unknown" }],
    ["no reason", messageBody({ stop_reason: null }), { text: "x", finish: "unknown" }],
  ])("reads %s", async (_, step, expected) => {
    const answer = await modelAt(await serve([step])).complete(modelRequest());
    expect({ text: answer.text, finish: answer.finish }).toEqual(expected);
  });

  it("counts cached input as input", async () => {
    const usage = { input_tokens: 3, cache_creation_input_tokens: 20, cache_read_input_tokens: 100, output_tokens: 7 };
    const answer = await modelAt(await serve([messageBody({ usage })])).complete(modelRequest());
    expect(answer.usage).toEqual({ inputTokens: 123, outputTokens: 7 });
  });

  it("takes a full window for a prompt that is too long", async () => {
    const model = modelAt(await serve([messageBody({ stop_reason: "model_context_window_exceeded" })]));
    expect((await failureOf(model.complete(modelRequest()))).code).toBe("MODEL_INPUT_TOO_LONG");
  });

  it("leaves out a temperature that a model refuses, from then on", async () => {
    const server = await serve([
      { status: 400, error: { type: "invalid_request_error", message: "`temperature` is deprecated for this model." } },
      "a summary",
    ]);
    const model = modelAt(server);
    expect((await model.complete(modelRequest())).text).toBe("a summary");
    await model.complete(modelRequest());
    expect(server.calls.map((call) => "temperature" in bodyOf(call))).toEqual([true, false, false]);
  });
});
