// A server on this machine, asked with what browsers, rebinding pages and clumsy clients send.
import { request as httpRequest } from "node:http";
import { connect, createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLoopbackApp, type LoopbackAppOptions, openLoopbackServer } from "../../src/http/loopback.ts";

const SECRET = "3f9a0b7c1d2e4f5a6b7c8d9e0f1a2b3c";

async function open(options: Partial<LoopbackAppOptions> = {}) {
  const lines: string[] = [];
  const app = await createLoopbackApp({
    log: (line) => void lines.push(line),
    greeting: "Nothing to see here.",
    ...options,
  });
  app.post("/echo", async ({ req }) => new Response(await req.text()));
  app.get("/slow", async () => {
    await pause(200);
    return new Response("slow");
  });
  app.get("/broken", () => {
    throw new Error("secret detail of the inside");
  });
  const server = await openLoopbackServer({
    port: 0,
    log: (line) => void lines.push(line),
    fetch: (request) => app.fetch(request),
  });
  onTestFinished(() => server.close(0));
  return { server, lines };
}

interface Asked {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** Unlike fetch it lets a test write any Host. */
function ask(port: number, path: string, headers: Record<string, string> = {}, body?: string): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: "127.0.0.1", port, path, method: body === undefined ? "GET" : "POST", headers, agent: false },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }));
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}

describe("a server on this machine", () => {
  it("listens on 127.0.0.1 only", async () => {
    const { server } = await open();
    expect(server.address).toBe(`http://127.0.0.1:${server.port}`);
    const others = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ internal, family }) => !internal && family === "IPv4")
      .map(({ address }) => address);
    for (const host of others) {
      const outcome = await new Promise((resolve) => {
        const socket = connect({ host, port: server.port }, () => resolve("connected"));
        socket.on("error", () => resolve("refused"));
      });
      expect(outcome).toBe("refused");
    }
  });

  it("answers GET / with 404 and a sentence, and other paths with 404", async () => {
    const { server } = await open();
    const root = await ask(server.port, "/");
    expect(root.status).toBe(404);
    expect(JSON.parse(root.body).error.message).toBe("Nothing to see here.");
    expect((await ask(server.port, "/elsewhere")).status).toBe(404);
  });

  it("says which port is in use", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as { readonly port: number };
    const opening = openLoopbackServer({ port, log: () => undefined, fetch: () => new Response() });
    await expect(opening).rejects.toMatchObject({ kind: "Conflict", code: "PORT_IN_USE" });
  });
});

describe("a page elsewhere", () => {
  it.each([
    "evil.example",
    "evil.example:80",
    "127.0.0.1.evil.example",
    "localhost.evil.example",
    "127.0.0.1@evil.example",
    "169.254.1.1",
    "0.0.0.0",
    "a b",
  ])("does not get through by the Host %j", async (host) => {
    const { server } = await open();
    expect([400, 403]).toContain((await ask(server.port, "/echo", { host }, "x")).status);
  });

  it.each(["localhost", "127.0.0.1", "[::1]", "LOCALHOST"])("is not what calls it %s", async (name) => {
    const { server } = await open();
    expect(await ask(server.port, "/echo", { host: `${name}:${server.port}` }, "x")).toMatchObject({
      status: 200,
      body: "x",
    });
  });

  it.each([
    "https://evil.example",
    "null",
    "http://localhost.evil.example",
    "file://",
    "chrome-extension://localhost",
    "http://127.0.0.1@evil.example",
    "garbage",
  ])("is refused by its Origin %j", async (origin) => {
    const { server } = await open();
    const { status, headers } = await ask(server.port, "/echo", { origin }, "x");
    expect(status).toBe(403);
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });

  it("of this machine may ask", async () => {
    const { server } = await open();
    expect((await ask(server.port, "/echo", { origin: "http://localhost:6274" }, "x")).status).toBe(200);
  });
});

it.each(["", "Host:\r\n", "Host: 127.0.0.1\r\nHost: evil.example\r\n", "Host: /\r\n"])(
  "a request with the Host lines %j is refused",
  async (lines) => {
    const { server } = await open();
    const socket = connect({ host: "127.0.0.1", port: server.port });
    socket.write(`POST /echo HTTP/1.1\r\n${lines}Content-Length: 1\r\nConnection: close\r\n\r\nx`);
    let text = "";
    for await (const part of socket) text += part;
    expect(text).toMatch(/^HTTP\/1\.1 40[03] /);
  },
);

