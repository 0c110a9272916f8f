// `install`, `uninstall` and `doctor` on homes of their own. That the hosts take what is written is shown by e2e/hosts.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { HOSTS } from "../../../src/cli/hosts.ts";
import { type CallOptions, call, newFolder, snapshot } from "../command-line.ts";

const NAMES = HOSTS.map(({ program }) => program);
/** What each host may have before, with what people write into it. */
const BEFORE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  claude: {
    ".claude.json": '{\n  "numStartups": 3,\n  "projects": {}\n}',
    ".claude/settings.json":
      '{\n  // mine\n  "hooks": { "PreCompact": [{ "hooks": [{ "type": "command", "command": "say" }] }] },\n}\n',
  },
  codex: {
    ".codex/config.toml": '# mine\nmodel = "m" # the best\n\n[mcp_servers.other]\ncommand = "x"\n',
    ".codex/hooks.json": "{}",
  },
  gemini: { ".gemini/settings.json": '{"mcpServers":{"other":{"command":"x"}}}' },
  opencode: { ".config/opencode/opencode.jsonc": '{\r\n\t"model": "m", // the best\r\n}\r\n' },
  pi: { ".pi/agent/mcp.json": '{ "mcpServers": {} }\n' },
};

/** What of an installation is looked for. */
const PROGRAM = { "ours/dist/cli/main.js": "", "ours/plugins/pi.js": "", "ours/plugins/opencode.js": "" };

interface Home extends CallOptions {
  readonly program: readonly [string, string];
}

function newHome(files: Readonly<Record<string, string>> = {}): Home {
  const home = newFolder();
  const project = join(home, "project");
  mkdirSync(project);
  put(home, files);
  const main = join(home, "ours", "dist", "cli", "main.js");
  put(home, PROGRAM);
  return { cwd: project, env: { HOME: home }, program: [process.execPath, main] };
}

function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

const homeOf = ({ env }: Home) => env?.HOME as string;
const read = (home: Home, name: string) => readFileSync(join(homeOf(home), name), "utf8");

