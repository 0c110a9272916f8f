// What leaves for a trace viewer and a collector over real HTTP: no secret in a body, a header or a line about it. And a
// viewer that means harm: it gets nothing anywhere else, and keeps nobody waiting.
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { CompactManager, createAriadneSink, createOtlpSink } from "../../src/index.ts";
import { anthropic, openaiChat, openaiResponses, type PlantedConversation } from "./planting/chat-histories.ts";
import { createPlanter, type Planter } from "./planting/planter.ts";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = `${request.method} ${request.url}\n${request.rawHeaders.join("\n")}\n`;
  request.setEncoding("utf8");
  for await (const piece of request) text += piece;
  return text;
}

/** Answers as the viewer does, and keeps what it was sent. */
async function listenWell(): Promise<{ readonly url: string; readonly received: string[] }> {
  const received: string[] = [];
  const url = await listen(async (request, response) => {
    received.push(await textOf(request));
    response.setHeader("content-type", "application/json");
    response.end(request.url === "/healthz" ? '{"status":"ok"}' : '{"success":true,"count":1}');
  });
  return { url, received };
}

const FORMATS: readonly (readonly [string, (planter: Planter) => PlantedConversation])[] = [
  ["OpenAI chat", openaiChat],
  ["OpenAI Responses", openaiResponses],
  ["Anthropic", anthropic],
];

describe.each(FORMATS)("a viewer and a collector of %s", (_format, plantIn) => {
  it("get no secret, whichever field holds it", async () => {
    const planter = createPlanter(71);
    const [ariadne, otlp, lines] = [await listenWell(), await listenWell(), [] as string[]];
    const write = (line: string) => void lines.push(line);
    const sinks = [
      createAriadneSink({ url: ariadne.url, write }),
      createOtlpSink({ url: otlp.url, write, headers: { "x-team": "shop" } }),
    ];
    const manager = new CompactManager({ archive: false, trace: sinks });
    const { messages, ...rest } = plantIn(planter);
    const note = planter.kinds.map((kind) => planter.plantOf(kind)("note")).join("\n");
    const sessionId = planter.kinds.map((kind) => planter.plantOf(kind)("session id")).join(" ");
    await manager.preflight(sessionId, messages, rest);
    await manager.manualCompact(sessionId, messages, { ...rest, note });
    await manager
      .manualCompact(
        sessionId,
        messages.filter((_, index) => index % 5 !== 3),
        { ...rest, isStrict: true },
      )
      .catch(() => undefined);
    await Promise.all(sinks.map((sink) => sink.shutdown?.()));
    for (const { received } of [ariadne, otlp]) expect(received.join("\n")).toContain("<REDACTED>");
    expect(planter.leaksIn([...ariadne.received, ...otlp.received, ...lines].join("\n"))).toEqual([]);
  }, 60_000);
});

const MISCHIEF: readonly (readonly [string, (elsewhere: string) => RequestListener])[] = [
  [
    "redirects to another host",
    (elsewhere) => (_, response) => response.writeHead(307, { location: `${elsewhere}/steal` }).end(),
  ],
  ["redirects to a file", () => (_, response) => response.writeHead(302, { location: "file:///etc/passwd" }).end()],
  [
    "redirects in a circle",
    () => (request, response) => response.writeHead(308, { location: request.url ?? "/" }).end(),
  ],
  [
    "answers without end",
    () => (_, response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    },
  ],
  [
    "drips",
    () => (_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("x"), 50);
      response.on("close", () => clearInterval(timer));
    },
  ],
  [
    "sends headers without end",
    () => (request) => {
      request.socket.write("HTTP/1.1 200 OK\r\n");
      const more = () => {
        while (!request.socket.destroyed && request.socket.write(`x-${Math.random()}: ${"y".repeat(8000)}\r\n`));
        if (!request.socket.destroyed) request.socket.once("drain", more);
      };
      request.socket.on("error", () => undefined);
      more();
    },
  ],
  ["never answers", () => () => undefined],
  ["hangs up", () => (request) => request.socket.destroy()],
  [
    "asks to come back in a day",
    () => (_, response) => response.writeHead(503, { "retry-after": "86400" }).end("later"),
  ],
  [
    "answers with orders and escapes",
    () => (_, response) =>
      response
        .writeHead(400, { "content-type": "application/json" })
        .end(
          '{"error":"\u001b]0;owned\u0007 run rm -rf","partialSuccess":{"errorMessage":"\u001b[2J","rejectedSpans":"x"}}',
        ),
  ],
];

describe.each(MISCHIEF)("a viewer that %s", (_what, answerWith) => {
  it("gets nothing elsewhere, holds up nobody and drives no terminal", async () => {
    const elsewhere: string[] = [];
    const other = await listen((request, response) => {
      elsewhere.push(request.url ?? "");
      response.end("{}");
    });
    const url = await listen(answerWith(other));
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const sinks = [
      createAriadneSink({ url, timeoutMs: 500, write }),
      createOtlpSink({ url, timeoutMs: 500, write, headers: { authorization: "Bearer of-the-collector" } }),
    ];
    const manager = new CompactManager({ archive: false, trace: sinks });
    const messages = [{ role: "user", content: "hello" }];
    expect(await manager.preflight("s", messages)).toBe(messages);
    await Promise.all(sinks.map((sink) => sink.flush()));
    await Promise.all(sinks.map((sink) => sink.shutdown?.()));
    expect(elsewhere).toEqual([]);
    expect(lines.length).toBeLessThan(10);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(lines.join("\n")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(lines.join("\n")).not.toContain("of-the-collector");
  }, 20_000);
});
