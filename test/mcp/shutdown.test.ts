// However a server's client leaves, the server answers what it can, lets a write come to its end, closes its store and
// is gone, with exit code 0. A test that hangs has found one that outlives its client.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { builtToolServer } from "./built-tool-server.ts";
import { call, speak, startRaw, strayLines } from "./raw-client.ts";

const argv = builtToolServer();

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "agent-compact-mcp-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "trace.txt");
}

const textOf = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : "");

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await pause(20);
}

const clean = { code: 0, signal: null };

describe("a server whose client leaves", () => {
  it("answers what was piped into it, closes its store and exits", async () => {
    verifies("field/server-outlives-client");
    const closed = newFile();
    const server = startRaw({ argv, env: { CLOSED_FILE: closed } });
    void server.initialize();
    const [slow, list] = [server.request("tools/call", call("slow", { ms: 300 })), server.request("tools/list")];
    server.child.stdin.end();
    expect((await slow).result?.content?.[0]?.text).toBe("slow is done");
    expect((await list).result?.tools).toBeDefined();
    expect(await server.exit).toEqual(clean);
    expect(textOf(closed)).toBe("closed\n");
    expect(strayLines(server.stdout())).toEqual([]);
  });

  it("exits when nothing was ever sent", async () => {
    const server = startRaw({ argv });
    server.child.stdin.end();
    expect(await server.exit).toEqual(clean);
    expect(server.stdout()).toBe("");
  });

  it("lets running work come to its end when its output has no reader any more", async () => {
    verifies("field/server-outlives-client");
    const [trace, closed] = [newFile(), newFile()];
    const server = startRaw({ argv, env: { CLOSED_FILE: closed } });
    await server.initialize();
    void server.request("tools/call", call("slow", { ms: 400, file: trace }));
    await until(() => textOf(trace) === "begun\n");
    server.child.stdout.destroy();
    server.child.stderr.destroy();
    expect(await server.exit).toEqual(clean);
    expect(textOf(trace)).toBe("begun\nended\n");
    expect(textOf(closed)).toBe("closed\n");
  });

  it("survives that only the log has no reader", async () => {
    const server = startRaw({ argv });
    await server.initialize();
    server.child.stderr.destroy();
    for (let round = 0; round < 3; round++) {
      expect((await server.request("tools/call", call("noisy"))).result?.content?.[0]?.text).toBe("noisy is done");
    }
  });

  it("exits while tools run that take for ever, and says of each call that it was not finished", async () => {
    verifies("field/server-outlives-client");
    const [trace, closed] = [newFile(), newFile()];
    const server = startRaw({ argv, env: { CLOSED_FILE: closed } });
    await server.initialize();
    const running = [
      server.request("tools/call", call("slow", { ms: 3_600_000, file: trace })),
      server.request("tools/call", call("stubborn")),
      server.request("tools/call", call("slow", { ms: 3_600_000 })),
    ];
    await until(() => textOf(trace) === "begun\n");
    server.child.stdin.end();
    const [reading, writing] = await Promise.all(running);
    expect(reading?.result).toMatchObject({
      isError: true,
      content: [{ type: "text", text: "slow was not finished when the server had to end.\nCall it again." }],
    });
    expect(writing?.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/not known whether it was carried out\.\nLook .* before you call/) }],
      _meta: { "agent-compact/error": { code: "UNFINISHED" } },
    });
    expect(await server.exit).toEqual(clean);
    expect(textOf(closed)).toBe("closed\n");
    const told = server.stderr().match(/^agent-compact: .*not finished.*$/gm);
    expect(told).toEqual([expect.stringContaining("3 calls were not finished")]);
    expect(told?.[0]).toMatch(/slow \(2\), stubborn\.$/);
    expect(strayLines(server.stdout())).toEqual([]);
  });

  it("says on stderr what was left unfinished by a client that takes no answers any more", async () => {
    const trace = newFile();
    const server = startRaw({ argv });
    await server.initialize();
    void server.request("tools/call", call("slow", { ms: 3_600_000, file: trace }));
    await until(() => textOf(trace) === "begun\n");
    server.child.stdout.destroy();
    server.child.stdin.end();
    expect(await server.exit).toEqual(clean);
    expect(server.stderr()).toMatch(/A call was not finished .*: slow\.$/m);
  });
});

