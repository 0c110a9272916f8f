// `conversation`: what is written, what is printed, what is left alone.
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { anthropicFormat } from "../../src/providers/anthropic/anthropic-format.ts";
import { openaiChatFormat } from "../../src/providers/openai-chat/openai-chat-format.ts";
import { call, newFolder, snapshot } from "./command-line.ts";
import { anthropicConversation, chatConversation, sessionLines } from "./conversations.ts";

const TARGET = ["--target-tokens", "3000"];

function folderWith(name: string, content: string | Buffer): string {
  const cwd = newFolder();
  writeFileSync(join(cwd, name), content);
  return cwd;
}

/** What a person said after the last line of `sessionLines(2)` without its last two. */
function sessionLine(content: string): string {
  const names = { uuid: "uuid-last", parentUuid: "uuid-5", sessionId: "session-of-the-file" };
  return JSON.stringify({ ...names, isSidechain: false, type: "user", message: { role: "user", content } });
}

function read(cwd: string, name: string): unknown[] {
  return JSON.parse(readFileSync(join(cwd, name), "utf8")) as unknown[];
}

describe("conversation", () => {
  it("writes a smaller list that its provider takes, beside the input, and says how to get the rest back", async () => {
    const cwd = folderWith("talk.json", JSON.stringify(chatConversation(40)));
    const before = readFileSync(join(cwd, "talk.json"));
    const { code, stdout, stderr } = await call(["conversation", "talk.json", ...TARGET], { cwd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const result = read(cwd, "talk.compacted.json");
    expect(result.length).toBeLessThan(161);
    expect(openaiChatFormat.validate(result)).toEqual([]);
    expect(readFileSync(join(cwd, "talk.json"))).toEqual(before);
    expect(stdout).toMatch(/Compacted: talk\.json \(openai-chat\)/);
    expect(stdout).toMatch(/written to {2}talk\.compacted\.json/);
    expect(stdout).toMatch(/replaced by summary v1/);
    expect(stdout).toMatch(/No model was named: .* 128,000 tokens/);
    for (const command of ["search", "expand", "restore"]) expect(stdout).toContain(`agent-compact archive ${command}`);
    const expand = /agent-compact (archive expand \S+ --session-id \S+)/.exec(stdout)?.[1]?.split(" ") ?? [];
    expect(await call(expand, { cwd })).toMatchObject({ code: 0, stdout: expect.stringContaining('"role"') });
  });

  it("prints exactly the report's keys with --json", async () => {
    const cwd = folderWith("talk.json", JSON.stringify(chatConversation(40)));
    const { code, stdout, stderr } = await call(
      ["conversation", "talk.json", "--json", "--model", "gpt-4o", ...TARGET],
      { cwd },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.trimEnd()).not.toContain("\n");
    const report = JSON.parse(stdout) as Record<string, Record<string, unknown>>;
    expect(Object.keys(report).sort()).toEqual(
      [
        "archive",
        "budget",
        "cost",
        "facts",
        "format",
        "kept",
        "pruned_count",
        "reduction",
        "repairs",
        "session_id",
        "status",
        "summary",
        "tokens_after",
        "tokens_before",
        "warnings",
      ].sort(),
    );
    expect(Object.keys(report.kept ?? {}).sort()).toEqual(["pinned", "recent_turns", "tool_pairs"]);
    expect(Object.keys(report.summary ?? {}).sort()).toEqual(["source", "strategy", "tokens", "version"]);
    expect(Object.keys(report.archive ?? {}).sort()).toEqual(["summary", "transcript"]);
    expect(report).toMatchObject({
      status: "compacted",
      format: "openai-chat",
      warnings: [],
      summary: { version: 1, source: "extractive" },
    });
    expect(existsSync(String(report.archive?.transcript))).toBe(true);
  });

  it("prints no more than the path with --quiet, and the result alone with --out -", async () => {
    const cwd = folderWith("talk.json", JSON.stringify(chatConversation(40)));
    expect(await call(["conversation", "talk.json", "--quiet", ...TARGET], { cwd })).toEqual({
      code: 0,
      stdout: "talk.compacted.json\n",
      stderr: "",
    });
    const piped = await call(["conversation", "talk.json", "--out", "-", "--session-id", "piped", ...TARGET], { cwd });
    expect(openaiChatFormat.validate(JSON.parse(piped.stdout) as unknown[])).toEqual([]);
    expect(piped.stderr).toMatch(/written to {2}stdout/);
    const quiet = await call(
      ["conversation", "talk.json", "--out", "-", "--quiet", "--session-id", "quiet", ...TARGET],
      { cwd },
    );
    expect(quiet.stderr).toBe("");
  });

  it("reads stdin and gzip", async () => {
    const cwd = newFolder();
    const content = gzipSync(JSON.stringify(chatConversation(40)));
    const { code, stdout } = await call(["conversation", "-", "--quiet", ...TARGET], { cwd, stdin: content });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "stdin.compacted.json\n" });
    expect(statSync(join(cwd, "stdin.compacted.json")).mode & 0o077).toBe(0);
    writeFileSync(join(cwd, "packed.jsonl.gz"), gzipSync(sessionLines(40)));
    expect((await call(["conversation", "packed.jsonl.gz", "--quiet", ...TARGET], { cwd })).stdout).toBe(
      "packed.compacted.json\n",
    );
  });

  it("never replaces the input, not even through a link, and writes into a pipe or device instead of replacing it", async () => {
    const cwd = folderWith("talk.json", JSON.stringify(chatConversation(40)));
    symlinkSync("talk.json", join(cwd, "link.json"));
    linkSync(join(cwd, "talk.json"), join(cwd, "twin.json"));
    const before = readFileSync(join(cwd, "talk.json"));
    for (const out of ["link.json", "twin.json"]) {
      expect((await call(["conversation", "talk.json", "--out", out, ...TARGET], { cwd })).code).toBe(2);
    }
    expect(readFileSync(join(cwd, "talk.json"))).toEqual(before);
    symlinkSync("/dev/null", join(cwd, "nothing"));
    expect((await call(["conversation", "talk.json", "--out", "nothing", ...TARGET], { cwd })).code).toBe(0);
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
    expect(lstatSync(join(cwd, "nothing")).isSymbolicLink()).toBe(true);
  });

  it("makes a result no more open than its input, and never read-only", async () => {
    const cwd = folderWith("talk.json", JSON.stringify(chatConversation(40)));
    chmodSync(join(cwd, "talk.json"), 0o440);
    expect((await call(["conversation", "talk.json", ...TARGET], { cwd })).code).toBe(0);
    expect(statSync(join(cwd, "talk.compacted.json")).mode & 0o777).toBe(0o640);
  });

  it("writes nothing at all in a dry run", async () => {
    const cwd = folderWith("talk.json", JSON.stringify(chatConversation(40)));
    const before = snapshot(cwd);
    const plan = await call(["conversation", "talk.json", "--dry-run", ...TARGET], { cwd });
    expect(plan.code).toBe(0);
    expect(plan.stdout).toMatch(/Nothing was written/);
    expect(plan.stdout).toMatch(/pinned\s+system/);
    expect(plan.stdout).toMatch(/summarized/);
    const json = await call(["conversation", "talk.json", "--dry-run", "--json", ...TARGET], { cwd });
    expect(JSON.parse(json.stdout)).toMatchObject({ part: "conversation", message_count: 161, triggered: true });
    expect(snapshot(cwd)).toEqual(before);
  });

  it("knows its own result: the same session, one summary, the next version", async () => {
    const cwd = folderWith("talk.json", JSON.stringify(anthropicConversation(60)));
    const first = JSON.parse(
      (await call(["conversation", "talk.json", "--json", "--out", "one.json", "--target-tokens", "6000"], { cwd }))
        .stdout,
    ) as { session_id: string };
    const second = JSON.parse(
      (await call(["conversation", "one.json", "--json", "--out", "two.json", "--target-tokens", "1500"], { cwd }))
        .stdout,
    ) as { session_id: string };
    expect(second).toMatchObject({ session_id: first.session_id, status: "compacted", summary: { version: 2 } });
    const result = read(cwd, "two.json");
    expect(anthropicFormat.validate(result)).toEqual([]);
    expect(JSON.stringify(result).split("<COMPACT-SUMMARY").length - 1).toBe(1);
  });

  it("names the session by the flag, the file's own id, or the file and its opening", async () => {
    const cwd = folderWith("session.jsonl", sessionLines(40));
    writeFileSync(join(cwd, "talk.json"), JSON.stringify(chatConversation(40)));
    const session = async (...argv: string[]) =>
      (
        JSON.parse((await call(["conversation", ...argv, "--dry-run", "--json"], { cwd })).stdout) as {
          session_id: string;
        }
      ).session_id;
    expect(await session("session.jsonl")).toBe("session-of-the-file");
    expect(await session("session.jsonl", "--session-id", "mine")).toBe("mine");
    const named = await session("talk.json");
    expect(named).toMatch(/^talk-[0-9a-f]{8}$/);
    writeFileSync(join(cwd, "talk.json"), JSON.stringify(chatConversation(50)));
    expect(await session("talk.json")).toBe(named);
    writeFileSync(join(cwd, "talk.json"), JSON.stringify(anthropicConversation(40)));
    expect(await session("talk.json")).not.toBe(named);
  });

  it("gives a session file's messages as Anthropic JSON", async () => {
    const cwd = folderWith("session.jsonl", sessionLines(40));
    const { stdout } = await call(["conversation", "session.jsonl", "--to", "anthropic", ...TARGET], { cwd });
    expect(stdout).toMatch(/session\.jsonl \(claude-code, as anthropic\)/);
    expect(anthropicFormat.validate(read(cwd, "session.compacted.json"))).toEqual([]);
  });

  it("copies a conversation that needs nothing, byte for byte", async () => {
    const source = `\ufeff[\r\n\t{"role": "user", "content": "caf\\u00e9 \\/ 1.50"} ,\r\n\t{"content": "yes", "role": "assistant"}]\r\n\r\n`;
    const cwd = folderWith("small.json", source);
    const { code, stdout } = await call(["conversation", "small.json", "--if-needed", "--json"], { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ status: "skipped" });
    expect(readFileSync(join(cwd, "small.compacted.json"), "utf8")).toBe(source);
  });

  it("acts with --if-needed only near the window's end", async () => {
    const cwd = folderWith("talk.json", JSON.stringify(chatConversation(40)));
    const status = async (...argv: string[]) =>
      (
        JSON.parse((await call(["conversation", "talk.json", "--if-needed", "--json", ...argv], { cwd })).stdout) as {
          status: string;
        }
      ).status;
    expect(await status()).toBe("skipped");
    expect(await status("--max-context-tokens", "12000")).toBe("compacted");
  });

  it("misses a goal with a warning, and a window with exit code 3 and nothing written", async () => {
    const cwd = folderWith("talk.json", JSON.stringify(chatConversation(40)));
    const goal = await call(["conversation", "talk.json", "--target-tokens", "1", "--json"], { cwd });
    expect(goal.code).toBe(0);
    expect(JSON.parse(goal.stdout)).toMatchObject({
      warnings: expect.arrayContaining([expect.objectContaining({ code: "target_not_reached" })]),
    });
    const large = folderWith(
      "large.json",
      JSON.stringify([{ role: "system", content: "word ".repeat(5000) }, ...chatConversation(3).slice(1)]),
    );
    const window = await call(["conversation", "large.json", "--max-context-tokens", "3000"], { cwd: large });
    expect(window).toMatchObject({ code: 3, stdout: "" });
    expect(existsSync(join(large, "large.compacted.json"))).toBe(false);
  });

  it("repairs damaged input and says so, and refuses it with --strict", async () => {
    const messages = [...chatConversation(40)];
    messages.splice(2, 0, { role: "tool", tool_call_id: "call_nobody_made", content: "left over" });
    const cwd = folderWith("talk.json", JSON.stringify(messages));
    const before = snapshot(cwd);
    const strict = await call(["conversation", "talk.json", "--strict"], { cwd });
    expect(strict.code).toBe(2);
    expect(snapshot(cwd)["talk.compacted.json"]).toBe(before["talk.compacted.json"]);
    const { stdout } = await call(["conversation", "talk.json", ...TARGET], { cwd });
    expect(stdout).toMatch(/repaired +1 orphan result/);
    expect(openaiChatFormat.validate(read(cwd, "talk.compacted.json"))).toEqual([]);
  });

  it("writes a damaged list back byte for byte when nothing was compacted, and says so", async () => {
    const orphan = '{"role":"tool","tool_call_id":"gone","content":"left \\u00e9"}';
    const source = `[ {"role":"user","content":"a"},\n${orphan} ,{"role":"assistant","content":"b"}]`;
    const lines = sessionLines(2).trimEnd().split("\n").slice(0, -2);
    const cwd = folderWith("talk.json", source);
    writeFileSync(join(cwd, "session.jsonl"), [...lines, sessionLine("stop")].join("\n"));
    // A list that is not due is not looked at for faults: its provider may hold what it lacks.
    for (const [argv, faults] of [[["talk.json"], 1] as const, [["talk.json", "--if-needed"], 0] as const]) {
      const { code, stdout } = await call(["conversation", ...argv, "--json"], { cwd });
      expect(code).toBe(0);
      const report = JSON.parse(stdout) as { status: string; warnings: { code: string }[]; repairs: unknown[] };
      expect(report.status).toBe("skipped");
      expect(report.repairs).toHaveLength(faults);
      expect(report.warnings.filter(({ code }) => code === "repairs_not_written")).toHaveLength(faults);
      expect(readFileSync(join(cwd, "talk.compacted.json"), "utf8")).toBe(source);
    }
    const text = (await call(["conversation", "talk.json"], { cwd })).stdout;
    expect(text).toMatch(/1 fault in it, for which its provider would refuse it, was left alone/);
    expect(text).not.toMatch(/repaired/);
    const session = await call(["conversation", "session.jsonl", "--if-needed", "--json"], { cwd });
    expect(JSON.parse(session.stdout)).toMatchObject({ status: "skipped" });
    const written = read(cwd, "session.compacted.json");
    expect(JSON.stringify(written)).not.toContain("No result was recorded");
    expect(JSON.stringify(written)).toContain("stop");
  });

  it("says when it replaced a file", async () => {
    const cwd = folderWith("talk.json", JSON.stringify(chatConversation(40)));
    const place = async (...argv: string[]) =>
      /written to +(.+)/.exec((await call(["conversation", "talk.json", ...argv, ...TARGET], { cwd })).stdout)?.[1];
    expect(await place()).toBe("talk.compacted.json");
    expect(await place("--session-id", "other")).toBe("talk.compacted.json (replaced)");
    expect(await place("--session-id", "third", "--out", "new.json")).toBe("new.json");
  });

  it("keeps the archive where it is told, and repeats that in its commands", async () => {
    const cwd = folderWith("talk.json", JSON.stringify(chatConversation(40)));
    const { stdout } = await call(["conversation", "talk.json", "--archive-dir", "old talks", ...TARGET], { cwd });
    expect(stdout).toContain("--archive-dir 'old talks'");
    expect(existsSync(join(cwd, ".compact"))).toBe(false);
    expect(existsSync(join(cwd, "old talks"))).toBe(true);
  });

  it("is coloured on a terminal only, and not with NO_COLOR", async () => {
    const cwd = folderWith("talk.json", JSON.stringify(chatConversation(10)));
    const isColoured = async (options: object) =>
      (await call(["inspect", "talk.json"], { cwd, ...options })).stdout.includes("\u001b[");
    expect(await isColoured({})).toBe(false);
    expect(await isColoured({ isTerminal: true })).toBe(true);
    expect(await isColoured({ isTerminal: true, env: { NO_COLOR: "1" } })).toBe(false);
  });
});

