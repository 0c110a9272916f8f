// The commands for hosts' sessions. That the hosts go on with what is written here is shown by e2e/hosts.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { READERS, WRITERS } from "../../../src/factories/readers.ts";
import { corpusFiles, readText } from "../../corpus/corpus.ts";
import { call, newFolder } from "../command-line.ts";
import { MADE_SESSIONS, type MadeSession, putInto, putIntoDatabase } from "./made-sessions.ts";

const inHome = (home: string) => ({ cwd: home, env: { HOME: home } });

/** The report, and the messages of both sessions as one provider's. */
async function compact(made: MadeSession, ...flags: readonly string[]) {
  const home = newFolder();
  const file = putInto(home, made);
  const { code, stdout, stderr } = await call(["session", "compact", file, "--json", ...flags], inHome(home));
  expect(stderr).toBe("");
  expect(code).toBe(0);
  const report = JSON.parse(stdout);
  const reader = READERS.find(({ name }) => name === made.host);
  const read = (path: string) => JSON.stringify(reader?.read(readFileSync(path, "utf8")).messages);
  return { home, file, report, before: read(file), after: report.result === null ? "" : read(report.result) };
}

describe.each(MADE_SESSIONS.map((made) => [made.host, made] as const))("a session of %s", (host, made) => {
  it("is compacted into another: a summary, the last turns as they were, another id", async () => {
    const { file, report, before, after } = await compact(made, "--target-tokens", "6000");
    expect(report).toMatchObject({ host, source: file, warnings: expect.any(Array) });
    expect(report.tokens_after).toBeLessThan(6500);
    expect(report.tokens_before).toBeGreaterThan(20_000);
    expect(dirname(report.result)).toBe(dirname(file));
    expect(statSync(report.result).mode & 0o777).toBe(statSync(file).mode & 0o777);
    expect(readFileSync(file, "utf8")).toBe(made.text);
    for (const text of [
      "COMPACT-SUMMARY v1",
      "Never change the tariff file",
      "Check part 60.",
      "part 60, line 20: in order",
    ])
      expect(after).toContain(text);
    // Turns fall before the words of their users do.
    for (let part = 55; part <= 60; part += 1) expect(after).toContain(`"text":"Check part ${part}."`);
    expect(before).toContain("part 5, line 20: in order");
    expect(after).not.toContain("part 5, line 20: in order");
    // Codex says it anew.
    expect(after).not.toContain("You are Codex.");
    expect(report.resume).toMatch(new RegExp(`^${{ "claude-code": "claude", "gemini-cli": "gemini" }[host] ?? host} `));
  });

  it("keeps every word with --strip-only, and shortens what tools gave back", async () => {
    const { report, after } = await compact(made, "--strip-only");
    expect(report.tokens_after).toBeLessThan(report.tokens_before * 0.7);
    for (let part = 2; part <= 60; part += 1) {
      expect(after).toContain(`Check part ${part}.`);
      expect(after).toContain(`Part ${part} is in order.`);
    }
    expect(after).toContain(`characters left out; whole in ${basename(made.path)}`);
    expect(after).toContain("part 60, line 20: in order");
    expect(after).not.toContain("part 5, line 20: in order");
  });

  it("is compacted again from what was written", async () => {
    const { home, report } = await compact(made, "--target-tokens", "12000");
    const again = await call(["session", "compact", report.result, "--target-tokens", "6000", "--json"], inHome(home));
    const second = JSON.parse(again.stdout);
    const text = readFileSync(second.result, "utf8");
    expect(text).toContain("COMPACT-SUMMARY v2");
    expect(text).not.toContain("COMPACT-SUMMARY v1>");
    expect(text).toContain("Never change the tariff file");
  });

  it("is taken back, unless somebody went on with it", async () => {
    const { home, file, report } = await compact(made, "--target-tokens", "6000");
    const written = readFileSync(report.result);
    appendFileSync(report.result, "{}\n");
    const refused = await call(["session", "undo", report.result], inHome(home));
    expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining("has grown since")]);
    writeFileSync(report.result, written);
    expect((await call(["session", "undo", report.result], inHome(home))).code).toBe(0);
    expect(existsSync(report.result)).toBe(false);
    expect(readFileSync(file, "utf8")).toBe(made.text);
    const again = JSON.parse(
      (await call(["session", "compact", file, "--target-tokens", "6000", "--json"], inHome(home))).stdout,
    );
    const undone = await call(["session", "undo", file], inHome(home));
    expect([undone.code, existsSync(again.result)]).toEqual([0, false]);
    expect(undone.stdout).toMatch(/as it was; go on with it:\n {2}\w+ .*\n$/);
    const others = await call(["session", "undo", file], inHome(home));
    expect([others.code, others.stderr]).toEqual([2, expect.stringContaining("was not written by")]);
  });

  it("is replaced with --in-place, and has its old bytes again after undo", async () => {
    const { home, file, report } = await compact(made, "--target-tokens", "6000", "--in-place");
    expect(report.result).toBe(file);
    expect(readFileSync(file, "utf8")).toContain("COMPACT-SUMMARY v1");
    expect((await call(["session", "undo", file], inHome(home))).code).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(made.text);
  });

  it("is replaced twice, and taken back step by step", async () => {
    const { home, file } = await compact(made, "--target-tokens", "12000", "--in-place");
    const first = readFileSync(file, "utf8");
    expect((await call(["session", "compact", file, "--target-tokens", "6000", "--in-place"], inHome(home))).code).toBe(
      0,
    );
    expect(readFileSync(file, "utf8")).not.toBe(first);
    for (const text of [first, made.text]) {
      expect((await call(["session", "undo", file], inHome(home))).code).toBe(0);
      expect(readFileSync(file, "utf8")).toBe(text);
    }
  });

  it("is told about with --dry-run, and nothing is written", async () => {
    const { home, file, report } = await compact(made, "--target-tokens", "6000", "--dry-run");
    expect(report).toMatchObject({ result: null, resume: null });
    expect(report.tokens_after).toBeLessThan(report.tokens_before);
    expect(readdirSync(dirname(file))).toEqual([basename(file)]);
    expect(readdirSync(home)).not.toContain(".compact");
  });

  it("is shown by turns, its tools folded, and as one page without a request", async () => {
    const home = newFolder();
    const file = putInto(home, made);
    const { stdout } = await call(["session", "show", file], inHome(home));
    expect(stdout).toMatch(
      /Turn 60 .*\nuser\nCheck part 60\.\n\n {2}read \{.*\}: [\d,]+ characters\nassistant\nPart 60 is in order\./,
    );
    expect((await call(["session", "show", file, "--html", "page.html"], inHome(home))).code).toBe(0);
    const page = readFileSync(join(home, "page.html"), "utf8");
    expect(page.match(/<details/g)).toHaveLength(60);
    expect(page).toContain("part 5, line 20: in order");
    expect(page).not.toMatch(/(?:src|href)=|https?:|@import|url\(/);
  });
});

