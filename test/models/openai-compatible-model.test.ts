import { afterEach, describe, expect, it } from "vitest";
import { createOpenaiCompatibleModel } from "../../src/models/openai-compatible-model.ts";
import { type ScriptedServer, type ServerCall, type ServerStep, startScriptedServer } from "../../src/testing.ts";
import { failureOf, KEY, modelRequest } from "./requests.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function serve(script: readonly ServerStep[] | ((call: ServerCall) => ServerStep)): Promise<ScriptedServer> {
  const server = await startScriptedServer(script);
  closing.push(() => server.close());
  return server;
}

const modelAt = (server: ScriptedServer) =>
  createOpenaiCompatibleModel({ baseUrl: server.openaiUrl, model: "small", apiKey: KEY });

const bodyOf = (call: ServerCall | undefined) => call?.body as Record<string, unknown>;

describe("an OpenAI-compatible model", () => {
  it("sends no tools, no seed that was not given, and the key as a bearer token", async () => {
    const server = await serve(["fine"]);
    await modelAt(server).complete(modelRequest());
    const call = server.calls[0];
    expect(Object.keys(bodyOf(call)).sort()).toEqual(["max_tokens", "messages", "model", "stream", "temperature"]);
    expect(call?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(call?.path).toBe("/v1/chat/completions");
  });

  it("needs no key, takes one with a line end on it, and lets headers of the user win", async () => {
    const server = await serve(["fine"]);
    const baseUrl = server.openaiUrl;
    await createOpenaiCompatibleModel({ baseUrl, model: "m" }).complete(modelRequest());
    await createOpenaiCompatibleModel({ baseUrl, model: "m", apiKey: `${KEY}\n` }).complete(modelRequest());
    await createOpenaiCompatibleModel({
      baseUrl,
      model: "m",
      apiKey: KEY,
      headers: { Authorization: "Basic x" },
    }).complete(modelRequest());
    expect(server.calls.map(({ headers }) => headers.authorization)).toEqual([undefined, `Bearer ${KEY}`, "Basic x"]);
  });

  it.each([
    ["/v1/", "/v1/chat/completions"],
    ["/v1/chat/completions", "/v1/chat/completions"],
    ["/deployments/d?api-version=3", "/deployments/d/chat/completions?api-version=3"],
  ])("finds its place below the base URL %s", async (base, path) => {
    const server = await serve(["fine"]);
    await createOpenaiCompatibleModel({ baseUrl: server.url + base, model: "m" }).complete(modelRequest());
    expect(server.calls[0]?.path).toBe(path);
  });

  it.each<[string, ServerStep, { text: string; finish: string }]>([
    [
      "a cut answer",
      { text: "## Goals\n- ship the lex", finish: "length" },
      { text: "## Goals\n- ship the lex", finish: "length" },
    ],
    ["reasoning only", { text: "", finish: "length", reasoning: "let me think" }, { text: "", finish: "length" }],
    ["reasoning beside text", { text: "done", reasoning: "let me think" }, { text: "done", finish: "stop" }],
    ["a filtered answer", { text: "I ca", finish: "refusal" }, { text: "I ca", finish: "refusal" }],
    ["a refusal beside no text", { refusal: "I cannot help with that" }, { text: "", finish: "refusal" }],
    ["a tool call", { calls: ["run_tests"], finish: "calls" }, { text: "", finish: "calls" }],
    ["a tool call that says stop", { calls: ["run_tests"] }, { text: "", finish: "calls" }],
    ["text in parts", { text: "one two", asParts: true }, { text: "one two", finish: "stop" }],
    ["no reason", { text: "x", finish: "unknown" }, { text: "x", finish: "unknown" }],
    ["no choices", { status: 200, body: { choices: [] } }, { text: "", finish: "unknown" }],
    [
      "null content",
      { status: 200, body: { choices: [{ finish_reason: "stop", message: { content: null } }] } },
      { text: "", finish: "stop" },
    ],
    [
      "a refusal as a part",
      {
        status: 200,
        body: { choices: [{ finish_reason: "stop", message: { content: [{ type: "refusal", refusal: "no" }] } }] },
      },
      { text: "", finish: "refusal" },
    ],
    [
      "names of another dialect",
      { status: 200, body: { choices: [{ finish_reason: "constructor", message: { content: "x" } }] } },
      { text: "x", finish: "unknown" },
    ],
  ])("reads %s", async (_, step, expected) => {
    const answer = await modelAt(await serve([step])).complete(modelRequest());
    expect({ text: answer.text, finish: answer.finish }).toEqual(expected);
  });

  it("leaves usage out when a server reports none, or half of it", async () => {
    const half = { choices: [{ finish_reason: "stop", message: { content: "x" } }], usage: { prompt_tokens: 3 } };
    const model = modelAt(
      await serve([
        { text: "x", usage: null },
        { status: 200, body: half },
      ]),
    );
    expect(await model.complete(modelRequest())).not.toHaveProperty("usage");
    expect(await model.complete(modelRequest())).not.toHaveProperty("usage");
  });

  it.each([
    ["error", "MODEL_UNAVAILABLE"],
    ["model_length", "MODEL_INPUT_TOO_LONG"],
  ])("takes an answer that ended with %s for a failed call", async (reason, code) => {
    const body = { choices: [{ finish_reason: reason, message: { content: "half of" } }] };
    expect((await failureOf(modelAt(await serve([{ status: 200, body }])).complete(modelRequest()))).code).toBe(code);
  });

  it("mends lone surrogates, which no server takes", async () => {
    const server = await serve(["fine"]);
    await modelAt(server).complete(modelRequest({ prompt: "cut \ud83d here" }));
    expect(bodyOf(server.calls[0]).messages).toContainEqual({ role: "user", content: "cut \ufffd here" });
  });
});

describe("parameters that a server refuses", () => {
  const refusal = (param: string, message: string): ServerStep => ({
    status: 400,
    error: { message, type: "invalid_request_error", param, code: "unsupported_parameter" },
  });

  /** A reasoning model: names one complaint at a time. */
  const reasoningModel = ({ body }: ServerCall): ServerStep => {
    const sent = body as Record<string, unknown>;
    if ("max_tokens" in sent) {
      return refusal(
        "max_tokens",
        "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      );
    }
    if ("temperature" in sent) return refusal("temperature", "'temperature' does not support 0 with this model.");
    if ("seed" in sent) return refusal("seed", "Unrecognized request argument supplied: seed");
    return "a summary";
  };

  it("are left out or renamed one by one, and not sent again", async () => {
    const server = await serve(reasoningModel);
    const model = modelAt(server);
    expect((await model.complete(modelRequest({ seed: 42 }))).text).toBe("a summary");
    expect(server.calls).toHaveLength(4);
    await model.complete(modelRequest({ seed: 42 }));
    expect(server.calls).toHaveLength(5);
    expect(bodyOf(server.calls[4])).toMatchObject({ max_completion_tokens: 500 });
    expect(Object.keys(bodyOf(server.calls[4])).sort()).toEqual([
      "max_completion_tokens",
      "messages",
      "model",
      "stream",
    ]);
  });

  it("are found in validation errors that quote the request", async () => {
    const detail = [
      { type: "extra_forbidden", loc: ["body", "seed"], msg: "Extra inputs are not permitted", input: 42 },
    ];
    const server = await serve([{ status: 422, body: { detail } }, "a summary"]);
    await modelAt(server).complete(modelRequest({ seed: 42 }));
    expect(server.calls.map((call) => "seed" in bodyOf(call))).toEqual([true, false]);
  });

  it("end in a rejection when each one is refused again and again", async () => {
    const server = await serve(() => ({
      status: 400,
      error: {
        message: "max_tokens, temperature, seed, max_completion_tokens: unsupported",
        type: "invalid_request_error",
      },
    }));
    const failure = await failureOf(modelAt(server).complete(modelRequest({ seed: 42 })));
    expect(failure.code).toBe("MODEL_REJECTED");
    expect(server.calls).toHaveLength(4);
  });

  it("are remembered only after they helped", async () => {
    const server = await serve([
      { status: 400, error: { message: "unsupported: temperature" } },
      { status: 400, error: { message: "something else" } },
      "a summary",
    ]);
    const model = modelAt(server);
    await failureOf(model.complete(modelRequest()));
    await model.complete(modelRequest());
    expect(server.calls.map((call) => "temperature" in bodyOf(call))).toEqual([true, false, true]);
  });

  it.each(["'max_tokens' or 'max_completion_tokens' is too large: 90000."])(
    "are told from a cap that no other name would mend: %s",
    async (message) => {
      const server = await serve([{ status: 400, error: { message, param: "max_tokens" } }]);
      const failure = await failureOf(modelAt(server).complete(modelRequest({ maxTokens: 90_000 })));
      expect(failure.code).toBe("MODEL_REJECTED");
      expect(failure.hint).toContain("maxOutputTokens");
      expect(server.calls).toHaveLength(1);
    },
  );
});
