import { afterEach, describe, expect, it } from "vitest";
import { createAnthropicModel } from "../../src/models/anthropic-model.ts";
import type { Model } from "../../src/models/model.ts";
import { createOpenaiCompatibleModel } from "../../src/models/openai-compatible-model.ts";
import { type ScriptedServer, type ServerFault, type ServerStep, startScriptedServer } from "../../src/testing.ts";
import { everythingOf, failureOf, KEY, modelRequest, PROMPT_WORDS } from "./requests.ts";

const servers: ScriptedServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(...steps: readonly ServerStep[]): Promise<ScriptedServer> {
  const server = await startScriptedServer(steps);
  servers.push(server);
  return server;
}

const adapters: readonly [string, (server: { url: string }) => Model][] = [
  [
    "openai-compatible",
    ({ url }) => createOpenaiCompatibleModel({ baseUrl: `${url}/v1`, model: "small", apiKey: KEY }),
  ],
  ["anthropic", ({ url }) => createAnthropicModel({ baseUrl: url, model: "small", apiKey: KEY })],
];

/** Status, what the provider says, and what that is. */
const answers: readonly [number, Record<string, string>, string][] = [
  [
    400,
    { message: "This model's maximum context length is 8192 tokens.", code: "context_length_exceeded" },
    "MODEL_INPUT_TOO_LONG",
  ],
  [
    400,
    { message: "prompt is too long: 210000 tokens > 200000 maximum", type: "invalid_request_error" },
    "MODEL_INPUT_TOO_LONG",
  ],
  [
    400,
    { message: "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000" },
    "MODEL_INPUT_TOO_LONG",
  ],
  [
    400,
    { message: "the request exceeds the available context size (4096 tokens), try increasing it" },
    "MODEL_INPUT_TOO_LONG",
  ],
  [
    400,
    { message: "The input token count (40) exceeds the maximum number of tokens allowed (10)." },
    "MODEL_INPUT_TOO_LONG",
  ],
  [413, {}, "MODEL_INPUT_TOO_LONG"],
  [429, { message: "Request too large for small on tokens per min (TPM)", type: "tokens" }, "MODEL_INPUT_TOO_LONG"],
  [500, { message: "input is larger than the context window" }, "MODEL_INPUT_TOO_LONG"],
  [400, { message: "The response was filtered due to the prompt", code: "content_filter" }, "MODEL_REFUSED"],
  [400, { message: "Output blocked by content filtering policy" }, "MODEL_REFUSED"],
  [403, { message: "openai/small requires moderation. Your input was flagged" }, "MODEL_REFUSED"],
  [401, { message: "Incorrect API key provided", code: "invalid_api_key" }, "MODEL_REJECTED"],
  [402, { message: "Insufficient Balance" }, "MODEL_REJECTED"],
  [403, { message: "Project has no access to model" }, "MODEL_REJECTED"],
  [404, { message: "model 'small' not found, try pulling it first" }, "MODEL_REJECTED"],
  [405, {}, "MODEL_REJECTED"],
  [429, { message: "You exceeded your current quota", code: "insufficient_quota" }, "MODEL_REJECTED"],
  [408, {}, "MODEL_UNAVAILABLE"],
  [409, {}, "MODEL_UNAVAILABLE"],
  [429, { message: "Rate limit reached", code: "rate_limit_exceeded" }, "MODEL_UNAVAILABLE"],
  [500, { message: "The server had an error" }, "MODEL_UNAVAILABLE"],
  [503, {}, "MODEL_UNAVAILABLE"],
  [529, { type: "overloaded_error", message: "Overloaded" }, "MODEL_UNAVAILABLE"],
];