async function done(home: Home, ...argv: readonly string[]) {
  const { code, stdout, stderr } = await call(argv, home);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

describe.each(NAMES)("%s", (name) => {
  it.each([
    ["what people wrote", BEFORE[name] ?? {}],
    ["nothing", {}],
  ])("gets its entries beside %s, and has its bytes back", async (_, files) => {
    const home = newHome(files);
    const before = snapshot(homeOf(home));
    await done(home, "install", name);
    const between = snapshot(homeOf(home));
    expect(between).not.toEqual(before);
    for (const path of Object.keys(files)) expect(read(home, path)).toContain(home.program[1]);
    expect(await done(home, "install", name)).toContain("is as install leaves it");
    expect(snapshot(homeOf(home))).toEqual(between);
    await done(home, "uninstall", name);
    expect(snapshot(homeOf(home))).toEqual(before);
    expect(await done(home, "uninstall", name)).toContain("Nothing was installed");
  });

  it("shows all of it with --dry-run and writes nothing", async () => {
    const home = newHome(BEFORE[name]);
    const before = snapshot(homeOf(home));
    const report = JSON.parse(await done(home, "install", name, "--dry-run", "--json"));
    expect(report.dry_run).toBe(true);
    expect(report.files.flatMap((file: { lines: string[] }) => file.lines).join("\n")).toContain(home.program[1]);
    expect(snapshot(homeOf(home))).toEqual(before);
  });

  it("is installed into a project alone with --project", async () => {
    const home = newHome();
    const before = snapshot(homeOf(home));
    const report = JSON.parse(await done(home, "install", name, "--project", "--json"));
    for (const { path } of report.files) expect(path.startsWith(home.cwd)).toBe(true);
    await done(home, "uninstall", name, "--project");
    expect(snapshot(homeOf(home))).toEqual(before);
  });

  it("keeps what was added and changed since", async () => {
    const home = newHome();
    const report = JSON.parse(await done(home, "install", name, "--json"));
    const { path } = report.files.find((file: { path: string }) => /\.(?:json|toml)$/.test(file.path));
    const text = readFileSync(path, "utf8");
    const added = path.endsWith(".toml")
      ? `${text}\n[mine]\nkept = "yes"\n`
      : text.replace("{", '{\n  // mine\n  "kept": "yes",');
    writeFileSync(path, added);
    expect(await done(home, "install", name)).toContain("is as install leaves it");
    expect(readFileSync(path, "utf8")).toBe(added);
    await done(home, "uninstall", name);
    const left = readFileSync(path, "utf8");
    expect(left).toContain("kept");
    expect(left).not.toContain("agent-compact");
    expect(left).not.toContain(home.program[1]);
  });

  it("is brought up to date when the program has moved, and doctor says that it has", async () => {
    const home = newHome(BEFORE[name]);
    await done(home, "install", name);
    const moved = { ...home, program: [process.execPath, join(homeOf(home), "new", "main.js")] as const };
    put(homeOf(home), { "new/main.js": "" });
    rmSync(home.program[1]);
    const doctor = await call(["doctor", "--json"], moved);
    expect(doctor.code).toBe(1);
    expect(JSON.parse(doctor.stdout).problems).toEqual([
      expect.stringContaining(`${home.program[1]}, which is gone: agent-compact install ${name}`),
    ]);
    await done(moved, "install", name);
    await done(moved, "doctor");
    const paths = Object.keys(BEFORE[name] ?? {});
    for (const path of paths)
      expect([read(home, path).includes(home.program[1]), read(home, path).includes("/new/main.js")]).toEqual([
        false,
        true,
      ]);
    await done(moved, "uninstall", name);
    for (const path of paths) expect(read(home, path)).toBe(BEFORE[name]?.[path]);
  });
});

describe("a configuration", () => {
  it.each([
    ["claude", ".claude/settings.json", '{\n  "a": 1\n  "b": 2\n}\n', 3, "comma expected"],
    ["claude", ".claude/settings.json", "[]", 1, "is no JSON object"],
    ["claude", ".claude/settings.json", '{\n "a": 1,\n "hooks": []\n}', 3, "hooks is no object"],
    ["claude", ".claude/settings.json", '{ "hooks": {\n "PreCompact": {} } }', 2, "hooks.PreCompact is no list"],
    ["codex", ".codex/config.toml", 'model = "m"\nx = = 1\n', 2, "is no TOML"],
    ["codex", ".codex/config.toml", '# mine\nmcp_servers = { other = { command = "x" } }\n', 2, "written in one line"],
    ["codex", ".codex/hooks.json", "{", 1, "is no JSON"],
  ])(
    "of %s that cannot be read or added to is refused with its line, and nothing is written",
    async (name, path, text, line, why) => {
      const home = newHome({ ...BEFORE[name], [path]: text });
      const before = snapshot(homeOf(home));
      const { code, stderr } = await call(["install", name], home);
      expect(code).toBe(2);
      expect(stderr).toContain(`${path}:${line}`);
      expect(stderr).toContain(why);
      expect(snapshot(homeOf(home))).toEqual(before);
    },
  );

  it("that is broken after an installation is not taken apart", async () => {
    const home = newHome(BEFORE.codex);
    await done(home, "install", "codex");
    put(homeOf(home), { ".codex/hooks.json": '{ "hooks": ' });
    const before = snapshot(homeOf(home));
    expect((await call(["uninstall", "codex"], home)).code).toBe(2);
    expect(snapshot(homeOf(home))).toEqual(before);
    const doctor = await call(["doctor"], home);
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining("hooks.json:1 is no JSON")]);
  });

  it("behind a link is changed where it lies, and keeps its mode", async () => {
    const home = newHome({ "dotfiles/settings.json": "{}\n" });
    const [real, link] = [join(homeOf(home), "dotfiles/settings.json"), join(homeOf(home), ".gemini/settings.json")];
    chmodSync(real, 0o640);
    mkdirSync(dirname(link));
    symlinkSync(real, link);
    await done(home, "install", "gemini");
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, "utf8")).toContain("agent-compact");
    expect(statSync(real).mode & 0o777).toBe(0o640);
    await done(home, "uninstall", "gemini");
    expect(readFileSync(real, "utf8")).toBe("{}\n");
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  it("in which something of ours, or another status line, stands already keeps it", async () => {
    const settings = `${JSON.stringify({ statusLine: { type: "command", command: "mine" }, hooks: { PreCompact: [{ hooks: [{ type: "command", command: "agent-compact hook" }] }] } })}\n`;
    const servers = JSON.stringify({
      mcpServers: { memory: { command: "npx", args: ["-y", "agent-compact", "mcp"] } },
    });
    const home = newHome({ ".claude/settings.json": settings, ".claude.json": servers });
    const said = await done(home, "install", "claude");
    expect(said).toContain("Claude Code has: SessionStart hook, /compact-now.");
    expect(said).toMatch(/another is there: MCP server .*, PreCompact hook .*, status line/);
    expect(read(home, ".claude.json")).toBe(servers);
    await done(home, "uninstall", "claude");
    expect(read(home, ".claude/settings.json")).toBe(settings);
  });

  it("whose entry was changed since keeps that entry", async () => {
    const home = newHome();
    await done(home, "install", "pi");
    const path = ".pi/agent/mcp.json";
    put(homeOf(home), { [path]: read(home, path).replace('"command"', '"env": { "A": "b" },\n      "command"') });
    const changed = read(home, path);
    expect(await done(home, "uninstall", "pi")).toMatch(/Changed since it was written, and left: MCP server/);
    expect(read(home, path)).toBe(changed);
    expect(existsSync(join(homeOf(home), ".pi/agent/prompts"))).toBe(false);
  });

  it("that cannot be written leaves everything as it was", async () => {
    // A folder where the command's file is due: the last of three.
    const home = newHome({ ...BEFORE.claude, ".claude/commands": "a file" });
    const before = snapshot(homeOf(home));
    expect((await call(["install", "claude"], home)).code).not.toBe(0);
    expect(snapshot(homeOf(home))).toEqual(before);
  });

  it("of a run that was killed after the first file is taken back, or brought to its end", async () => {
    const home = newHome(BEFORE.claude);
    const before = snapshot(homeOf(home));
    await done(home, "install", "claude");
    const after = snapshot(homeOf(home));
    put(homeOf(home), { ".claude/settings.json": BEFORE.claude?.[".claude/settings.json"] ?? "" });
    rmSync(join(homeOf(home), ".claude/commands/compact-now.md"));
    await done(home, "install", "claude");
    expect(snapshot(homeOf(home))).toEqual(after);
    put(homeOf(home), { ".claude/settings.json": BEFORE.claude?.[".claude/settings.json"] ?? "" });
    await done(home, "uninstall", "claude");
    expect(snapshot(homeOf(home))).toEqual(before);
  });

  it("does not show what stands beside the changes", async () => {
    const home = newHome({
      ".claude.json": '{"oauth":{"key":"sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789"}}',
      ".claude/settings.json": '{\n  "env": { "TOKEN": "unlikely" }\n}',
    });
    const said = await done(home, "install", "claude", "--dry-run");
    expect(said).not.toContain("abcdefghij");
    expect(said).not.toContain("unlikely");
  });

  it("of one long line is shown where it changes", async () => {
    const long = JSON.stringify({ a: "x".repeat(300), mcpServers: { other: { command: "y" } }, z: "x".repeat(300) });
    const home = newHome({ ".pi/agent/mcp.json": long });
    const { files } = JSON.parse(await done(home, "install", "pi", "--dry-run", "--json"));
    const [, old, now] = files[0].lines;
    expect(old).toMatch(/^- …x{1,40}","mcpServers":\{"other":\{"command":"y"\}\},"z":"x{1,40}…$/);
    expect(now).toContain(home.program[1]);
    expect(now.length).toBeLessThan(400);
  });
});

