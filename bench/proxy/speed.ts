// What the proxy adds to a request that is not due, and what an hour of fifty agents leaves in its memory.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startBuiltProxy } from "./built-proxy.ts";

export const MESSAGES = 1_001;
const REQUESTS = 300;
/** Until what is compiled has been compiled. */
const WARM = 20;
const WORDS = "The gateway listens on the port that was asked for, and the test for it is green again. ".repeat(4);

export interface Added {
  /** Milliseconds. */
  readonly direct: Shares;
  readonly through: Shares;
  readonly added: Shares;
  /** Added by the peer. */
  readonly peer: Shares;
  readonly bytes: number;
}

export interface Shares {
  readonly p50: number;
  readonly p99: number;
}

/** Each request beside the same one without the proxy, and through the peer, in turn. Due is decided by counting. */
export async function measureAdded(): Promise<Added> {
  const provider = await startQuickProvider();
  const state = mkdtempSync(join(tmpdir(), "bench-proxy-"));
  const proxy = await startBuiltProxy(provider.address, state, ["--max-context-tokens", "200000"]);
  const peer = await startPeer(provider.address);
  const [direct, through, byPeer]: [number[], number[], number[]] = [[], [], []];
  for (let at = 0; at < REQUESTS; at++) {
    const body = bodyOf(MESSAGES + 2 * at, "x");
    direct.push(await time(provider.address, body));
    through.push(await time(proxy.url, body));
    byPeer.push(await time(peer.url, body, peer.headers));
  }
  await Promise.all([proxy.stop(), peer.stop()]);
  provider.close();
  rmSync(state, { recursive: true });
  const beyond = (values: readonly number[]) => sharesOf(values.map((each, at) => each - (direct[at] ?? 0)));
  return {
    ...{ direct: sharesOf(direct), through: sharesOf(through), added: beyond(through), peer: beyond(byPeer) },
    bytes: bodyOf(MESSAGES, "x").length,
  };
}

export interface Soaked {
  readonly requests: number;
  readonly compactions: number;
  readonly failed: number;
  readonly seconds: number;
  /** Of the process, after each tenth of the requests. */
  readonly megabytes: readonly number[];
}

/** What is no longer needed is collected only where memory grows short: with this little, what grows is kept. Megabytes. */
export const HEAP_MEGABYTES = 160;

/** So many agents at once, each with one conversation after another, compacted in a window of 8,000. */
export async function soak(agents: number, requests: number): Promise<Soaked> {
  const provider = await startQuickProvider();
  const state = mkdtempSync(join(tmpdir(), "bench-proxy-"));
  const node = [`--max-old-space-size=${HEAP_MEGABYTES}`];
  const proxy = await startBuiltProxy(provider.address, state, ["--max-context-tokens", "8000"], { node });
  const megabytes: number[] = [];
  let [sent, failed] = [0, 0];
  const startedAt = performance.now();
  const run = async (agent: number): Promise<void> => {
    for (let turn = 0; sent < requests; turn++) {
      const number = ++sent;
      const body = bodyOf(1 + 2 * (turn % 100), `${agent}.${Math.floor(turn / 100)}`);
      const { status } = await send(proxy.url, body);
      if (status !== 200) failed++;
      if (number % Math.ceil(requests / 10) === 0) megabytes.push(await residentMegabytes(proxy.url));
    }
  };
  await Promise.all(Array.from({ length: agents }, (_, agent) => run(agent)));
  const compactions = Number(/compactions_total (\d+)/.exec(await metricsOf(proxy.url))?.[1] ?? 0);
  await proxy.stop();
  provider.close();
  rmSync(state, { recursive: true });
  return { requests, compactions, failed, seconds: (performance.now() - startedAt) / 1000, megabytes };
}

function bodyOf(length: number, name: string): string {
  const messages = Array.from({ length }, (_, at) => ({
    role: at % 2 === 0 ? "user" : "assistant",
    content: `${name}, ${at}: ${WORDS}`,
  }));
  return JSON.stringify({ model: "gpt-4o", messages });
}

/** Answers at once: what is measured is the way. */
async function startQuickProvider() {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      response
        .writeHead(200, { "content-type": "application/json" })
        .end('{"choices":[],"usage":{"completion_tokens":1}}');
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

const PEER = new URL("../peers/node_modules/@portkey-ai/gateway/build/start-server.js", import.meta.url).pathname;
const PEER_PORT = 18_787;

/** A gateway of the registry that compacts nothing: no proxy there does. It is told the provider with each request. */
async function startPeer(provider: string) {
  const child = spawn(process.execPath, [PEER, `--port=${PEER_PORT}`, "--headless"], { stdio: "ignore" });
  const url = `http://127.0.0.1:${PEER_PORT}`;
  for (let tries = 0; tries < 100; tries++) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      break;
    await pause(100);
  }
  return {
    url,
    headers: { "x-portkey-provider": "openai", "x-portkey-custom-host": `${provider}/v1`, authorization: "Bearer key" },
    stop: async () => {
      child.kill();
      await once(child, "exit");
    },
  };
}

async function send(base: string, body: string, more: Record<string, string> = {}): Promise<Response> {
  const headers = { "content-type": "application/json", ...more };
  const response = await fetch(`${base}/v1/chat/completions`, { method: "POST", headers, body });
  await response.arrayBuffer();
  return response;
}

async function time(base: string, body: string, headers?: Record<string, string>): Promise<number> {
  const startedAt = performance.now();
  await send(base, body, headers);
  return performance.now() - startedAt;
}

async function metricsOf(base: string): Promise<string> {
  return (await fetch(`${base}/metrics`)).text();
}

async function residentMegabytes(base: string): Promise<number> {
  const bytes = Number(/process_resident_memory_bytes (\d+)/.exec(await metricsOf(base))?.[1]);
  return Math.round(bytes / 2 ** 20);
}

function sharesOf(values: readonly number[]): Shares {
  const sorted = values.slice(WARM).toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}