describe("a token", () => {
  it("is asked for at every path when it is set", async () => {
    const { server } = await open({ token: SECRET });
    for (const path of ["/", "/echo", "/elsewhere"]) {
      const { status, headers, body } = await ask(server.port, path, {}, "x");
      expect(status).toBe(401);
      expect(headers["www-authenticate"]).toBe("Bearer");
      expect(body).not.toContain(SECRET);
    }
  });

  it.each([
    ["", 401],
    ["Bearer", 401],
    ["Bearer ", 401],
    ["Bearer wrong", 401],
    [`Bearer ${SECRET.slice(1)}`, 401],
    [`Bearer ${SECRET}x`, 401],
    [`Bearer ${SECRET.toUpperCase()}`, 401],
    [`Basic ${SECRET}`, 401],
    [SECRET, 401],
    [`Bearer ${"x".repeat(5000)}`, 401],
    [`Bearer ${SECRET}`, 200],
    [`bearer ${SECRET}`, 200],
  ])("%s gives %i", async (authorization, expected) => {
    const { server } = await open({ token: SECRET });
    expect((await ask(server.port, "/echo", { authorization }, "x")).status).toBe(expected);
  });

  it("does not open the door to a page elsewhere", async () => {
    const { server } = await open({ token: SECRET });
    const headers = { authorization: `Bearer ${SECRET}`, origin: "https://evil.example" };
    expect((await ask(server.port, "/echo", headers, "x")).status).toBe(403);
  });
});

describe("a request", () => {
  it("larger than the limit is refused, announced or not", async () => {
    const { server } = await open({ mostBytes: 100 });
    const body = "x".repeat(101);
    expect((await ask(server.port, "/echo", { "content-length": "101" }, body)).status).toBe(413);
    expect((await ask(server.port, "/echo", { "transfer-encoding": "chunked" }, body)).status).toBe(413);
    expect((await ask(server.port, "/echo", {}, "x".repeat(100))).status).toBe(200);
  });

  it("of unknown length arrives whole", async () => {
    const { server, lines } = await open({ mostBytes: 100 });
    for (const body of ["x".repeat(100), "x", ""]) {
      const answer = await ask(server.port, "/echo", { "transfer-encoding": "chunked" }, body);
      expect(answer).toMatchObject({ status: 200, body });
    }
    expect(lines).toEqual([]);
  });

  it.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "GET", "HEAD", "TRACE"])(
    "%s without a body is no failure of the server",
    async (method) => {
      const { server, lines } = await open();
      const socket = connect({ host: "127.0.0.1", port: server.port });
      socket.write(`${method} /elsewhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      let text = "";
      for await (const part of socket) text += part;
      expect(text).toMatch(/^HTTP\/1\.1 404 /);
      expect(lines).toEqual([]);
    },
  );

  it("that takes too long is given up, and the server goes on", async () => {
    const { server } = await open({ timeoutMs: 20 });
    expect((await ask(server.port, "/slow")).status).toBe(504);
    expect((await ask(server.port, "/echo", {}, "x")).status).toBe(200);
  });

  it("that fails unexpectedly tells the log, not the client", async () => {
    const { server, lines } = await open();
    const { status, body } = await ask(server.port, "/broken");
    expect(status).toBe(500);
    expect(body).not.toContain("secret detail");
    expect(lines.join()).toContain("secret detail");
  });

  it("that is running is answered before the server is closed; idle connections do not hold it open", async () => {
    const { server } = await open();
    const idle = connect({ host: "127.0.0.1", port: server.port });
    await new Promise<void>((resolve) => idle.once("connect", () => resolve()));
    idle.on("error", () => undefined);
    const running = ask(server.port, "/slow", { connection: "keep-alive" });
    await pause(50);
    await server.close(3_600_000);
    expect(await running).toMatchObject({ status: 200, body: "slow" });
    await expect(ask(server.port, "/")).rejects.toThrow("ECONNREFUSED");
  });
});
