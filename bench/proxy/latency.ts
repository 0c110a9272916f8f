// `npx unrun bench/proxy/latency.ts`: what a request of 1,000 messages that is not due takes longer through the proxy, each
// beside the same request without it; and fifty streams at once.

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBuiltProxy } from "./built-proxy.ts";

const MESSAGES = 1_001;
const REQUESTS = 300;
const WORDS = "The gateway listens on the port that was asked for, and the test for it is green again. ".repeat(4);

const messages = (length: number) =>
  Array.from({ length }, (_, at) => ({
    role: at % 2 === 0 ? "user" : "assistant",
    content: [{ type: "text", text: `${at}: ${WORDS}` }],
  }));

const bodyOf = (length: number) =>
  JSON.stringify({
    model: "claude-sonnet-4-5",
    max_tokens: 1000,
    messages: messages(length),
    system: "You help.",
    tools: [],
  });

/** Answers at once: what is measured is the way. */
async function startQuickProvider() {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"usage":{"input_tokens":1000,"output_tokens":1}}');
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function time(base: string, body: string): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${base}/v1/messages`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  await response.arrayBuffer();
  return performance.now() - startedAt;
}

function share(values: readonly number[], part: number): string {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0).toFixed(2);
}

const state = mkdtempSync(join(tmpdir(), "bench-proxy-"));
const quick = await startQuickProvider();
const proxy = await startBuiltProxy(quick.address, state, ["--max-context-tokens", process.argv[2] ?? "200000"]);
const direct: number[] = [];
const through: number[] = [];
for (let at = 0; at < REQUESTS; at++) {
  const body = bodyOf(MESSAGES + 2 * at);
  direct.push(await time(quick.address, body));
  through.push(await time(proxy.url, body));
}
const added = through.map((each, at) => each - (direct[at] ?? 0)).slice(5);
console.log(
  `${MESSAGES} messages, ${(bodyOf(MESSAGES).length / 1024).toFixed(0)} KB, not due, ${REQUESTS} requests that grow by two`,
);
console.log(`first request through the proxy: ${through[0]?.toFixed(1)} ms`);
console.log(
  `without: p50 ${share(direct, 0.5)} p99 ${share(direct, 0.99)} ms; with: p50 ${share(through, 0.5)} p99 ${share(through, 0.99)} ms`,
);
console.log(`added: p50 ${share(added, 0.5)} p99 ${share(added, 0.99)} ms`);
console.log(
  (await (await fetch(`${proxy.url}/metrics`)).text())
    .split("\n")
    .filter((line) => line.includes("added"))
    .join("\n"),
);
await proxy.stop();
quick.close();
rmSync(state, { recursive: true });
