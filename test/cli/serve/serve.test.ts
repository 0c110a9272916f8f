// `agent-compact serve` as it is installed: in a process of its own, over real HTTP, ended by signals. Needs a build.
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { verifies } from "../../requirements/verifies.ts";

const program = fileURLToPath(new URL("../../../dist/cli/main.js", import.meta.url));
const help = existsSync(program)
  ? spawnSync(process.execPath, [program, "serve", "--help"], { encoding: "utf8" }).stdout
  : "";
const isBuilt = help.includes("agent-compact serve");

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "agent-compact-serve-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Started {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Its home and working directory are a folder of the test. */
function start({ flags = [], env = {}, cwd = newFolder() }: Started = {}) {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [program, "serve", "--port", "0", ...flags], {
    cwd,
    env: { ...process.env, HOME: cwd, CSTP_AUTH_TOKENS: undefined, ...env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  const exit = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal }));
  });
  const said = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(err);
        if (found !== null) resolve(found[1] ?? found[0]);
      };
      child.stderr.on("data", look);
      look();
      void exit.then(() => reject(new Error(`ended before it said ${pattern}: ${err}`)));
    });
  return { child, cwd, exit, said, stdout: () => out, stderr: () => err, url: () => said(/Listening on (\S+?),/) };
}

async function call(url: string, method: string, params: object = {}, token?: string) {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(url, { method: "POST", headers, body });
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever came
  return { status: response.status, ...((await response.json()) as { result?: any; error?: any }) };
}