it.each([
  ["opencode", ".config/opencode/opencode.json", "plugin", "opencode.js"],
  ["pi", ".pi/agent/settings.json", "extensions", "pi.js"],
])(
  "%s has its compaction done by us, where this installation can, beside what others do",
  async (name, path, key, file) => {
    const before = JSON.stringify({ [key]: ["/others.js"] });
    const home = newHome({ [path]: before });
    const plugin = join(homeOf(home), "ours/plugins", file);
    await done(home, "install", name);
    expect(JSON.parse(read(home, path))[key]).toEqual(["/others.js", plugin]);
    rmSync(plugin);
    await done(home, "install", name);
    expect(JSON.parse(read(home, path))[key]).toEqual(["/others.js"]);
    await done(home, "uninstall", name);
    expect(read(home, path)).toBe(before);
  },
);

describe("places", () => {
  it.each([
    ["claude", { CLAUDE_CONFIG_DIR: "own" }, ["own/.claude.json", "own/settings.json", "own/commands/compact-now.md"]],
    ["codex", { CODEX_HOME: "own" }, ["own/config.toml", "own/hooks.json"]],
    ["gemini", { GEMINI_CLI_HOME: "own" }, ["own/.gemini/settings.json", "own/.gemini/commands/compact-now.toml"]],
    ["opencode", { XDG_CONFIG_HOME: "own" }, ["own/opencode/opencode.json"]],
    ["opencode", { OPENCODE_CONFIG: "own/config.json" }, ["own/config.json"]],
    ["pi", { PI_CODING_AGENT_DIR: "own" }, ["own/mcp.json", "own/settings.json", "own/prompts/compact-now.md"]],
  ])("of %s follow %o", async (name, variables, paths) => {
    const home = newHome();
    const env = Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, join(homeOf(home), value)]));
    const report = JSON.parse(await done({ ...home, env: { ...home.env, ...env } }, "install", name, "--json"));
    const written = report.files.map(({ path }: { path: string }) => path);
    expect(written).toEqual(paths.map((path) => join(homeOf(home), path)));
  });

  it.each([
    ["claude", [".mcp.json", ".claude/settings.json", ".claude/commands/compact-now.md"]],
    ["codex", [".codex/config.toml", ".codex/hooks.json"]],
    ["gemini", [".gemini/settings.json", ".gemini/commands/compact-now.toml"]],
    ["opencode", ["opencode.json"]],
    ["pi", [".pi/mcp.json", ".pi/settings.json", ".pi/prompts/compact-now.md"]],
  ])("of %s in a project", async (name, paths) => {
    const home = newHome();
    const report = JSON.parse(await done(home, "install", name, "--project", "--json"));
    expect(report.files.map(({ path }: { path: string }) => path)).toEqual(paths.map((path) => join(home.cwd, path)));
  });
});

