// The program in a process of its own: what leaves it before it ends, however it ends, and that it ends in time.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { startScriptedServer } from "../../../src/testing/scripted-server.ts";
import { type RawServer, speak, strayLines } from "../../mcp/raw-client.ts";
import { verifies } from "../../requirements/verifies.ts";
import { startCollector } from "../../trace/collector/collector.ts";
import { startViewer, type Viewer } from "../../trace/viewer/viewer.ts";
import { call } from "../command-line.ts";
import { builtMain } from "./built-main.ts";
import { COMMANDS, folderWith } from "./folders.ts";

const program = builtMain();

interface Program extends RawServer {
  /** Of the process's end. */
  readonly endedAt: Promise<number>;
}

function start(argv: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): Program {
  const child = spawn(process.execPath, [...program, ...argv], { cwd, env: { ...process.env, HOME: cwd, ...env } });
  onTestFinished(() => void child.kill("SIGKILL"));
  const endedAt = once(child, "exit").then(() => performance.now());
  return { ...speak(child), endedAt };
}

async function openViewer(): Promise<Viewer> {
  const viewer = await startViewer();
  onTestFinished(() => viewer.close());
  return viewer;
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await pause(20);
}

/** What a slow machine may need besides. */
const SPARE_MS = 1_500;

it("sends what a tool of the MCP server did, over one trace for all calls, and keeps stdout to the protocol", async () => {
  const viewer = await openViewer();
  const collector = await startCollector();
  onTestFinished(() => collector.close());
  const cwd = folderWith({ ariadne_url: viewer.url, otlp_url: collector.url, console: true });
  await call(["observations", "import", "notes.jsonl", "--db", "m.db"], { cwd, env: { HOME: cwd } });
  const before = viewer.spans.length;
  const server = start(["mcp", "--db", "m.db", "--decisions", "decisions", "--workspace", cwd], cwd);
  await server.initialize();
  const compacted = await server.request("tools/call", { name: "cstp_compact", arguments: {} });
  expect(compacted.error).toBeUndefined();
  await server.request("tools/call", { name: "cstp_compact", arguments: {} });
  server.child.stdin.end();
  expect(await server.exit).toEqual({ code: 0, signal: null });
  const names = viewer.spans.slice(before).map(({ name }) => name);
  expect(names.length).toBeGreaterThan(0);
  expect(collector.spans.map(({ name }) => name).sort()).toEqual(names.toSorted());
  expect(strayLines(server.stdout())).toEqual([]);
  expect(server.stderr().match(/^\[compact\]/gm)).toHaveLength(names.length);
  // Asked once whether it is there: by the one sink of the process.
  expect(viewer.requests.filter((request) => request === "GET /healthz").length).toBe(before === 0 ? 1 : 2);
}, 20_000);

it("ends within two seconds of its client, with a viewer that never answers", async () => {
  const viewer = await openViewer();
  const cwd = folderWith({ ariadne_url: viewer.url });
  viewer.behave({ isBlackHole: true });
  const server = start(["mcp", "--db", "m.db", "--decisions", "decisions"], cwd);
  await server.initialize();
  await server.request("tools/call", { name: "cstp_compact", arguments: {} });
  const left = performance.now();
  server.child.kill("SIGTERM");
  expect((await server.exit).code).toBe(0);
  expect((await server.endedAt) - left).toBeLessThan(2_000 + SPARE_MS);
}, 20_000);

it("prints the result of a command first, and ends within two seconds of it", async () => {
  verifies(
    "conversation/non-blocking-http-export",
    "conversation/export-never-blocks",
    "field/exporter-hurts-the-loop",
  );
  const viewer = await openViewer();
  viewer.behave({ isBlackHole: true });
  const cwd = folderWith({ ariadne_url: viewer.url });
  const command = start([...(COMMANDS.conversation ?? []), "--quiet"], cwd);
  await until(() => command.stdout() !== "");
  const printed = performance.now();
  expect(await command.exit).toEqual({ code: 0, signal: null });
  expect((await command.endedAt) - printed).toBeLessThan(2_000 + SPARE_MS);
  expect(command.stdout()).toBe("talk.compacted.json\n");
  expect(command.stderr()).toMatch(/^\[Ariadne\] /);
}, 20_000);

it.skipIf(process.platform === "win32").each([
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)(
  "sends what a command had emitted when %s ends it in the middle",
  async (signal, code) => {
    const viewer = await openViewer();
    let isAsked = false;
    const model = await startScriptedServer(() => {
      isAsked = true;
      return { fault: "hang" };
    });
    onTestFinished(() => model.close());
    const cwd = folderWith(undefined);
    const summarizer = { type: "openai-compatible", model: "m", base_url: model.openaiUrl };
    writeFileSync(join(cwd, "compact.json"), JSON.stringify({ telemetry: { ariadne_url: viewer.url }, summarizer }));
    const command = start(COMMANDS.conversation ?? [], cwd);
    await until(() => isAsked);
    command.child.kill(signal);
    expect(await command.exit).toEqual({ code, signal: null });
    expect(viewer.spans.map(({ name }) => name)).toContain("compact.token_estimate");
  },
  20_000,
);
