import { describe, expect, it } from "vitest";
import { CompactError } from "../../src/errors.ts";
import { createFunctionModel } from "../../src/models/function-model.ts";
import type { ModelFunction } from "../../src/models/model.ts";
import { failureOf, modelRequest, PROMPT_WORDS } from "./requests.ts";

const throwing =
  (thrown: unknown): ModelFunction =>
  async () => {
    throw thrown;
  };
const failureFrom = (thrown: unknown): Promise<CompactError> =>
  failureOf(createFunctionModel(throwing(thrown)).complete(modelRequest()));
const answerOf = (result: unknown) =>
  createFunctionModel((async () => result) as ModelFunction).complete(modelRequest());

describe("a function as a model", () => {
  it("is called with the request, and its text is a complete answer", async () => {
    const seen: unknown[] = [];
    const { signal } = new AbortController();
    const model = createFunctionModel(
      async (request) => {
        seen.push({ ...request });
        return "fine";
      },
      { name: "mine", maxContextTokens: 8_000, maxOutputTokens: 900 },
    );
    expect(await model.complete(modelRequest({ seed: 7, signal }))).toEqual({ text: "fine", finish: "stop" });
    expect(seen).toEqual([
      { system: "Summarize.", prompt: PROMPT_WORDS, maxTokens: 500, temperature: 0, seed: 7, signal },
    ]);
    expect([model.name, model.maxContextTokens, model.maxOutputTokens]).toEqual(["mine", 8_000, 900]);
  });

  it("may give a whole answer", async () => {
    const answer = { text: "cut", finish: "length", usage: { inputTokens: 3, outputTokens: 4 } } as const;
    expect(await answerOf(answer)).toEqual(answer);
  });

  it.each<[unknown, unknown]>([
    [undefined, { text: "", finish: "unknown" }],
    [null, { text: "", finish: "unknown" }],
    [42, { text: "", finish: "unknown" }],
    [{}, { text: "", finish: "unknown" }],
    [
      { text: 3, finish: "stop" },
      { text: "", finish: "stop" },
    ],
    [{ text: "x" }, { text: "x", finish: "stop" }],
    [
      { text: "x", finish: "done" },
      { text: "x", finish: "stop" },
    ],
    [
      { text: "x", finish: "max_tokens" },
      { text: "x", finish: "length" },
    ],
    [
      { text: "x", finish: "content_filter" },
      { text: "x", finish: "refusal" },
    ],
    [
      { text: "x", finish: "tool_use" },
      { text: "x", finish: "calls" },
    ],
    [
      { text: "x", finish: "stop", usage: { inputTokens: "3" } },
      { text: "x", finish: "stop" },
    ],
  ])("may return %j without a crash", async (result, answer) => {
    expect(await answerOf(result)).toEqual(answer);
  });

  it("may be synchronous against its type", async () => {
    const model = createFunctionModel((() => "fine") as unknown as ModelFunction);
    expect((await model.complete(modelRequest())).text).toBe("fine");
    const broken = createFunctionModel((() => {
      throw new Error("429 slow down");
    }) as unknown as ModelFunction);
    expect((await failureOf(broken.complete(modelRequest()))).code).toBe("MODEL_UNAVAILABLE");
  });
});

const withCode = (code: string) => Object.assign(new Error("x"), { code });

