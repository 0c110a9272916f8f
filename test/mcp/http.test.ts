// The MCP server over HTTP as a process: refusals at its door, and how it ends.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { builtToolServer } from "./built-tool-server.ts";
import { call, startHttpServer } from "./raw-client.ts";

const argv = builtToolServer();
const TOKEN = "a-token-of-the-tests";

function post(url: URL, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

const request = (method: string, params: object = {}) => ({ jsonrpc: "2.0", id: 1, method, params });

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "agent-compact-mcp-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "trace.txt");
}

const textOf = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : "");

describe("MCP over HTTP", () => {
  it("prints its address as one JSON object, and nothing else on stdout", async () => {
    verifies("field/stray-text-on-stdout");
    const { url, stdout, stderr } = await startHttpServer(argv);
    expect(url.href).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    while (!stderr().includes(`Listening on ${url.href}`)) await pause(20);
    expect(stdout()).toBe(`${JSON.stringify({ url: url.href })}\n`);
  });

  it("is at /mcp; the root says so", async () => {
    const { url } = await startHttpServer(argv);
    const root = await fetch(new URL("/", url));
    expect(root.status).toBe(404);
    expect(await root.text()).toContain("Its endpoint is /mcp");
    expect((await fetch(url)).status).toBe(405);
  });

  it.each(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"])(
    "takes no %s, and says so without an error of its own",
    async (method) => {
      const { url, stderr } = await startHttpServer(argv);
      const refused = await fetch(url, { method });
      expect([refused.status, refused.headers.get("allow")]).toEqual([405, "POST"]);
      expect((await fetch(new URL("/elsewhere", url), { method })).status).toBe(404);
      expect((await fetch(new URL("/", url), { method })).status).toBe(404);
      expect((await post(url, request("ping"))).status).toBe(200);
      expect(stderr()).not.toMatch(/failed unexpectedly|^\s+at /m);
    },
  );

  it("takes a body whose length is not announced, and refuses an empty one", async () => {
    const { url, stderr } = await startHttpServer(argv);
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const body = new Blob([JSON.stringify(request("ping"))]).stream();
    const answered = await fetch(url, { method: "POST", headers, body, duplex: "half" } as RequestInit);
    expect(answered.status).toBe(200);
    expect((await fetch(url, { method: "POST", headers })).status).toBe(400);
    expect(stderr()).not.toContain("failed unexpectedly");
  });

  it.each([
    ["levels", "[".repeat(9_800_000), /levels of lists and objects/],
    ["values", `[${"[],".repeat(3_000_000)}[]]`, /values: 500,000 are taken\. Send the content in smaller parts/],
  ])("refuses a body with too many %s before anything is built of it, and goes on", async (_, body, says) => {
    const { url } = await startHttpServer(argv);
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const refused = await fetch(url, { method: "POST", headers, body });
    expect(refused.status).toBe(413);
    expect(await refused.text()).toMatch(says);
    expect((await post(url, request("ping"))).status).toBe(200);
  });

  it("answers calls that name no tool, or send no object, as refused calls", async () => {
    const { url } = await startHttpServer(argv);
    const answers = [
      await post(url, request("tools/call", call("repeat", [1]))),
      await post(url, { jsonrpc: "2.0", id: 1, method: "tools/call" }),
      await post(url, request("tools/call", call("constructor"))),
      await post(url, [request("tools/call", call("repeat", 5))]),
    ];
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(texts[0]).toContain("must be an object, not a list of 1.");
    expect(texts[1]).toContain("The call names no tool");
    expect(texts[2]).toContain("Tool constructor not found");
    expect(texts[3]).toContain("must be an object, not the number 5.");
  });

  it("answers a call without a session, also with arguments as text", async () => {
    const { url } = await startHttpServer(argv);
    for (const given of [{ older_than_days: "30" }, '{"older_than_days":30}']) {
      const response = await post(url, request("tools/call", call("repeat", given)));
      expect(response.status).toBe(200);
      expect(await response.text()).toContain('given {\\"older_than_days\\":30}');
    }
  });

  it("refuses what is no JSON, or none by its type, and goes on", async () => {
    const { url } = await startHttpServer(argv);
    expect((await post(url, "{")).status).toBe(400);
    expect((await post(url, request("ping"), { "content-type": "text/plain" })).status).toBe(415);
    expect((await post(url, request("ping"))).status).toBe(200);
  });

  it("asks for the token of its environment", async () => {
    const { url, stderr } = await startHttpServer(argv, { COMPACT_MCP_TOKEN: TOKEN });
    expect((await post(url, request("ping"))).status).toBe(401);
    expect((await post(url, request("ping"), { authorization: `Bearer ${TOKEN}` })).status).toBe(200);
    expect(
      (await post(url, request("ping"), { authorization: `Bearer ${TOKEN}`, origin: "https://evil.example" })).status,
    ).toBe(403);
    while (!stderr().includes("token asked for")) await pause(20);
    expect(stderr()).not.toContain(TOKEN);
  });

  it("does not start open where the token was meant to be set", async () => {
    await expect(startHttpServer(argv, { COMPACT_MCP_TOKEN: " " })).rejects.toThrow("COMPACT_MCP_TOKEN is empty");
  });

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "answers the running call and exits with 0 on %s",
    async (signal) => {
      verifies("field/server-outlives-client");
      const [trace, closed] = [newFile(), newFile()];
      const { url, child, exit } = await startHttpServer(argv, { CLOSED_FILE: closed });
      const running = post(url, request("tools/call", call("slow", { ms: 400, file: trace })));
      while (textOf(trace) !== "begun\n") await pause(20);
      child.kill(signal);
      expect(await (await running).text()).toContain("slow is done");
      expect(await exit).toEqual({ code: 0, signal: null });
      expect(textOf(closed)).toBe("closed\n");
    },
  );

  it("exits while a tool runs for ever", async () => {
    verifies("field/server-outlives-client");
    const trace = newFile();
    const { url, child, exit, stderr } = await startHttpServer(argv);
    const running = post(url, request("tools/call", call("slow", { ms: 3_600_000, file: trace })));
    while (textOf(trace) !== "begun\n") await pause(20);
    child.kill("SIGTERM");
    expect(await (await running).text()).toContain("slow was not finished when the server had to end");
    expect(await exit).toEqual({ code: 0, signal: null });
    expect(stderr()).toMatch(/A call was not finished .*: slow\.$/m);
  });

  it("outlives the shell that started it: stdin is not its client", async () => {
    const { url, child } = await startHttpServer(argv);
    child.stdin.end();
    await pause(200);
    expect((await post(url, request("ping"))).status).toBe(200);
  });
});