describe("sessions on this machine", () => {
  const filled = () => {
    const home = newFolder();
    for (const made of MADE_SESSIONS) putInto(home, made);
    return home;
  };

  it("are listed with project, size and what is older than the turns that stay", async () => {
    const { stdout } = await call(["session", "list", "--json"], inHome(filled()));
    const { sessions } = JSON.parse(stdout);
    expect(sessions.map(({ host }: { host: string }) => host).sort()).toEqual([
      "claude-code",
      "codex",
      "gemini-cli",
      "pi",
    ]);
    for (const session of sessions) {
      expect(session.tokens).toBeGreaterThan(20_000);
      expect(session.older / session.tokens).toBeCloseTo(0.9, 1);
      expect(session.compactions).toBe(0);
      if (session.host !== "gemini-cli") expect(session.project).toBe("shop");
    }
    const table = await call(["session", "list", "codex"], inHome(filled()));
    expect(table.stdout).toMatch(/0{8}-0{4}-4000-8000-0{11}8 +codex +shop /);
    expect(table.stdout).not.toContain("claude-code");
    expect((await call(["session", "list"], inHome(newFolder()))).stdout).toBe("No host has a session here.\n");
  });

  it("are found by a part of their ids, or as the last; what fits several or none is refused", async () => {
    const home = filled();
    const ask = (...words: readonly string[]) =>
      call(["session", "compact", ...words, "--dry-run", "--json"], inHome(home));
    expect(JSON.parse((await ask("5e551011")).stdout).host).toBe("pi");
    expect(JSON.parse((await ask("--last", "--host", "codex")).stdout).host).toBe("codex");
    for (const [words, said] of [
      [["2026-01-02"], "3 sessions have"],
      [["nobody"], 'There is no session "nobody".'],
      [[], "Name one session"],
    ] as const) {
      const { code, stderr } = await ask(...words);
      expect([code, stderr]).toEqual([2, expect.stringContaining(said)]);
    }
  });

  it("are compared", async () => {
    const home = filled();
    const { result } = JSON.parse(
      (await call(["session", "compact", "5e551011", "--json", "--target-tokens", "6000"], inHome(home))).stdout,
    );
    const { stdout } = await call(["session", "diff", "5e551011.jsonl", result, "--json"], inHome(home));
    expect(JSON.parse(stdout).counts).toMatchObject({
      kept: expect.any(Number),
      summarized: expect.any(Number),
      inserted_summary: 1,
    });
  });

  it("are written into one file that was not there, and undo takes away nothing beside it", async () => {
    const home = filled();
    const ask = (...words: readonly string[]) => call(["session", "compact", "5e551011", ...words], inHome(home));
    mkdirSync(join(home, "smaller"));
    writeFileSync(join(home, "smaller", "notes.txt"), "mine");
    expect((await ask("--out", "smaller.jsonl")).code).toBe(0);
    expect(await ask("--out", "smaller.jsonl")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("smaller.jsonl is there already."),
    });
    expect((await call(["session", "undo", "smaller.jsonl"], inHome(home))).code).toBe(0);
    expect(readFileSync(join(home, "smaller", "notes.txt"), "utf8")).toBe("mine");
    for (const words of [
      ["--out", "-"],
      ["--out", "x.jsonl", "--in-place"],
    ])
      expect(await ask(...words)).toMatchObject({ code: 2, stderr: expect.stringContaining("goes into one file") });
  });

  it("bring the folder along in which the host keeps sub-agents, and take it back", async () => {
    const home = filled();
    const [made] = MADE_SESSIONS;
    if (made === undefined) throw new Error("no session");
    const folder = join(home, made.path.replace(".jsonl", ""), "subagents");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "agent-1.jsonl"), "{}\n");
    const { stdout } = await call(["session", "compact", join(home, made.path), "--json"], inHome(home));
    const copy = JSON.parse(stdout).result.replace(".jsonl", "");
    expect(readFileSync(join(copy, "subagents", "agent-1.jsonl"), "utf8")).toBe("{}\n");
    expect((await call(["session", "undo", `${copy}.jsonl`], inHome(home))).code).toBe(0);
    expect([existsSync(copy), existsSync(folder)]).toEqual([false, true]);
  });

  it("bring along the files as Claude Code had them before it changed them, and its tasks", async () => {
    const home = filled();
    const [made] = MADE_SESSIONS;
    if (made === undefined) throw new Error("no session");
    const id = basename(made.path, ".jsonl");
    for (const name of ["file-history", "tasks"]) {
      mkdirSync(join(home, ".claude", name, id), { recursive: true });
      writeFileSync(join(home, ".claude", name, id, "1"), name);
    }
    const { stdout } = await call(["session", "compact", join(home, made.path), "--json"], inHome(home));
    const copy = basename(JSON.parse(stdout).result, ".jsonl");
    for (const name of ["file-history", "tasks"])
      expect(readFileSync(join(home, ".claude", name, copy, "1"), "utf8")).toBe(name);
    expect((await call(["session", "undo", copy], inHome(home))).code).toBe(0);
    for (const name of ["file-history", "tasks"]) expect(readdirSync(join(home, ".claude", name))).toEqual([id]);
  });

  it("are not replaced while their host works in their folder, nor where they are a link", async () => {
    const home = filled();
    const [made] = MADE_SESSIONS;
    if (made === undefined) throw new Error("no session");
    const project = newFolder();
    const file = join(home, made.path);
    writeFileSync(file, made.text.replaceAll('"cwd":"/home/me/shop"', `"cwd":${JSON.stringify(project)}`));
    symlinkSync("/bin/sleep", join(home, "claude"));
    const inPlace = () => call(["session", "compact", file, "--in-place", "--json"], inHome(home));
    const host = spawn(join(home, "claude"), ["60"], { cwd: project });
    try {
      const { code, stderr } = await inPlace();
      expect([code, stderr]).toEqual([4, expect.stringContaining("claude is at work in this session's folder")]);
    } finally {
      host.kill("SIGKILL");
      await once(host, "close");
    }
    symlinkSync(file, join(home, "link.jsonl"));
    const linked = await call(["session", "compact", "link.jsonl", "--in-place"], inHome(home));
    expect([linked.code, linked.stderr]).toEqual([2, expect.stringContaining("a link to another file")]);
    expect((await inPlace()).code).toBe(0);
  });

  it("are gone on with from their project's folder, and where the host does not look for the file, that is told", async () => {
    const [home, shop] = [filled(), join(newFolder(), "my shop")];
    mkdirSync(shop);
    const made = MADE_SESSIONS.find(({ host }) => host === "gemini-cli");
    const file = join(home, made?.path ?? "");
    writeFileSync(join(dirname(dirname(file)), ".project_root"), shop);
    const [listed] = JSON.parse(
      (await call(["session", "list", "gemini-cli", "--json"], inHome(home))).stdout,
    ).sessions;
    expect(listed.project).toBe("my shop");
    const ask = async (cwd: string, ...words: readonly string[]) =>
      JSON.parse((await call(["session", "compact", file, "--json", ...words], { cwd, env: { HOME: home } })).stdout);
    const there = await ask(shop);
    expect(there.resume).toMatch(/^gemini --resume [\da-f-]{36}$/);
    const elsewhere = await ask(home, "--out", "smaller.jsonl");
    expect(elsewhere.resume).toMatch(/^cd '.*my shop' && gemini --resume [\da-f-]{36}$/);
    const codes = ({ warnings }: { warnings: readonly { code: string }[] }) => warnings.map(({ code }) => code);
    expect([codes(there), codes(elsewhere)].map((all) => all.filter((code) => /host|archived/.test(code)))).toEqual([
      [],
      ["not_where_host_looks", "archived_elsewhere"],
    ]);
    expect(elsewhere.warnings[0].message).toMatch(
      /^Gemini CLI looks for it below \.gemini\/tmp, beside its others, as session-[\d-]+T[\d-]+[\da-f]{8}\.jsonl: move it there first\.$/,
    );
  });

  it("are replaced while Gemini CLI works elsewhere: it names its folder by a hash", async () => {
    const home = filled();
    const made = MADE_SESSIONS.find(({ host }) => host === "gemini-cli");
    if (made === undefined) throw new Error("no session");
    const [project, other] = [realpathSync(newFolder()), newFolder()];
    const file = join(home, made.path);
    const hash = createHash("sha256").update(project).digest("hex");
    writeFileSync(file, made.text.replace("0".repeat(64), hash));
    symlinkSync("/bin/sleep", join(home, "gemini"));
    for (const [cwd, code] of [
      [project, 4],
      [other, 0],
    ] as const) {
      const host = spawn(join(home, "gemini"), ["60"], { cwd });
      const { code: found } = await call(["session", "compact", file, "--in-place", "--json"], inHome(home));
      host.kill("SIGKILL");
      await once(host, "close");
      expect(found).toBe(code);
    }
  });

  it.runIf(process.getuid?.() === 0)("are left alone where they are another user's", async () => {
    const home = filled();
    const [made] = MADE_SESSIONS;
    const file = join(home, made?.path ?? "");
    chownSync(file, 4321, 4321);
    const { code, stderr } = await call(["session", "compact", file], inHome(home));
    expect([code, stderr]).toEqual([2, expect.stringContaining("is another user's")]);
    expect((await call(["session", "list", "claude-code"], inHome(home))).stdout).toBe("No host has a session here.\n");
  });

  it("are read out of opencode's database, and taken back where it has taken them in", async () => {
    const home = newFolder();
    const made = MADE_SESSIONS.find(({ host }) => host === "opencode");
    const id = await putIntoDatabase(home, made?.text ?? "");
    const { stdout } = await call(["session", "list", "--json"], inHome(home));
    const [listed] = JSON.parse(stdout).sessions;
    expect(listed).toMatchObject({ host: "opencode", id, project: "shop", compactions: 0 });
    expect(listed.bytes / Buffer.byteLength(made?.text ?? "")).toBeCloseTo(1, 1);
    const shown = await call(["session", "show", id], inHome(home));
    expect(shown.stdout).toContain("Check part 60.");

    const inPlace = await call(["session", "compact", id, "--in-place"], inHome(home));
    expect([inPlace.code, inPlace.stderr]).toEqual([2, expect.stringContaining("is a database")]);
    const compacted = await call(["session", "compact", id, "--target-tokens", "6000", "--json"], inHome(home));
    const { result, resume, tokens_after } = JSON.parse(compacted.stdout);
    const copy = basename(result, ".json");
    expect(tokens_after).toBeLessThan(6500);
    expect(resume).toBe(`opencode import ${result} && opencode --session ${copy}`);
    expect(readFileSync(result, "utf8")).toContain("Check part 60.");

    await putIntoDatabase(home, readFileSync(result, "utf8"));
    const bin = join(home, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "opencode"), `#!/bin/sh\necho "$@" >> ${bin}/asked\n`, { mode: 0o755 });
    const undo = await call(["session", "undo", copy], { cwd: home, env: { HOME: home, PATH: bin } });
    expect([undo.code, undo.stderr]).toEqual([0, ""]);
    expect(readFileSync(join(bin, "asked"), "utf8")).toBe(`session delete ${copy}\n`);
    expect(existsSync(result)).toBe(false);
  });

  it("are listed without opencode's where its database cannot be read, which is told", async () => {
    const home = filled();
    const folder = join(home, ".local", "share", "opencode");
    mkdirSync(folder, { recursive: true });
    for (const content of ["no database", ""]) {
      writeFileSync(join(folder, "opencode.db"), content);
      const { code, stdout, stderr } = await call(["session", "list", "--json"], inHome(home));
      expect([code, JSON.parse(stdout).sessions.length]).toEqual([0, 4]);
      expect(stderr).toMatch(/^warning: Sessions of opencode are left out: could not read opencode's sessions: /);
      const asked = await call(["session", "list", "opencode"], inHome(home));
      expect(asked.code).toBeGreaterThan(0);
      expect(asked.stderr).toMatch(
        /^agent-compact: could not read opencode's sessions: \S+opencode\.db \(.+\)\n {2}\S/,
      );
    }
  });

  it("are made of a chat that Gemini CLI has compacted itself, without its summary", async () => {
    const home = newFolder();
    const made = MADE_SESSIONS.find(({ host }) => host === "gemini-cli");
    const records = (made?.text ?? "").trimEnd().split("\n").slice(1);
    const said = (id: string, type: string, content: unknown) => JSON.stringify({ id, type, content });
    const summary = [said("h1", "user", [{ text: "<state_snapshot>the host's" }]), said("h2", "gemini", "Got it.")];
    const messages = [...summary, ...records.slice(-8)].join(",");
    writeFileSync(join(home, "chat.jsonl"), `${made?.text}{"$set":{"messages":[${messages}]}}\n`);
    const { stdout, stderr } = await call(
      ["session", "compact", "chat.jsonl", "--target-tokens", "6000", "--json"],
      inHome(home),
    );
    expect(stderr).toBe("");
    const written = readFileSync(JSON.parse(stdout).result, "utf8");
    for (const text of ["COMPACT-SUMMARY v1", "Never change the tariff file", "Check part 60.", "part 60, line 20"])
      expect(written).toContain(text);
    expect(written).not.toContain("state_snapshot");
  });

  it("are not made of what is no session, or of a kind that no host goes on from", async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "chat.json"), JSON.stringify([{ role: "user", content: "hi" }]));
    const { code, stderr } = await call(["session", "compact", "chat.json"], inHome(cwd));
    expect([code, stderr]).toEqual([2, expect.stringContaining("no session of a host")]);
  });
});