describe("what a function throws", () => {
  it.each<[string, unknown, string]>([
    ["status", { status: 503 }, "MODEL_UNAVAILABLE"],
    ["statusCode", Object.assign(new Error("x"), { statusCode: 429 }), "MODEL_UNAVAILABLE"],
    ["status as text", { status: "429" }, "MODEL_UNAVAILABLE"],
    ["response.status", { response: { status: 500 } }, "MODEL_UNAVAILABLE"],
    ["a cause's status", new Error("failed", { cause: { status: 502 } }), "MODEL_UNAVAILABLE"],
    ["an SDK's metadata", { $metadata: { httpStatusCode: 503 } }, "MODEL_UNAVAILABLE"],
    ["status 401", { status: 401 }, "MODEL_REJECTED"],
    [
      "a client library's length error",
      { status: 400, error: { code: "context_length_exceeded" } },
      "MODEL_INPUT_TOO_LONG",
    ],
    ["a client library's filter", { status: 400, code: "content_filter" }, "MODEL_REFUSED"],
    ["a used-up quota", { status: 429, code: "insufficient_quota" }, "MODEL_REJECTED"],
    ["ECONNRESET", withCode("ECONNRESET"), "MODEL_UNAVAILABLE"],
    ["a fetch that failed", new TypeError("fetch failed", { cause: withCode("ENOTFOUND") }), "MODEL_UNAVAILABLE"],
    ["a fetch without a cause", new TypeError("fetch failed"), "MODEL_UNAVAILABLE"],
    ["a browser's fetch", new TypeError("Failed to fetch"), "MODEL_UNAVAILABLE"],
    ["several addresses", new AggregateError([withCode("EHOSTUNREACH")], "all failed"), "MODEL_UNAVAILABLE"],
    ["a broken stream", new TypeError("terminated", { cause: withCode("UND_ERR_SOCKET") }), "MODEL_UNAVAILABLE"],
    ["ETIMEDOUT", withCode("ETIMEDOUT"), "MODEL_TIMEOUT"],
    [
      "headers that never came",
      new TypeError("fetch failed", { cause: withCode("UND_ERR_HEADERS_TIMEOUT") }),
      "MODEL_TIMEOUT",
    ],
    ["a time-out's error", new DOMException("signal timed out", "TimeoutError"), "MODEL_TIMEOUT"],
    ["its own abort", new DOMException("This operation was aborted", "AbortError"), "MODEL_TIMEOUT"],
    ["a word: network", new Error("network"), "MODEL_UNAVAILABLE"],
    ["a status in words", new Error("503 Service Unavailable"), "MODEL_UNAVAILABLE"],
    ["a named status", new Error("Request failed with status code 429"), "MODEL_UNAVAILABLE"],
    ["HTTP and a status", new Error("HTTP 500"), "MODEL_UNAVAILABLE"],
    ["a rejected status in words", new Error("HTTP error: 401"), "MODEL_REJECTED"],
    [
      "a length error in words",
      new Error("400 This model's maximum context length is 8192 tokens"),
      "MODEL_INPUT_TOO_LONG",
    ],
    ["a length error without status", new Error("prompt is too long"), "MODEL_INPUT_TOO_LONG"],
    ["a filter in words", new Error("Blocked by the content filter"), "MODEL_REFUSED"],
    ["timed out", new Error("Request timed out."), "MODEL_TIMEOUT"],
    ["time-out", new Error("time-out of 30 s"), "MODEL_TIMEOUT"],
    ["a connection error", new Error("Connection error."), "MODEL_UNAVAILABLE"],
    ["overloaded", new Error("Overloaded"), "MODEL_UNAVAILABLE"],
    ["a text", "rate limit exceeded", "MODEL_UNAVAILABLE"],
    ["a bug", new TypeError("Cannot read properties of undefined (reading 'choices')"), "MODEL_REJECTED"],
    ["an assertion with numbers", new Error("expected 512 tokens, have 500"), "MODEL_REJECTED"],
    ["nothing", undefined, "MODEL_REJECTED"],
    ["a symbol", Symbol("x"), "MODEL_REJECTED"],
    ["a number", 503, "MODEL_REJECTED"],
  ])("is read by what it tells: %s", async (_, thrown, code) => {
    expect((await failureFrom(thrown)).code).toBe(code);
  });

  it("becomes the cause, and is not quoted", async () => {
    const thrown = new Error(`503 for ${PROMPT_WORDS}`);
    const failure = await failureFrom(thrown);
    expect(failure.cause).toBe(thrown);
    expect(`${failure.message} ${failure.hint} ${JSON.stringify(failure)}`).not.toContain("heron");
    expect(failure.data).toEqual({ status: 503 });
  });

  it.each<[string, unknown]>([
    ["a record", { status: 429, headers: { "Retry-After": "4" } }],
    ["Headers", { status: 429, headers: new Headers({ "retry-after": "4" }) }],
    ["a response", { status: 429, response: { headers: new Headers({ "retry-after": "4" }) } }],
    ["a field", { status: 429, retryAfterMs: 4_000 }],
  ])("may ask to wait, by %s", async (_, thrown) => {
    expect((await failureFrom(thrown)).data).toEqual({ status: 429, retryAfterMs: 4_000 });
  });

  it("may be a circle", async () => {
    const first: { cause?: unknown; message: string } = { message: "odd" };
    first.cause = { message: "odder", cause: first };
    expect((await failureFrom(first)).code).toBe("MODEL_REJECTED");
  });

  it("may be megabytes long, in linear time", async () => {
    const failure = await failureFrom(new Error(`${"time ".repeat(1_000_000)}error ${" ".repeat(1_000_000)}`));
    expect(failure.code).toBe("MODEL_REJECTED");
  });

  it("is handed on when it is an error of ours", async () => {
    const ours = new CompactError("SummarizationFailed", "x", { code: "MODEL_REFUSED" });
    expect(await failureFrom(ours)).toBe(ours);
  });

  it("is the caller's abort only if the caller aborted", async () => {
    const caller = new AbortController();
    const model = createFunctionModel(async ({ signal }) => {
      caller.abort("enough");
      signal?.throwIfAborted();
      return "";
    });
    await expect(model.complete(modelRequest({ signal: caller.signal }))).rejects.toBe("enough");
    await expect(model.complete(modelRequest({ signal: caller.signal }))).rejects.toBe("enough");
  });
});
