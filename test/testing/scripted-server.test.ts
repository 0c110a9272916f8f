import { afterEach, describe, expect, it } from "vitest";
import { type ScriptedServer, type ServerFault, type ServerStep, startScriptedServer } from "../../src/testing.ts";

const servers: ScriptedServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function serve(steps: readonly ServerStep[], whenOver?: "repeat" | "fail"): Promise<ScriptedServer> {
  const server = await startScriptedServer(steps, whenOver === undefined ? {} : { whenOver });
  servers.push(server);
  return server;
}

const post = (url: string, body = "{}", signal?: AbortSignal): Promise<Response> =>
  fetch(url, { method: "POST", body, ...(signal === undefined ? {} : { signal }) });

describe("a scripted server", () => {
  it("answers in the dialect of the path", async () => {
    const server = await serve([{ text: "hello", finish: "length" }]);
    const chat = await (await post(`${server.openaiUrl}/chat/completions`)).json();
    const message = await (await post(`${server.url}/v1/messages`)).json();
    expect(chat).toMatchObject({ choices: [{ message: { content: "hello" }, finish_reason: "length" }] });
    expect(message).toMatchObject({ content: [{ type: "text", text: "hello" }], stop_reason: "max_tokens" });
  });

  it("writes down each request, and has no step for other places", async () => {
    const server = await serve(["one", "two"]);
    expect((await post(`${server.url}/elsewhere`)).status).toBe(404);
    await post(`${server.openaiUrl}/chat/completions?x=1`, '{"model":"m"}');
    await post(`${server.openaiUrl}/chat/completions`, "not json");
    expect(server.calls.map(({ path, body }) => [path, body])).toEqual([
      ["/elsewhere", {}],
      ["/v1/chat/completions?x=1", { model: "m" }],
      ["/v1/chat/completions", "not json"],
    ]);
  });

  it("fails as told, and when its script is over", async () => {
    const server = await serve([{ status: 503, headers: { "retry-after": "2" }, error: { code: "busy" } }], "fail");
    const first = await post(`${server.openaiUrl}/chat/completions`);
    expect([first.status, first.headers.get("retry-after"), await first.json()]).toEqual([
      503,
      "2",
      { error: { code: "busy" } },
    ]);
    const second = await post(`${server.url}/v1/messages`);
    expect([second.status, await second.json()]).toEqual([400, { type: "error", error: { code: "script_over" } }]);
  });

  it.each<ServerFault>(["reset", "half-body"])("breaks the connection: %s", async (fault) => {
    const server = await serve([{ fault }]);
    await expect(post(`${server.url}/v1/messages`).then((response) => response.text())).rejects.toThrow();
  });

  it("answers nothing that is JSON", async () => {
    const server = await serve([{ fault: "not-json" }, { fault: "web-page" }]);
    const cut = await post(`${server.url}/v1/messages`);
    await expect(cut.json()).rejects.toThrow(SyntaxError);
    expect((await post(`${server.url}/v1/messages`)).headers.get("content-type")).toContain("text/html");
  });

  it.each<ServerFault>(["drip", "huge-body"])("sends without end: %s", async (fault) => {
    const server = await serve([{ fault }]);
    const response = await post(`${server.url}/v1/messages`);
    const reader = response.body?.getReader();
    for (let piece = 0; piece < 3; piece++) expect((await reader?.read())?.done).toBe(false);
    await reader?.cancel();
  });

  it.each<ServerFault>(["hang", "drip", "huge-body"])("closes although a client still waits: %s", async (fault) => {
    const server = await serve([{ fault }]);
    const waiting = post(`${server.url}/v1/messages`).then((response) => response.text());
    const outcome = waiting.catch(() => "broken off");
    while (server.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await server.close();
    expect(await outcome).toBe("broken off");
  });
});
