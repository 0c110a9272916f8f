// A decision server asked by those who may not, and with what no client should send.
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { openCstpServer, type RpcResponse } from "./cstp-server.ts";

const ADA = "3f9a0b7c1d2e4f5a6b7c8d9e0f1a2b3c";
const BOB = "c3b2a1f0e9d8c7b6a5f4e3d2c1b7a0f9";
const agents = new Map([
  [ADA, "ada"],
  [BOB, "bob"],
]);
const LIST = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "cstp.getCompacted", params: {} });

/** Unlike fetch it lets a test write any Host. */
function ask(port: number, path: string, headers: Record<string, string>, body?: string, method = "POST") {
  return new Promise<{ status: number; body: string; headers: Record<string, unknown> }>((resolve, reject) => {
    const request = httpRequest({ host: "127.0.0.1", port, path, method, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }));
    });
    request.on("error", reject);
    request.end(body);
  });
}

describe("a token", () => {
  it.each([
    ["none", undefined],
    ["no scheme", ADA],
    ["another scheme", `Basic ${ADA}`],
    ["nothing behind the scheme", "Bearer "],
    ["a wrong one", "Bearer wrong"],
    ["the beginning of one", `Bearer ${ADA.slice(0, -1)}`],
    ["more than one", `Bearer ${ADA} ${BOB}`],
    ["the name of an agent", "Bearer ada"],
    ["name and token", `Bearer ada:${ADA}`],
  ])("that is %s gets 401 outside of JSON-RPC", async (_, authorization) => {
    const { post } = await openCstpServer({ agents });
    const response = await post(LIST, authorization === undefined ? {} : { authorization });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    const body = (await response.json()) as Record<string, unknown>;
    expect(Object.keys(body)).toEqual(["detail"]);
    expect(JSON.stringify(body)).not.toMatch(new RegExp(`${ADA}|${BOB}|ada|bob`));
  });

  it("lets its agent in, in any case of the scheme", async () => {
    const { call, post } = await openCstpServer({ agents });
    expect((await call("cstp.getCompacted", {}, ADA)).total).toBe(0);
    expect((await call("cstp.getCompacted", {}, BOB)).total).toBe(0);
    expect((await post(LIST, { authorization: `bearer ${ADA}` })).status).toBe(200);
  });

  it("says who records and who reviews, whatever the params say", async () => {
    const { call } = await openCstpServer({ agents });
    const claims = { recordedBy: "mallory", recorded_by: "mallory", agent: "mallory" };
    const { id } = await call("cstp.recordDecision", { decision: "x", category: "process", ...claims }, ADA);
    await call("cstp.reviewDecision", { id, outcome: "success", reviewedBy: "mallory", agent: "mallory" }, BOB);
    const { decision } = await call("cstp.getDecision", { id }, BOB);
    expect(decision).toMatchObject({ recorded_by: "ada", reviewed_by: "bob" });
    expect(JSON.stringify(decision)).not.toContain("mallory");
  });

  it("is not asked for where there is none; then the params say who it was", async () => {
    const { call } = await openCstpServer();
    const { id } = await call("cstp.recordDecision", { decision: "x", category: "process", recorded_by: "ada" });
    expect((await call("cstp.getDecision", { id })).decision.recorded_by).toBe("ada");
  });

  it("is not asked for at /health and /", async () => {
    const { address } = await openCstpServer({ agents });
    const health = await fetch(`${address}/health`);
    expect([health.status, await health.json()]).toEqual([200, { status: "ok" }]);
    const root = await fetch(address);
    expect(await root.json()).toMatchObject({ name: "agent-compact", endpoint: "POST /cstp" });
    for (const path of ["/cstp", "/elsewhere", "/health/", "//health", "/HEALTH"])
      expect((await fetch(`${address}${path}`)).status, path).toBe(401);
  });
});

describe("a page elsewhere", () => {
  it.each(["evil.example", "127.0.0.1.evil.example", "0.0.0.0", "169.254.1.1"])(
    "does not get through by the Host %s, at no path",
    async (host) => {
      const { port } = await openCstpServer({ agents });
      for (const path of ["/cstp", "/health", "/"]) {
        const { status, body } = await ask(port, path, { host, authorization: `Bearer ${ADA}` }, LIST);
        expect(status).toBe(403);
        expect(JSON.parse(body)).toHaveProperty("detail");
      }
    },
  );

  it.each(["https://evil.example", "null", "http://localhost.evil.example"])(
    "is refused by its Origin %s",
    async (origin) => {
      const { port } = await openCstpServer();
      const { status, headers } = await ask(port, "/cstp", { origin, "content-type": "text/plain" }, LIST);
      expect(status).toBe(403);
      expect(headers["access-control-allow-origin"]).toBeUndefined();
    },
  );
});

