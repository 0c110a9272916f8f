// What passes through the proxy passes as it is: bytes, headers, streams, errors and ends, in both directions.
import { once } from "node:events";
import http, { type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type net from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import zlib from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { createBearerCheck } from "../../src/http/loopback.ts";
import { MOST_BODY_BYTES } from "../../src/proxy/proxy.ts";
import { ask, conversation, openTestProxy } from "./support.ts";

async function upstreamOf(listener: RequestListener): Promise<{ address: string; server: http.Server }> {
  const server = http.createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

async function open(listener: RequestListener) {
  const upstream = await upstreamOf(listener);
  const { address, proxy, lines } = await openTestProxy({ upstream: upstream.address });
  return { port: Number(new URL(address).port), proxy, lines, server: upstream.server };
}

async function bytesOf(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

interface Asked {
  readonly response: IncomingMessage;
  readonly body: Buffer;
}

async function send(port: number, options: http.RequestOptions, body?: Buffer | string): Promise<Asked> {
  const request = http.request({ host: "127.0.0.1", port, agent: false, ...options });
  request.end(body);
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return { response, body: await bytesOf(response) };
}

const pairs = (headers: readonly string[]) =>
  headers.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${headers[at + 1]}`] : []));

describe("a request that is not due", () => {
  it.each([
    "/v1/messages?beta=true",
    "/v1/files/x?limit=2&after=%2F",
    "/odd//path/../?",
    "//elsewhere.example/v1/models",
  ])("reaches the provider as it was sent: %s", async (path) => {
    let heard: { method?: string; url?: string; headers: string[]; body: string } | undefined;
    const { port } = await open(async (request, response) => {
      const { method, url, rawHeaders: headers } = request;
      heard = { ...{ method, url, headers }, body: (await bytesOf(request)).toString() } as typeof heard;
      response.end("{}");
    });
    const body =
      '{ "model" : "gpt-4o",\n "messages": [ {"role":"user","content":"\\u00e9 é 1.0e2"} ] , "n": 12345678901234567890 }';
    const headers = {
      ...{ Host: `127.0.0.1:${port}`, "X-API-Key": "k", "anthropic-Beta": ["a", "b"], Connection: "close, X-Hop" },
      ...{ "X-Hop": "1", TE: "trailers", "X-Agent-Compact-Session": "s", "Content-Type": "application/json" },
      "Content-Length": Buffer.byteLength(body),
    };
    await send(port, { method: "POST", path, headers }, body);
    expect(heard).toMatchObject({ method: "POST", url: path, body });
    const names = pairs(heard?.headers ?? []);
    expect(names).toEqual(expect.arrayContaining(["X-API-Key: k", "anthropic-Beta: a", "anthropic-Beta: b"]));
    expect(names.join("\n")).not.toMatch(/X-Hop|trailers|X-Agent-Compact|127\.0\.0\.1:0/i);
    expect(names.filter((each) => /^content-length/i.test(each))).toEqual([
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]);
  });

  it.each(["gzip", "br", "deflate"])("may be compressed: %s", async (encoding) => {
    const compress =
      { gzip: zlib.gzipSync, br: zlib.brotliCompressSync, deflate: zlib.deflateSync }[encoding] ?? zlib.gzipSync;
    const packed = compress(JSON.stringify({ model: "gpt-4o", messages: conversation(3) }));
    const heard: Buffer[] = [];
    const { port } = await open(async (request, response) => {
      expect(request.headers["content-encoding"]).toBe(encoding);
      heard.push(await bytesOf(request));
      response.end("{}");
    });
    await send(
      port,
      { method: "POST", path: "/v1/chat/completions", headers: { "content-encoding": encoding } },
      packed,
    );
    expect(heard[0]?.equals(packed)).toBe(true);
  });

  it.each(["no JSON at all", "[1,2]", '{"messages":"text"}', '{"input":"one string"}', ""])(
    "may be what the provider has to refuse: %j",
    async (body) => {
      const { port } = await open(async (request, response) => {
        response.writeHead(422, { "x-told": "1" }).end(await bytesOf(request));
      });
      const { response, body: back } = await send(port, { method: "POST", path: "/v1/responses" }, body);
      expect([response.statusCode, response.headers["x-told"], back.toString()]).toEqual([422, "1", body]);
    },
  );

  it("that goes on from a conversation at the provider is never rewritten, whatever its size", async () => {
    const { address, provider } = await openTestProxy({ config: { maxContextTokens: 8_000 } });
    const fields = { model: "gpt-4o", input: conversation(60), previous_response_id: "resp_1", messages: undefined };
    const { outcome } = await ask(address, [], fields, {}, "/v1/responses");
    expect(outcome).toBe("passed");
    expect(JSON.parse(provider.heard.at(-1)?.bytes.toString() ?? "").input).toHaveLength(119);
  });
});

describe("an answer", () => {
  it("comes back with its status, its headers in order, and its own spelling of them", async () => {
    const { port } = await open((_, response) => {
      response.sendDate = false;
      response.writeHead(529, "Overloaded", [
        "Retry-After",
        "7",
        "X-A",
        "1",
        "x-a",
        "2",
        "Set-Cookie",
        "a",
        "Set-Cookie",
        "b",
      ]);
      response.end('{"type":"error"}');
    });
    const { response, body } = await send(port, { method: "POST", path: "/v1/messages" }, "{}");
    expect([response.statusCode, response.statusMessage, body.toString()]).toEqual([
      529,
      "Overloaded",
      '{"type":"error"}',
    ]);
    const names = pairs(response.rawHeaders).filter((each) => !/^(?:connection|keep-alive|transfer)/i.test(each));
    expect(names.slice(0, 5)).toEqual(["Retry-After: 7", "X-A: 1", "x-a: 2", "Set-Cookie: a", "Set-Cookie: b"]);
    expect(names.filter((each) => /^date/i.test(each))).toEqual([]);
  });

  it.each(["gzip", "br"])("that is compressed stays so, and its usage is read all the same: %s", async (encoding) => {
    const compress = encoding === "gzip" ? zlib.gzipSync : zlib.brotliCompressSync;
    const packed = compress('{"usage":{"input_tokens":77,"output_tokens":3}}');
    const { port, proxy } = await open((_, response) => {
      response.writeHead(200, { "content-encoding": encoding, "content-type": "application/json" }).end(packed);
    });
    const asked = JSON.stringify({ model: "gpt-4o", messages: conversation(1) });
    const { response, body } = await send(port, { method: "POST", path: "/v1/messages" }, asked);
    expect(body.equals(packed)).toBe(true);
    expect(response.headers["content-encoding"]).toBe(encoding);
    await pause(50);
    expect(proxy.metrics.text()).toContain('provider_tokens_total{kind="input"} 77');
  });

  it("that streams arrives piece by piece, as it is written", async () => {
    const { port } = await open(async (request, response) => {
      await bytesOf(request);
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const part of ["data: {", '"a":1}\n', "\ndata: [DO", "NE]\n\n"]) {
        response.write(part);
        await pause(30);
      }
      response.end();
    });
    const request = http.request({
      host: "127.0.0.1",
      port,
      method: "POST",
      path: "/v1/chat/completions",
      agent: false,
    });
    request.end("{}");
    const [response] = (await once(request, "response")) as [IncomingMessage];
    const parts: string[] = [];
    for await (const chunk of response) parts.push(String(chunk));
    expect(parts).toEqual(["data: {", '"a":1}\n', "\ndata: [DO", "NE]\n\n"]);
  });

  it("that the client reads slowly is read slowly from the provider", async () => {
    let written = 0;
    const piece = Buffer.alloc(64 * 1024, "x");
    const { port } = await open(async (request, response) => {
      await bytesOf(request);
      const write = () => {
        while (written < 200 * 1024 * 1024 && !response.destroyed) {
          written += piece.length;
          if (!response.write(piece)) return void response.once("drain", write);
        }
      };
      write();
    });
    const request = http.request({ host: "127.0.0.1", port, method: "POST", path: "/v1/messages", agent: false });
    request.end("{}");
    const [response] = (await once(request, "response")) as [IncomingMessage];
    response.pause();
    let before = -1;
    while (written !== before) {
      before = written;
      await pause(200);
    }
    expect(written).toBeLessThan(40 * 1024 * 1024);
    request.destroy();
  });

  it.each([204, 304])("may have no body: %i", async (status) => {
    const { port } = await open((_, response) => void response.writeHead(status).end());
    const { response, body } = await send(port, { method: "GET", path: "/v1/x" });
    expect([response.statusCode, body.length]).toEqual([status, 0]);
  });

  it("to HEAD is its headers", async () => {
    const { port } = await open((_, response) => void response.writeHead(200, { "content-length": "5" }).end());
    const { response } = await send(port, { method: "HEAD", path: "/v1/x" });
    expect(response.headers["content-length"]).toBe("5");
  });
});

describe("an end before its time", () => {
  it("of the client ends the provider's answer", async () => {
    let isClosed = false;
    const { port } = await open((request, response) => {
      request.resume();
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
      response.on("close", () => {
        isClosed = true;
      });
    });
    const request = http.request({ host: "127.0.0.1", port, method: "POST", path: "/v1/messages", agent: false });
    request.end("{}");
    const [response] = (await once(request, "response")) as [IncomingMessage];
    await once(response, "data");
    request.destroy();
    while (!isClosed) await pause(10);
    expect(isClosed).toBe(true);
  });

  it("of the client before any answer ends the question", async () => {
    let seen: ServerResponse | undefined;
    const { port } = await open((_, response) => {
      seen = response;
    });
    const request = http.request({ host: "127.0.0.1", port, method: "POST", path: "/v1/messages", agent: false });
    request.on("error", () => undefined);
    request.end("{}");
    while (seen === undefined) await pause(10);
    request.destroy();
    await once(seen, "close");
    expect(seen.destroyed).toBe(true);
  });

  it("of the provider is no whole answer for the client", async () => {
    const { port } = await open((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
      setTimeout(() => response.destroy(), 30);
    });
    const asked = send(port, { method: "POST", path: "/v1/messages" }, "{}");
    await expect(asked).rejects.toThrow(/aborted|ECONNRESET/);
  });

  it("of a connection that rested is not the client's to see", async () => {
    let asked = 0;
    const { port, server } = await open(async (request, response) => {
      await bytesOf(request);
      asked++;
      response.end("{}");
    });
    server.keepAliveTimeout = 1_000;
    for (let times = 0; times < 20; times++) {
      const { response } = await send(port, { method: "POST", path: "/v1/messages" }, "{}");
      expect(response.statusCode).toBe(200);
      server.closeAllConnections();
    }
    expect(asked).toBe(20);
  });

  it("is a 502 that says who could not be reached", async () => {
    const { address, lines } = await openTestProxy({ upstream: "http://127.0.0.1:9" });
    const { status, text } = await ask(address, conversation(1), {}, { "x-api-key": "sk-secret" });
    expect(status).toBe(502);
    expect(JSON.parse(text).error.message).toMatch(/127\.0\.0\.1:9 could not be asked: ECONNREFUSED/);
    expect(lines.join()).not.toContain("sk-secret");
  });
});

describe("a body that is large", () => {
  it("is refused where it has to be read", async () => {
    const { port } = await open((_, response) => void response.end("{}"));
    const headers = { "content-length": MOST_BODY_BYTES + 1 };
    const request = http.request({
      host: "127.0.0.1",
      port,
      method: "POST",
      path: "/v1/messages",
      headers,
      agent: false,
    });
    request.on("error", () => undefined);
    request.write("{");
    const [response] = (await once(request, "response")) as [IncomingMessage];
    expect(response.statusCode).toBe(413);
    request.destroy();
  });

  it("is refused where its encoding hides it", async () => {
    const { port } = await open((_, response) => void response.end("{}"));
    const bomb = zlib.gzipSync(Buffer.alloc(MOST_BODY_BYTES + 10, " "));
    const headers = { "content-encoding": "gzip" };
    const { response } = await send(port, { method: "POST", path: "/v1/messages", headers }, bomb);
    expect(response.statusCode).toBe(413);
  });

  it("streams where it is not read, without a limit and without being held", async () => {
    let received = 0;
    const { port } = await open(async (request, response) => {
      for await (const chunk of request) received += (chunk as Buffer).length;
      response.end("{}");
    });
    const request = http.request({ host: "127.0.0.1", port, method: "POST", path: "/v1/files", agent: false });
    const piece = Buffer.alloc(1024 * 1024);
    for (let at = 0; at < 120; at++) if (!request.write(piece)) await once(request, "drain");
    request.end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    expect([response.statusCode, received]).toEqual([200, 120 * 1024 * 1024]);
  });
});

describe("a connection that becomes another protocol's", () => {
  it("passes both ways", async () => {
    const { port, server } = await open(() => undefined);
    server.on("upgrade", (request, socket) => {
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\nX-Path: ${request.url}\r\n\r\n`,
      );
      socket.pipe(socket);
    });
    const request = http.request({
      ...{ host: "127.0.0.1", port, path: "/v1/responses?x=1" },
      headers: { connection: "Upgrade", upgrade: "echo" },
    });
    request.end();
    const [response, socket] = (await once(request, "upgrade")) as [IncomingMessage, net.Socket];
    expect(response.headers["x-path"]).toBe("/v1/responses?x=1");
    socket.write("over there");
    expect(String((await once(socket, "data"))[0])).toBe("over there");
    socket.destroy();
  });

  it("is answered by a provider that does not want it", async () => {
    const { port } = await open((_, response) => void response.writeHead(426).end("no"));
    const request = http.request({
      host: "127.0.0.1",
      port,
      path: "/",
      headers: { connection: "Upgrade", upgrade: "x" },
    });
    request.end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    expect(response.statusCode).toBe(426);
    expect((await bytesOf(response)).toString()).toBe("no");
  });
});