describe.skipIf(!isBuilt)(
  `the built decision server${isBuilt ? "" : " (skipped: no build with the command serve)"}`,
  () => {
    it("serves the folder beside it, is healthy, and ends with a signal", async () => {
      verifies("decisions/api-compact");
      const cwd = newFolder();
      mkdirSync(join(cwd, "decisions"));
      const server = start({ cwd });
      const url = await server.url();
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/cstp$/);
      const health = await fetch(new URL("/health", url));
      expect(await health.json()).toEqual({ status: "ok" });
      const params = { decision: "Use one queue", category: "architecture", confidence: 0.8 };
      const { result } = await call(url, "cstp.recordDecision", params);
      expect((await call(url, "cstp.compact")).result).toMatchObject({ compacted: 1, dryRun: false });
      expect((await call(url, "cstp.getDecision", { id: result.id })).result.decision).toMatchObject(params);
      const files = readdirSync(join(cwd, "decisions"), { recursive: true, encoding: "utf8" });
      expect(files.filter((name) => name.endsWith(`-decision-${result.id}.yaml`))).toHaveLength(1);
      server.child.kill("SIGTERM");
      expect(await server.exit).toEqual({ code: 0, signal: null });
      expect(server.stdout()).toBe("");
      expect(server.stderr()).toContain("open to every program on this machine");
      expect(server.stderr()).toMatch(
        /Decision log: decisions \(cstp-yaml\), 0 decisions: 0 full, 0 summary, 0 digest, 0 wisdom/,
      );
      expect(server.stderr()).toMatch(/Next cycle: \d{4}-/);
      expect(server.stderr()).not.toContain("is new");
    });

    it("keeps a database for the next start, and asks for tokens", async () => {
      const cwd = newFolder();
      const given = {
        cwd,
        flags: ["--db", "log.db", "--json", "--quiet"],
        env: { CSTP_AUTH_TOKENS: "ada:secret-1,bob:secret-2" },
      };
      const first = start(given);
      while (!first.stdout().includes("\n")) await new Promise((resolve) => setTimeout(resolve, 20));
      const { url } = JSON.parse(first.stdout()) as { readonly url: string };
      expect((await call(url, "cstp.getCompacted")).status).toBe(401);
      const { result } = await call(url, "cstp.recordDecision", { decision: "x", category: "y" }, "secret-2");
      first.child.kill("SIGINT");
      expect(await first.exit).toEqual({ code: 0, signal: null });
      expect(first.stdout().trim().split("\n")).toHaveLength(1);

      const second = start({ ...given, flags: ["--db", "log.db"] });
      const again = await second.url();
      expect((await call(again, "cstp.getDecision", { id: result.id }, "secret-1")).result.decision.recorded_by).toBe(
        "bob",
      );
      expect(second.stderr()).toMatch(/tokens asked for \(2 agents\)/);
      expect(second.stderr()).toContain("1 decision: 1 full");
      expect(first.stderr() + second.stderr()).not.toContain("secret");
      second.child.kill("SIGTERM");
      expect(await second.exit).toEqual({ code: 0, signal: null });
    });

    it("says of a log that is not there that it is new, and makes its folder at the first record at the latest", async () => {
      const server = start({ flags: ["--decisions", "typo"] });
      const url = await server.url();
      await server.said(
        /There was nothing at typo: the decision log is new, and its folder is made at the first record or cycle/,
      );
      expect((await call(url, "cstp.getCompacted")).result.total).toBe(0);
      await call(url, "cstp.recordDecision", { decision: "x", category: "y" });
      expect(existsSync(join(server.cwd, "typo"))).toBe(true);
    });

    it("ends while clients keep connections open", async () => {
      const server = start({ flags: ["--db", "log.db"] });
      const url = await server.url();
      await Promise.all(Array.from({ length: 5 }, () => call(url, "cstp.getCompacted")));
      server.child.kill("SIGTERM");
      expect(await server.exit).toEqual({ code: 0, signal: null });
    });

    it("is gone after a signal while its thread is blocked", async () => {
      const block =
        "import { writeSync } from 'node:fs'; const parse = JSON.parse; JSON.parse = (...given) => { if (String(given[0]).includes('hold on')) { writeSync(2, 'BLOCKED'); for (;;); } return parse(...given); };";
      const preload = `--import data:text/javascript,${encodeURIComponent(block)}`;
      const server = start({ flags: ["--db", "log.db"], env: { NODE_OPTIONS: preload } });
      const url = await server.url();
      call(url, "hold on").catch(() => undefined);
      await server.said(/BLOCKED/);
      server.child.kill("SIGTERM");
      expect(await server.exit).toEqual({ code: 0, signal: null });
    });

    it("runs a cycle soon where its schedule has missed one", async () => {
      verifies("decisions/process-trigger");
      const cwd = newFolder();
      writeFileSync(join(cwd, "compact.yaml"), 'decisions:\n  db: log.db\n  schedule: "0 3 * * *"\n');
      const server = start({ cwd });
      expect(await server.said(/Cycle done in \d+ ms: 0 decisions/)).toBeTruthy();
      server.child.kill("SIGTERM");
      expect(await server.exit).toEqual({ code: 0, signal: null });
    });

    it("says before it listens what is wrong", async () => {
      const config = join(newFolder(), "compact.yaml");
      writeFileSync(config, "decisions:\n  schedule: sometimes\n");
      const folder = newFolder();
      const cases: readonly (readonly [Started, number, RegExp])[] = [
        [{ env: { CSTP_AUTH_TOKENS: "secret-token" } }, 2, /CSTP_AUTH_TOKENS has no colon in entry 1/],
        [{ flags: ["--db", "a.db", "--decisions", "b"] }, 2, /choose one/],
        [{ flags: ["--port", "abc"] }, 2, /--port must be a port up to 65535, not "abc"/],
        [{ flags: ["--port", "70000"] }, 2, /--port must be a port up to 65535/],
        [{ flags: ["--config", config] }, 2, /decisions\.schedule must be a cron pattern/],
        [{ flags: ["--db", folder] }, 2, /director|folder/],
      ];
      for (const [given, code, message] of cases) {
        const server = start(given);
        expect([given.flags, (await server.exit).code]).toEqual([given.flags, code]);
        expect(server.stderr()).toMatch(message);
        expect(server.stderr()).not.toMatch(/Listening|secret-token|\n\s+at /);
      }
    });
  },
);
