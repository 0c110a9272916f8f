// `agent-compact install` in the real hosts: they know our server, run our hook and have our command, and after `uninstall`
// their configuration is what it was. Run by `npm run e2e:hosts`, as hosts.test.ts is.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOSTS as KNOWN } from "../../src/cli/hosts.ts";
import { HOSTS, type Host, versionOf } from "./hosts.ts";
import type { Turn } from "./scripted-model.ts";
import { type OpenedHost, openHost } from "./session.ts";

const REPORT = Array.from({ length: 250 }, (_, n) => `Listener ${n}: answered in ${(n * 7) % 40} ms.`).join("\n");
const turnsOf = ({ name, fullAt }: Host): readonly Turn[] => [
  { prompt: "The gateway has to listen on 8443, never on 8080.", calls: [], says: `Noted.\n${REPORT}` },
  { prompt: "Look at the listeners.", calls: CALLS[name] ?? [], says: "All answer.", fullAt },
  { prompt: "Thank you. What comes next?", calls: [], says: "Nothing." },
];
/** Gemini CLI looks at its size after a call; Codex has a server's tools at the second request of a process. */
const CALLS: Readonly<Record<string, Turn["calls"]>> = {
  "Gemini CLI": [{ tool: "list_directory", input: { dir_path: "." } }],
  Codex: [{ tool: "exec_command", input: { cmd: "sleep 1" } }],
};
/** What each lists of its servers; Gemini CLI connects to none in a folder that nobody trusts. */
const LISTED: Readonly<Record<string, RegExp>> = {
  "Claude Code": /agent-compact: .*Connected/,
  Codex: /agent-compact .*enabled/,
  opencode: /agent-compact\S* .*connected/,
  pi: /agent-compact: connected, 8 tools/,
};

/** What the model is told by our command: its output, or to run it. */
const RAN: Readonly<Record<string, RegExp>> = {
  claude: /go on with the new one/,
  gemini: /Compacting \d+ messages of gemini-cli/,
  pi: /session compact .*PI_SESSION_FILE/,
};

const hosts = HOSTS.filter(({ name }) => name !== "Codex, code mode");
const isReady = process.env.AGENT_HOSTS !== undefined && hosts.every((host) => versionOf(host) !== undefined);
if (!isReady) it.skip("the real hosts are run by `npm run e2e:hosts`, which installs them", () => undefined);

describe.runIf(isReady).each(hosts.map((host) => [host.name, host] as const))("%s", (_, host) => {
  const turns = turnsOf(host);
  const name = KNOWN.find((known) => known.name === host.format)?.program ?? "";
  let folder: string;
  let opened: OpenedHost;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "install-"));
    opened = await openHost(host, turns, folder, false);
  });
  afterAll(async () => {
    await opened.model.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("has its files back, byte for byte, before it ran", async () => {
    const before = filesBelow(opened.home);
    await opened.compact("install", name);
    expect(filesBelow(opened.home)).not.toEqual(before);
    await opened.compact("uninstall", name);
    expect(filesBelow(opened.home)).toEqual(before);
  });

  it("knows our server, and runs our hook where it has hooks", async () => {
    await opened.compact("install", name);
    const list = LISTED[host.name];
    if (list !== undefined) expect(await opened.start("mcp", "list")).toMatch(list);
    if (host.hook === undefined) return;
    for (const [index, { prompt }] of turns.entries())
      await opened.start(...host.prompt(prompt, index === 0), ...(index === 0 ? [] : (host.approve ?? [])));
    const texts = opened.model.heard.map(({ raw }) => raw).join("\n");
    if (host.lists === "declared") expect(texts).toMatch(/mcp__agent_compact|mcp_agent-compact_mem_save/);
    const found = JSON.parse(await opened.compact("archive", "search", "8443", "--json"));
    expect(found.hits.length).toBeGreaterThan(0);
    if (!host.hook.reaches.includes("model")) return;
    const after = opened.model.heard.find(({ turn }) => turn === turns[2]);
    expect(after?.raw).toContain("agent-compact archive expand");
  }, 600_000);

  it.runIf(RAN[name] !== undefined)(
    "has our command",
    async () => {
      const isFirst = host.hook === undefined;
      await opened.start(...host.prompt("/compact-now", isFirst), ...(host.approve ?? []));
      const last = opened.model.heard.filter(({ tools }) => tools.length > 0).at(-1)?.raw;
      expect(last).toContain("goes on with the smaller session");
      expect(last).toMatch(RAN[name] as RegExp);
    },
    600_000,
  );

  it("has nothing of us after uninstall, and the rest as it left it", async () => {
    const report = JSON.parse(await opened.compact("doctor", "--json"));
    expect(report.problems).toEqual([]);
    await opened.compact("uninstall", name);
    const ours = Object.entries(filesBelow(opened.home)).filter(
      ([path, text]) => isConfig(path) && text.includes("agent-compact"),
    );
    expect(ours.map(([path]) => path)).toEqual([]);
  });
});

function filesBelow(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(folder, name)).isFile(),
  );
  return Object.fromEntries(names.sort().map((name) => [name, readFileSync(join(folder, name), "latin1")]));
}

function isConfig(path: string): boolean {
  return /(?:^\.claude\.json|settings\.json|config\.toml|hooks\.json|opencode\.jsonc?|mcp\.json|commands\/.*|prompts\/.*)$/.test(
    path,
  );
}
