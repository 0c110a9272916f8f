// Models against a mock of the providers that is not ours.
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { LLMock } from "@copilotkit/aimock";
import { afterEach, describe, expect, it } from "vitest";
import { createAiSdkModel } from "../../src/models/ai-sdk-model.ts";
import { createAnthropicModel } from "../../src/models/anthropic-model.ts";
import { createOpenaiCompatibleModel } from "../../src/models/openai-compatible-model.ts";
import { failureOf, KEY, modelRequest, PROMPT_WORDS } from "../../test/models/requests.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

describe("an OpenAI-compatible model", () => {
  it("asks a stock mock of the provider and reads text, finish and usage", async () => {
    const mock = new LLMock({ port: 0 });
    mock.onMessage(PROMPT_WORDS, { content: "A heron crossed.", usage: { prompt_tokens: 21, completion_tokens: 5 } });
    await mock.start();
    closing.push(() => mock.stop());
    const model = createOpenaiCompatibleModel({ baseUrl: `${mock.url}/v1`, model: "gpt-4o-mini", apiKey: KEY });

    const answer = await model.complete(modelRequest({ seed: 42 }));

    expect(answer).toEqual({
      text: "A heron crossed.",
      finish: "stop",
      usage: { inputTokens: 21, outputTokens: 5 },
    });
    expect(mock.getLastRequest()?.body).toMatchObject({
      model: "gpt-4o-mini",
      messages: [
        { role: "system", content: "Summarize." },
        { role: "user", content: PROMPT_WORDS },
      ],
      max_tokens: 500,
      temperature: 0,
      seed: 42,
      stream: false,
    });
  });

  it("reads errors of a stock mock", async () => {
    const mock = new LLMock({ port: 0 });
    mock.onMessage(PROMPT_WORDS, {
      error: { message: "slow down", type: "rate_limit_error" },
      status: 429,
      retryAfter: 7,
    });
    await mock.start();
    closing.push(() => mock.stop());
    const model = createOpenaiCompatibleModel({ baseUrl: `${mock.url}/v1`, model: "gpt-4o-mini" });
    const failure = await failureOf(model.complete(modelRequest()));
    expect(failure.code).toBe("MODEL_UNAVAILABLE");
    expect(failure.data).toEqual({ status: 429, retryAfterMs: 7_000, reason: "rate_limit_error" });
  });
});

describe("an Anthropic model", () => {
  it("asks a stock mock of the provider and reads text, finish and usage", async () => {
    const mock = new LLMock({ port: 0 });
    mock.onMessage(PROMPT_WORDS, { content: "A heron crossed.", usage: { input_tokens: 21, output_tokens: 5 } });
    await mock.start();
    closing.push(() => mock.stop());
    const model = createAnthropicModel({ baseUrl: mock.url, model: "claude-sonnet-4-5", apiKey: KEY });

    const answer = await model.complete(modelRequest({ seed: 42 }));

    expect(answer).toEqual({ text: "A heron crossed.", finish: "stop", usage: { inputTokens: 21, outputTokens: 5 } });
    expect(mock.getLastRequest()?.path).toBe("/v1/messages");
  });

  it("reads errors of a stock mock", async () => {
    const mock = new LLMock({ port: 0 });
    mock.onMessage(PROMPT_WORDS, { error: { message: "Overloaded", type: "overloaded_error" }, status: 529 });
    await mock.start();
    closing.push(() => mock.stop());
    const model = createAnthropicModel({ baseUrl: mock.url, model: "claude-sonnet-4-5", apiKey: KEY });
    const failure = await failureOf(model.complete(modelRequest()));
    expect(failure.code).toBe("MODEL_UNAVAILABLE");
    expect(failure.data).toMatchObject({ status: 529, reason: "overloaded_error" });
  });
});

describe("a model of the ai package", () => {
  it("asks a stock mock of the provider and reads text, finish and usage", async () => {
    const mock = new LLMock({ port: 0 });
    mock.onMessage(PROMPT_WORDS, { content: "A heron crossed.", usage: { prompt_tokens: 21, completion_tokens: 5 } });
    await mock.start();
    closing.push(() => mock.stop());
    const model = createAiSdkModel(
      createOpenAICompatible({ name: "local", baseURL: `${mock.url}/v1`, apiKey: KEY })("small"),
    );
    expect(await model.complete(modelRequest({ seed: 42 }))).toEqual({
      text: "A heron crossed.",
      finish: "stop",
      usage: { inputTokens: 21, outputTokens: 5 },
    });
    expect(mock.getLastRequest()?.body).toMatchObject({ max_tokens: 500, temperature: 0, seed: 42 });
    expect(model.name).toBe("small");
  });
});