describe("who may use it", () => {
  it("is this machine: neither a page elsewhere nor another name", async () => {
    const { port } = await open((_, response) => void response.end("{}"));
    const refused = async (headers: http.OutgoingHttpHeaders) =>
      (await send(port, { method: "POST", path: "/v1/messages", headers }, "{}")).response.statusCode;
    expect(await refused({ host: "evil.example" })).toBe(403);
    expect(await refused({ origin: "https://evil.example" })).toBe(403);
    expect(await refused({ origin: "http://localhost:3000" })).toBe(200);
  });

  it("is who has the token, where one is set, and the provider never sees it", async () => {
    const heard: string[] = [];
    const upstream = await upstreamOf((request, response) => {
      heard.push(request.rawHeaders.join());
      response.end("{}");
    });
    const isAllowed = await createBearerCheck(new Map([["right", ""]]));
    const { address } = await openTestProxy({ upstream: upstream.address, parts: { isAllowed } });
    const asked = async (token?: string) =>
      (await ask(address, conversation(1), {}, token === undefined ? {} : { "x-agent-compact-token": token })).status;
    expect([await asked(), await asked("wrong"), await asked("right")]).toEqual([401, 401, 200]);
    expect(heard).toHaveLength(1);
    expect(heard[0]).not.toContain("right");
  });
});

