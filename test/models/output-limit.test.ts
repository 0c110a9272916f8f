// A provider that gives fewer tokens than it is asked for says how many: it is asked again with those.
import { afterEach, describe, expect, it } from "vitest";
import { CompactManager } from "../../src/index.ts";
import { createAnthropicModel } from "../../src/models/anthropic-model.ts";
import { statedMost } from "../../src/models/failures.ts";
import { createFunctionModel } from "../../src/models/function-model.ts";
import { createOpenaiCompatibleModel } from "../../src/models/openai-compatible-model.ts";
import { type ScriptedServer, startScriptedServer } from "../../src/testing.ts";
import { turns, user } from "../conversation/support.ts";
import { verifies } from "../requirements/verifies.ts";
import { failureOf, modelRequest } from "./requests.ts";

const servers: ScriptedServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const REFUSAL = "max_tokens: 800 > 500, which is the maximum allowed number of output tokens for small-20250929";

describe("the limit of an answer that a refusal states", () => {
  it.each([
    [REFUSAL, 800, 500],
    ["max_tokens is too large: 800. This model supports at most 500 completion tokens.", 800, 500],
    ["Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", 9000, 8192],
    ["`max_tokens` must be less than or equal to `8192`, the maximum is less than the `context_window`", 9000, 8192],
    [
      "it has a maxOutputTokens value of 65536 but the supported range is from 1 (inclusive) to 8193 (exclusive)",
      65536,
      8192,
    ],
    ["The maximum tokens you requested exceeds the model limit of 4,096.", 5000, 4096],
    ["input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000", 21333, undefined],
    [
      "max_tokens is too large: 7000. The maximum context length is 8192 and your request has 6000 input tokens",
      7000,
      undefined,
    ],
    ["unsupported parameter: max_tokens, use max_completion_tokens with gpt-5-2025-08-07", 4000, undefined],
    ["429: at most 20 requests a minute", 800, undefined],
  ])("%s", (words, asked, most) => {
    expect(statedMost(words.toLowerCase(), asked)).toBe(most);
  });

  it.each([
    [
      "openai-compatible",
      ({ openaiUrl }: ScriptedServer) => createOpenaiCompatibleModel({ baseUrl: openaiUrl, model: "small" }),
    ],
    ["anthropic", ({ url }: ScriptedServer) => createAnthropicModel({ baseUrl: url, model: "small", apiKey: "k" })],
  ])("is what %s is asked again with, and never more from then on", async (_, create) => {
    const refused = { status: 400, body: { error: { message: REFUSAL, type: "invalid_request_error" } } };
    const server = await startScriptedServer([refused, "fine", "fine again"]);
    servers.push(server);
    const model = create(server);
    expect((await model.complete(modelRequest({ maxTokens: 800 }))).text).toBe("fine");
    await model.complete(modelRequest({ maxTokens: 700 }));
    expect(server.calls.map(({ body }) => (body as { max_tokens: number }).max_tokens)).toEqual([800, 500, 500]);
    expect(model.maxOutputTokens).toBe(500);
  });

  it("is read from what a function throws, and asking ends where no smaller one is stated", async () => {
    const asked: number[] = [];
    const model = createFunctionModel(async ({ maxTokens }) => {
      asked.push(maxTokens);
      if (maxTokens > 500) throw new Error(`400 ${REFUSAL}`);
      return "fine";
    });
    expect((await model.complete(modelRequest({ maxTokens: 800 }))).text).toBe("fine");
    expect(asked).toEqual([800, 500]);
    const never = createFunctionModel(async ({ maxTokens }) => {
      throw new Error(`max_tokens: ${maxTokens} > ${maxTokens - 1}`);
    });
    expect((await failureOf(never.complete(modelRequest({ maxTokens: 800 })))).code).toBe("MODEL_REJECTED");
  });

  it("makes a summary of that length, not a failure", async () => {
    verifies("fault/provider-terms-unmet");
    const asked: number[] = [];
    const model = async ({ maxTokens }: { readonly maxTokens: number }) => {
      asked.push(maxTokens);
      if (maxTokens > 500) throw Object.assign(new Error(REFUSAL.replace("800", String(maxTokens))), { status: 400 });
      return "## Progress (the assistant's own reports)\n- Answered question 1 [1.2]";
    };
    const manager = new CompactManager({ archive: false, summarizer: { model } });
    const { report } = await manager.compact("s", [...turns(30), user("go on")]);
    expect(report.summary.source).toMatch(/^model/);
    expect(asked).toEqual([expect.any(Number), 500]);
  });
});