describe("a server that is told to stop", () => {
  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "by %s answers the running call and exits with 0",
    async (signal) => {
      verifies("field/server-outlives-client");
      const [trace, closed] = [newFile(), newFile()];
      const server = startRaw({ argv, env: { CLOSED_FILE: closed } });
      await server.initialize();
      const running = server.request("tools/call", call("slow", { ms: 300, file: trace }));
      await until(() => textOf(trace) === "begun\n");
      server.child.kill(signal);
      expect((await running).result?.content?.[0]?.text).toBe("slow is done");
      expect(await server.exit).toEqual(clean);
      expect(textOf(trace)).toBe("begun\nended\n");
      expect(textOf(closed)).toBe("closed\n");
    },
  );

  it.each([
    ["in JavaScript", false, clean],
    // What runs outside cannot be ended from within: the process is.
    ["outside of it", true, { code: null, signal: "SIGKILL" }],
  ])("while its thread is blocked %s, is gone all the same", async (_, outside, ended) => {
    verifies("field/server-outlives-client");
    const server = startRaw({ argv });
    await server.initialize();
    void server.request("tools/call", call("blocking", { outside }));
    await until(() => server.stderr().includes("blocking"));
    server.child.kill("SIGTERM");
    expect(await server.exit).toEqual(ended);
  });

  it("while a tool runs for ever, exits all the same", async () => {
    const trace = newFile();
    const server = startRaw({ argv });
    await server.initialize();
    const running = server.request("tools/call", call("slow", { ms: 3_600_000, file: trace }));
    await until(() => textOf(trace) === "begun\n");
    server.child.kill("SIGTERM");
    expect((await running).result?.content?.[0]?.text).toContain("slow was not finished");
    expect(await server.exit).toEqual(clean);
  });
});

describe("a server whose parent is killed", () => {
  /** Starts the server in its turn; `stdio` says whose pipes it has. */
  const parent = (stdio: string) => `
    const { spawn } = require("node:child_process");
    const child = spawn(process.execPath, ${JSON.stringify(argv)}, { stdio: ${stdio} });
    process.stderr.write("child " + child.pid + "\\n");
    setInterval(() => {}, 1000);`;

  async function gone(pid: number): Promise<void> {
    const isAlive = () => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await until(() => !isAlive());
  }

  function startParent(stdio: string, closed: string): ChildProcess {
    const child = spawn(process.execPath, ["-e", parent(stdio)], { env: { ...process.env, CLOSED_FILE: closed } });
    onTestFinished(() => void child.kill("SIGKILL"));
    return child;
  }

  it("exits when its pipes end with the parent", async () => {
    verifies("field/server-outlives-client");
    const closed = newFile();
    const started = startParent(`["pipe", "pipe", "inherit"]`, closed);
    let log = "";
    started.stderr?.on("data", (text) => {
      log += text;
    });
    await until(() => log.includes("NOISE at the start"));
    started.kill("SIGKILL");
    await gone(Number(/child (\d+)/.exec(log)?.[1]));
    expect(textOf(closed)).toBe("closed\n");
  });

  it("exits when its pipes are another's and stay open, as under npx", async () => {
    verifies("field/server-outlives-client");
    const closed = newFile();
    const started = startParent(`"inherit"`, closed);
    const server = speak(started as Parameters<typeof speak>[0]);
    await server.initialize();
    const pid = Number(/child (\d+)/.exec(server.stderr())?.[1]);
    started.kill("SIGKILL");
    await gone(pid);
    expect(textOf(closed)).toBe("closed\n");
  });
});
