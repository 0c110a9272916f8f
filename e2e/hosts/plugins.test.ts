// Our plugins where they are at home: whose summary a host goes on with, and whether a model was asked for one. Run by
// `npm run e2e:hosts`, as hosts.test.ts is.
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HOSTS, type Host, modules, QUIET, versionOf } from "./hosts.ts";
import { SUMMARY, type Turn } from "./scripted-model.ts";
import { runSession } from "./session.ts";

const plugin = (name: string) => fileURLToPath(new URL(`../../plugins/${name}`, import.meta.url));
const report = (turn: number) => Array.from({ length: 180 }, (_, n) => `Listener ${turn}.${n} answered.`).join("\n");

const TURNS: readonly Turn[] = [
  { prompt: "The gateway has to listen on 8443, never on 8080.", calls: [], says: `Noted.\n${report(1)}` },
  { prompt: "Look at the listeners, please.", calls: [], says: `Looked at.\n${report(2)}` },
  { prompt: "And what is the port?", calls: [], says: "8443.", fullAt: "answer" },
  { prompt: "Thank you.", calls: [], says: "Not at all." },
];
const OF_HOST = SUMMARY.split("\n")[1] ?? "";

function hostNamed(wanted: string): Host {
  const host = HOSTS.find(({ name }) => name === wanted);
  if (host === undefined) throw new Error(`no host ${wanted}`);
  const { addServer: _server, hook: _hook, ...rest } = host;
  return rest;
}

const isReady = process.env.AGENT_HOSTS !== undefined && HOSTS.every((host) => versionOf(host) !== undefined);
if (!isReady) it.skip("the real hosts are run by `npm run e2e:hosts`, which installs them", () => undefined);

describe.runIf(isReady)("a plugin", { timeout: 600_000 }, () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "plugin-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const run = async (host: Host, turns = TURNS) => {
    const { heard, compact } = await runSession(host, turns, folder);
    // Titles are asked for with the first prompt alone.
    const asked = heard.filter(({ turn, raw }) => turn === undefined && raw.includes("Listener 1.9 answered"));
    return { heard, asked, compact, after: heard.find(({ turn }) => turn?.prompt === "Thank you.")?.raw ?? "" };
  };
  /** No archive can be written: a file is in its place. */
  const blockArchive = () => {
    mkdirSync(join(folder, "project", ".compact"), { recursive: true });
    writeFileSync(join(folder, "project", ".compact", "archive"), "");
  };

  describe("in pi", () => {
    const host = hostNamed("pi");
    const withPlugin: Host = {
      ...host,
      prompt: (...words) => ["--extension", plugin("pi.js"), ...host.prompt(...words)],
    };

    it("compacts in its place: pi goes on with our summary, and no model was asked for one", async () => {
      const { asked, after, compact } = await run(withPlugin);
      expect(asked).toEqual([]);
      expect(after).toContain("<COMPACT-SUMMARY v1>");
      expect(after).toContain("never on 8080");
      expect(after).not.toContain("Listener 1.90 answered");
      const { hits } = JSON.parse(await compact("archive", "search", "Listener", "1.90", "--json"));
      expect(hits).not.toEqual([]);
    });

    it("that fails leaves the compaction to pi", async () => {
      blockArchive();
      const { asked, after } = await run(withPlugin);
      expect(asked).toHaveLength(1);
      expect(after).toContain(OF_HOST);
    });
  });

  describe("in opencode", () => {
    const host = hostNamed("opencode");
    const folderOf = ".config/opencode";
    const withPlugin: Host = {
      ...host,
      files: (address, isByHand) => {
        const config = host.files?.(address, isByHand)?.[`${folderOf}/opencode.json`] as object;
        return {
          [`${folderOf}/opencode.json`]: { ...config, plugin: [plugin("opencode.js")] },
          // With a plugin it installs its types there, unless they are there: no network is.
          [`${folderOf}/package-lock.json`]: { packages: { "": { dependencies: { "@opencode-ai/plugin": "*" } } } },
          [`${folderOf}/node_modules/.keep`]: "",
        };
      },
    };

    it("shows opencode's model what its summary has to keep, for its hook replaces nothing", async () => {
      const { asked, after, compact } = await run(withPlugin);
      expect(asked.map(({ raw }) => raw.includes("COMPACT-SUMMARY v1") && raw.includes("never on 8080"))).toEqual([
        true,
      ]);
      expect(after).toContain(OF_HOST);
      const { hits } = JSON.parse(await compact("archive", "search", "Listener", "1.90", "--json"));
      expect(hits).not.toEqual([]);
    });

    it("that fails leaves the compaction to opencode", async () => {
      blockArchive();
      const { asked, after } = await run(withPlugin);
      expect(asked.map(({ raw }) => raw.includes("COMPACT-SUMMARY"))).toEqual([false]);
      expect(after).toContain(OF_HOST);
    });
  });

  describe("in Claude Code", () => {
    const host = hostNamed("Claude Code");
    const PLUGIN = ["--plugin-dir", plugin("claude-code")];
    const id = randomUUID();
    const withPlugin: Host = {
      ...host,
      prompt: (text, isFirst) => [...PLUGIN, "-p", text, isFirst ? "--session-id" : "--resume", id],
      compact: [...PLUGIN, "-p", "/compact", "--resume", id],
    };
    const command = (prompt: string): Turn => ({ prompt, calls: [], says: "" });

    it("brings hook, server and the commands that write a smaller session and take it back", async () => {
      const turns = [
        ...TURNS.slice(0, 2),
        command("/agent-compact:compact-now --target-tokens 1000 --keep-recent-turns 1"),
        command("/agent-compact:uncompact"),
      ];
      const { heard, asked } = await run(withPlugin, turns);
      const texts = heard.map(({ raw }) => raw);
      const told = texts.find((raw) => raw.includes("go on with the new one"));
      const copy = /claude --resume ([\da-f-]{36})/.exec(told ?? "")?.[1] ?? "nothing";
      expect(copy).not.toBe(id);
      const back = texts.find((raw) => /Removed [^"]*is as it was; go on with it/.test(raw));
      expect(back).toContain(`claude --resume ${id}`);
      const names = readdirSync(join(folder, "home", ".claude", "projects"), { recursive: true, encoding: "utf8" });
      expect(names.filter((name) => name.includes(copy))).toEqual([]);
      expect(asked.filter(({ raw }) => raw.includes("<COMPACT-FACTS>"))).not.toEqual([]);
      expect(texts.join("\n")).toMatch(/mcp__plugin_\S*mem_save/);
    });

    it("is valid, and so is the marketplace that names it", async () => {
      const env = { ...QUIET, HOME: folder, PATH: process.env.PATH };
      for (const place of ["claude-code", "../.claude-plugin/marketplace.json"]) {
        const { stdout, status } = spawnSync(modules + host.program, ["plugin", "validate", plugin(place)], { env });
        expect([stdout.toString(), status]).toEqual([expect.stringContaining("Validation passed"), 0]);
      }
    });
  });
});