it("refuses --project in the home folder, whose files are those for all projects", async () => {
  const home = newHome();
  const { code, stderr } = await call(["install", "claude", "--project"], { ...home, cwd: homeOf(home) });
  expect([code, stderr]).toEqual([2, expect.stringContaining("your home folder")]);
  await done(home, "install", "claude");
  const { hosts } = JSON.parse(await done({ ...home, cwd: homeOf(home) }, "doctor", "--json"));
  expect(hosts.map(({ host }: { host: string }) => host)).toEqual(HOSTS.map(({ name }) => name));
});

describe("doctor", () => {
  it("tells what is where and what to do next", async () => {
    const home = newHome({ ".codex/config.toml": "", "path/gemini": "", ".agent-compact/memory.db": "x" });
    await done(home, "install", "claude", "--project");
    await done(home, "install", "pi");
    const env = { ...home.env, PATH: join(homeOf(home), "path") };
    const found = JSON.parse(await done({ ...home, env }, "doctor", "--json"));
    expect(found).toMatchObject({ node: process.version, program: home.program, config: null, problems: [] });
    expect(found.archive).toEqual({ place: join(home.cwd, ".compact/archive"), sessions: 0, bytes: 0 });
    expect(found.memory.bytes).toBe(1);
    const hosts = found.hosts.map((host: Record<string, unknown>) => [host.host, host.project, host.found, host.next]);
    const below = (name: string) => join(homeOf(home), name);
    expect(hosts).toEqual([
      ["claude-code", null, null, null],
      ["claude-code", home.cwd, null, null],
      ["codex", null, below(".codex"), "agent-compact install codex"],
      ["gemini-cli", null, below("path/gemini"), "agent-compact install gemini"],
      ["opencode", null, null, null],
      ["pi", null, below(".pi/agent"), null],
    ]);
    const said = await done({ ...home, env }, "doctor");
    expect(said).toMatch(
      /Claude Code +\. +no +MCP server, PreCompact hook, SessionStart hook, status line, \/compact-now/,
    );
    expect(said).toMatch(/Next:\n {2}agent-compact install codex\n {2}agent-compact install gemini\n/);
  });
});