describe("another way to ask", () => {
  it.each(["GET", "PUT", "DELETE", "PATCH"])("%s is refused with what to do", async (method) => {
    const { address } = await openCstpServer();
    const response = await fetch(`${address}/cstp`, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    expect(await response.json()).toHaveProperty("detail");
  });

  it("at another path is 404", async () => {
    const { address } = await openCstpServer();
    expect((await fetch(`${address}/rpc`, { method: "POST", body: LIST })).status).toBe(404);
  });
});

describe("a body", () => {
  it("of 11 MB is refused, announced or not, and the server goes on", async () => {
    const { port, call, lines } = await openCstpServer();
    const body = `{"jsonrpc":"2.0","id":1,"method":"cstp.queryDecisions","params":{"query":"${"x".repeat(11 * 1024 * 1024)}"}}`;
    const announced = await ask(port, "/cstp", { "content-length": String(body.length) }, body).catch(() => undefined);
    expect(announced === undefined || announced.status === 413).toBe(true);
    const chunked = await ask(port, "/cstp", { "transfer-encoding": "chunked" }, body).catch(() => undefined);
    expect(chunked === undefined || chunked.status === 413).toBe(true);
    expect((await call("cstp.getCompacted", {})).total).toBe(0);
    expect(lines).toEqual([]);
  });

  it("of 9 MB with one text is refused by the parameter, in a short answer", async () => {
    const { rpc } = await openCstpServer();
    const params = { decision: "x".repeat(9 * 1024 * 1024), category: "process" };
    const answer = await rpc("cstp.recordDecision", params);
    expect(answer.error).toMatchObject({ code: -32_602, message: "decision must have at most 20,000 characters" });
    expect(JSON.stringify(answer).length).toBeLessThan(1000);
  });

  it.each([
    ["lists", "[", "]"],
    ["objects", '{"a":', "}"],
  ])("of a million nested %s is refused at once, whole, open or inside of params", async (_, open, close) => {
    const { post, call } = await openCstpServer();
    const deep = `${open.repeat(1_000_000)}1${close.repeat(1_000_000)}`;
    const inside = `{"jsonrpc":"2.0","id":1,"method":"cstp.recordDecision","params":{"decision":"x","category":"y","deliberation":{"a":${deep}}}}`;
    for (const body of [deep, open.repeat(1_000_000), inside, `[${inside}]`]) {
      expect(((await (await post(body)).json()) as RpcResponse).error?.code).toBe(-32_600);
    }
    expect((await call("cstp.getCompacted", {})).total).toBe(0);
  });

  it("with brackets in its texts, or nested as records are, is none of that", async () => {
    const { call } = await openCstpServer();
    let steps: unknown = "end";
    for (let level = 0; level < 90; level++) steps = [steps];
    const params = { decision: `${'[{"\\'.repeat(2000)}`, category: "y", deliberation: { steps } };
    const { id } = await call("cstp.recordDecision", params);
    expect((await call("cstp.getDecision", { id })).decision).toMatchObject(params);
  });

  it("that names what every object has is read as data", async () => {
    const { post, call } = await openCstpServer();
    const body = `{"jsonrpc":"2.0","id":1,"method":"cstp.recordDecision","params":{"id":"poison-1","decision":"x","category":"y",
      "deliberation":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}},"__proto__":{"tags":["z"]}}}`;
    expect(((await (await post(body)).json()) as RpcResponse).result.id).toBe("poison-1");
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect((await call("cstp.getDecision", { id: "poison-1" })).decision.tags).toBeUndefined();
  });

  it("that ends half way harms nobody else", async () => {
    const { port, call, lines } = await openCstpServer();
    for (const half of [
      "POST /cstp HTTP/1.1\r\nHost: localhost\r\n",
      'POST /cstp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"jsonrpc":',
      'POST /cstp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"js',
    ]) {
      const socket = connect({ host: "127.0.0.1", port });
      await new Promise<void>((resolve) => socket.write(half, () => resolve()));
      socket.destroy();
    }
    for (let round = 0; round < 5; round++) expect((await call("cstp.getCompacted", {})).total).toBe(0);
    expect(lines.join("\n")).not.toContain("failed unexpectedly");
  });

  it("in several pieces is one call", async () => {
    const { port } = await openCstpServer();
    const socket = connect({ host: "127.0.0.1", port });
    socket.write(
      `POST /cstp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${LIST.length}\r\n\r\n`,
    );
    for (const part of [LIST.slice(0, 10), LIST.slice(10, 11), LIST.slice(11)]) socket.write(part);
    let text = "";
    for await (const part of socket) text += part;
    expect(text).toMatch(/^HTTP\/1\.1 200 [\s\S]*"total":0/);
  });
});

describe("many at once", () => {
  it("are all answered, and what they record is all there", async () => {
    const { call } = await openCstpServer({ agents });
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        call("cstp.recordDecision", { decision: `Nr ${at}`, category: "process" }, at % 2 === 0 ? ADA : BOB),
      ),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(40);
    expect((await call("cstp.queryDecisions", { agent: "ada", limit: 100 }, BOB)).total).toBe(20);
  });

  it("with one id of their own: one is recorded, the others are told", async () => {
    const { rpc, call } = await openCstpServer();
    const params = { id: "only-once", decision: "x", category: "process" };
    const answers = await Promise.all(Array.from({ length: 10 }, () => rpc("cstp.recordDecision", params)));
    expect(answers.filter(({ result }) => result !== undefined)).toHaveLength(1);
    const refused = answers.filter(({ error }) => error?.code === -32_602 && error.data?.code === "DECISION_EXISTS");
    expect(refused).toHaveLength(9);
    expect((await call("cstp.queryDecisions", {})).total).toBe(1);
  });
});