describe.each(adapters)("failures of the %s adapter", (_, open) => {
  it.each(answers)("%i %j is %s %s", async (status, error, code) => {
    const failure = await failureOf(open(await serve({ status, error })).complete(modelRequest()));
    expect([failure.kind, failure.code, failure.data.status]).toEqual(["SummarizationFailed", code, status]);
    expect(failure.hint).not.toBe("");
  });

  it.each<[ServerFault, string]>([
    ["reset", "MODEL_UNAVAILABLE"],
    ["half-body", "MODEL_UNAVAILABLE"],
    ["not-json", "MODEL_UNAVAILABLE"],
    ["web-page", "MODEL_REJECTED"],
    ["huge-body", "MODEL_REJECTED"],
  ])("a server that does %s is %s", async (fault, code) => {
    expect((await failureOf(open(await serve({ fault })).complete(modelRequest()))).code).toBe(code);
  });

  it("a server that is not there is unavailable, with the system's code", async () => {
    const server = await startScriptedServer([]);
    await server.close();
    const failure = await failureOf(open(server).complete(modelRequest()));
    expect([failure.code, failure.data.reason]).toEqual(["MODEL_UNAVAILABLE", "ECONNREFUSED"]);
  });

  it.each<[unknown]>([[{}], [null], [[]], [{ choices: "none", content: 3 }], ["true"]])(
    "JSON that is no answer, %j, is not asked for again",
    async (body) => {
      const step = { status: 200, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
      expect((await failureOf(open(await serve(step)).complete(modelRequest()))).code).toBe("MODEL_REJECTED");
    },
  );

  it("an error that comes with status 200 is read by the status it names", async () => {
    const failed = (code: number) => ({ status: 200, body: { error: { message: "Provider returned error", code } } });
    const model = open(await serve(failed(502), failed(401), { status: 200, body: { error: "broken" } }));
    const codes = [];
    for (let call = 0; call < 3; call++) codes.push((await failureOf(model.complete(modelRequest()))).code);
    expect(codes).toEqual(["MODEL_UNAVAILABLE", "MODEL_REJECTED", "MODEL_UNAVAILABLE"]);
  });

  it.each<[string, Record<string, string>, number | undefined]>([
    ["seconds", { "retry-after": "12" }, 12_000],
    ["milliseconds first", { "retry-after": "12", "retry-after-ms": "250.5" }, 251],
    [
      "a date, by the provider's own clock",
      { "retry-after": "Tue, 03 Mar 2026 10:00:20 GMT", date: "Tue, 03 Mar 2026 10:00:00 GMT" },
      20_000,
    ],
    ["nothing readable", { "retry-after": "soon" }, undefined],
    ["nothing", {}, undefined],
  ])("a wish to wait as %s is handed on", async (_name, headers, expected) => {
    const failure = await failureOf(open(await serve({ status: 503, headers })).complete(modelRequest()));
    expect(failure.data.retryAfterMs).toBe(expected);
  });

  it("a hint for a wrong key names where the key comes from", async () => {
    const failure = await failureOf(open(await serve({ status: 401 })).complete(modelRequest()));
    expect(failure.hint).toMatch(/OPENAI_API_KEY|ANTHROPIC_API_KEY/);
  });

  it("a reason is shown only if it looks like a code", async () => {
    const model = open(await serve({ status: 400, error: { code: "no code, but a sentence" } }));
    expect((await failureOf(model.complete(modelRequest()))).message).not.toContain("sentence");
  });

  it("a reason that is a piece of the key is not shown", async () => {
    const model = open(await serve({ status: 500, error: { code: KEY.replace(/[^a-z_].*$/s, "") } }));
    expect(KEY).toMatch(/^[a-z_]{2}/);
    expect((await failureOf(model.complete(modelRequest()))).message).toMatch(/\(500\)/);
  });

  it("nothing thrown holds the key, the prompt or what the provider said", async () => {
    const said = `you sent ${PROMPT_WORDS} with ${KEY} and secret-answer`;
    const steps: readonly ServerStep[] = [
      { status: 400, error: { message: said, code: KEY, type: KEY } },
      { status: 401, body: said },
      { status: 500, body: { error: said, detail: said } },
      { status: 200, body: said },
      { status: 200, body: { error: { message: said, code: 500 } } },
      { status: 302, headers: { location: `http://127.0.0.1:9/${KEY}` } },
      { fault: "reset" },
      { fault: "half-body" },
      { fault: "huge-body" },
    ];
    const model = open(await serve(...steps));
    for (const _step of steps) {
      const shown = everythingOf(await failureOf(model.complete(modelRequest())));
      expect(shown).not.toContain(KEY);
      expect(shown).not.toContain("heron");
      expect(shown).not.toContain("secret-answer");
    }
    expect(JSON.stringify(model)).not.toContain(KEY);
  });

  it("a redirect to another origin gets neither key nor prompt", async () => {
    const elsewhere = await serve("stolen");
    for (const status of [301, 302, 303, 307, 308]) {
      const server = await serve({ status, headers: { location: `${elsewhere.url}/v1/messages` } });
      const failure = await failureOf(open(server).complete(modelRequest()));
      expect([failure.code, failure.data.status]).toEqual(["MODEL_REJECTED", status]);
    }
    expect(elsewhere.calls).toEqual([]);
  });

  it("a redirect within the origin is followed, a circle is not", async () => {
    const server = await serve({ status: 307, headers: { location: "/other/v1/messages" } }, { status: 200, body: "" });
    await failureOf(open(server).complete(modelRequest()));
    expect(server.calls.map(({ path }) => path)[1]).toBe("/other/v1/messages");
    expect(server.calls[1]?.body).toEqual(server.calls[0]?.body);
    const circle = await serve({ status: 308, headers: { location: "/v1/messages" } });
    expect((await failureOf(open(circle).complete(modelRequest()))).code).toBe("MODEL_REJECTED");
    expect(circle.calls).toHaveLength(4);
  });

  it("an abort before the call sends nothing and is thrown as it is", async () => {
    const server = await serve("fine");
    const reason = new Error("changed my mind");
    await expect(open(server).complete(modelRequest({ signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
    expect(server.calls).toEqual([]);
  });

  it.each<ServerFault>(["hang", "drip"])("an abort while a server does %s is thrown as it is", async (fault) => {
    const caller = new AbortController();
    const reason = new Error("changed my mind");
    const server = await startScriptedServer(() => {
      setTimeout(() => caller.abort(reason), 30);
      return { fault };
    });
    servers.push(server);
    await expect(open(server).complete(modelRequest({ signal: caller.signal }))).rejects.toBe(reason);
  });
});

describe("settings that cannot be used", () => {
  it.each([
    ["no URL", { baseUrl: `localhost ${KEY}` }, "INVALID_BASE_URL"],
    ["another protocol", { baseUrl: `ftp://example.com/${KEY}` }, "INVALID_BASE_URL"],
    ["a password in the URL", { baseUrl: `https://user:${KEY}@example.com/v1` }, "INVALID_BASE_URL"],
    ["a key of two lines", { apiKey: `${KEY}\nx-other: 1` }, "INVALID_HEADER"],
    ["a key in letters no header carries", { apiKey: `${KEY}\u0436` }, "INVALID_HEADER"],
    ["a header name with a blank", { headers: { [`x ${KEY}`]: "1" } }, "INVALID_HEADER"],
  ])("are refused when the model is made: %s", async (_, options, code) => {
    for (const open of [createOpenaiCompatibleModel, createAnthropicModel]) {
      const failure = await failureOf((async () => open({ model: "m", ...options }))());
      expect([failure.kind, failure.code]).toEqual(["InvalidConfig", code]);
      expect(everythingOf(failure)).not.toContain(KEY);
    }
  });
});