const real = corpusFiles("transcripts", /^(?:claude-code|pi)-.*\.jsonl\.gz$/);

describe.skipIf(real.length === 0)(`real sessions${real.length === 0 ? " (skipped: no AGENT_CORPUS)" : ""}`, () => {
  it.each(real)("%s: what stays reads back as it was", { timeout: 60_000 }, (file) => {
    const text = readText(file);
    const reader = READERS.find(({ name }) => file.includes(`/${name}-`));
    const writer = WRITERS.get(reader?.name ?? "");
    if (reader === undefined || writer === undefined) throw new Error("no writer");
    const { messages, sessionId } = reader.read(text);
    const hasResult = (message: unknown) => JSON.stringify(message).includes('"type":"tool_result"');
    const blocks = (list: readonly unknown[]) =>
      (list as readonly { content: readonly { type: string; text?: string }[] }[])
        .flatMap(({ content }) => content)
        // The host's own summaries, for which ours stands.
        .filter(
          ({ type, text: said }) => type !== "text" || !/host's summary|continued from a previous/.test(said ?? ""),
        );
    for (const share of [0, 0.3, 0.6, 0.9]) {
      // Results stay with their calls.
      const start = messages.slice(Math.floor(messages.length * share)).findIndex((message) => !hasResult(message));
      const keptFrom = Math.floor(messages.length * share) + start;
      // What users said before stays too where there is room.
      const isSaid = (message: unknown) => /^\{"role":"user","content":\[\{"type":"text"/.test(JSON.stringify(message));
      const kept = new Set(messages.flatMap((message, index) => (index >= keptFrom || isSaid(message) ? [index] : [])));
      const summary = keptFrom === 0 ? {} : { summary: { text: "<COMPACT-SUMMARY v1> what left", tokensBefore: 5 } };
      const id = writer.newId(sessionId);
      const written = writer.write(text, {
        id,
        now: "2026-01-02T03:04:05.000Z",
        kept,
        results: new Map(),
        ...summary,
      });
      const again = blocks(reader.read(written).messages).filter(
        ({ text: said }) => said?.includes("what left") !== true,
      );
      expect(again).toEqual(blocks(messages.filter((_, index) => kept.has(index))));
      expect(written.includes("what left")).toBe(keptFrom > 0);
      expect(written).not.toContain(`"sessionId":"${sessionId}"`);
    }
  });
});