describe("an archive that fails and may", () => {
  const args = ["conversation", "talk.json", "--session-id", "talk", ...TARGET];
  function folderWithoutRoom(): string {
    const cwd = folderWith("talk.json", JSON.stringify(chatConversation(40)));
    mkdirSync(join(cwd, ".compact/archive"), { recursive: true });
    // Where the folder of the session is due.
    writeFileSync(join(cwd, ".compact/archive/talk"), "");
    writeFileSync(join(cwd, "compact.yaml"), "storage:\n  required: false\n");
    return cwd;
  }

  it("is told of in the report, on stdout or stderr, and points nowhere", async () => {
    const { code, stdout } = await call(args, { cwd: folderWithoutRoom() });
    expect(code).toBe(0);
    expect(stdout).toMatch(/note {2}The transcript of step 1 was not archived: .+ cannot be brought back\./);
    expect(stdout).not.toMatch(/Get it back|agent-compact archive/);
    const piped = await call([...args, "--out", "-"], { cwd: folderWithoutRoom() });
    expect(piped.stderr).toContain("The transcript of step 1 was not archived");
    expect(piped.stdout).not.toMatch(/agent-compact archive|in the archive/);
    expect(piped.stdout).toContain("The originals were not archived.");
  });

  it("is told of where nobody asked for a report", async () => {
    const quiet = await call([...args, "--quiet"], { cwd: folderWithoutRoom() });
    expect(quiet.stderr).toMatch(/^warning: The transcript of step 1 was not archived: /);
    const json = await call([...args, "--json"], { cwd: folderWithoutRoom() });
    expect(json.stderr).toMatch(/^warning: The transcript of step 1 was not archived: /);
    const { archive, warnings } = JSON.parse(json.stdout) as { archive: unknown; warnings: { code: string }[] };
    expect(archive).toEqual({ transcript: null, summary: null });
    expect(warnings.map(({ code }) => code)).toContain("not_archived");
  });
});