describe("an address in the place of a path", () => {
  it("is refused: the proxy stands for one provider", async () => {
    const { port } = await open((_, response) => void response.end("{}"));
    const { response } = await send(port, { method: "POST", path: "http://elsewhere.example/v1/messages" }, "{}");
    expect(response.statusCode).toBe(400);
  });
});

describe("the end of the proxy", () => {
  it("lets streams that run come to theirs", async () => {
    const { address, proxy } = await openTestProxy({ provider: { pause: 60 } });
    const asked = ask(address, conversation(1), { stream: true });
    await pause(100);
    const closed = proxy.close(10_000);
    const { status, text } = await asked;
    expect([status, text.includes("message_stop")]).toEqual([200, true]);
    await closed;
    await expect(ask(address, conversation(1))).rejects.toThrow();
  });
});

describe("what it has done", () => {
  it("is told at /metrics, and /healthz answers", async () => {
    const { address } = await openTestProxy({ config: { maxContextTokens: 8_000 } });
    for (let length = 1; length <= 30; length++) await ask(address, conversation(length), { stream: true });
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    const text = await (await fetch(`${address}/metrics`)).text();
    expect(text).toMatch(/requests_total\{outcome="passed"\} \d+\n/);
    expect(text).toMatch(/compactions_total [1-9]/);
    expect(text).toMatch(/provider_tokens_total\{kind="cache_read"\} [1-9]/);
    expect(text).toMatch(/added_milliseconds_count 30\n/);
    expect(text).not.toContain("anthropic-");
  });
});
