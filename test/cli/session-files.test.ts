// Session files of every host through the command line: found without being named, read by name, refused by the names
// of others.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { anthropicFormat } from "../../src/providers/anthropic/anthropic-format.ts";
import { openaiResponsesFormat } from "../../src/providers/openai-responses/openai-responses-format.ts";
import { PROVIDER_FILES, SESSION_FILES } from "../formats/readers/sample-sessions.ts";
import { call, newFolder } from "./command-line.ts";
import { sessionLines } from "./conversations.ts";

function folderWith(text: string | Buffer): string {
  const cwd = newFolder();
  writeFileSync(join(cwd, "session"), text);
  return cwd;
}

describe("session files", () => {
  it.each(SESSION_FILES)("$name ($form) is inspected, by its name and without", async ({ name, text }) => {
    const cwd = folderWith(text);
    const found = await call(["inspect", "session", "--json"], { cwd });
    const named = await call(["inspect", "session", "--json", "--format", name], { cwd });
    expect(found.code).toBe(0);
    expect(JSON.parse(found.stdout)).toMatchObject({ format: name });
    expect(named).toEqual(found);
  });

  it.each([
    ["cut in the middle of its first line", (line: string) => line.slice(line.length / 2)],
    ["with a title above it", (line: string) => `# my session\n${line}`],
  ])("a session of lines is read %s, and that is told", async (_, change) => {
    const text = sessionLines(3);
    const [first = "", ...others] = text.split("\n");
    const cwd = folderWith([change(first), ...others].join("\n"));
    const { code, stdout } = await call(["conversation", "session", "--json", "--out", "out.json"], { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).warnings).toContainEqual({
      code: "reader_notes",
      message: expect.stringContaining("1 line could not be read"),
    });
  });

  it.each(SESSION_FILES)("$name ($form) gives facts, a difference and a compaction", async ({ name, text }) => {
    const cwd = folderWith(gzipSync(text));
    const facts = await call(["facts", "session", "--json"], { cwd });
    expect(facts.code).toBe(0);
    const difference = await call(["diff", "session", "session", "--json"], { cwd });
    expect(JSON.parse(difference.stdout)).toMatchObject({ counts: { kept: expect.any(Number) } });
    const { code, stdout } = await call(["conversation", "session", "--json", "--format", name, "--out", "out.json"], {
      cwd,
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ session_id: expect.any(String) });
    const written = JSON.parse(readFileSync(join(cwd, "out.json"), "utf8"));
    const messages: unknown[] = Array.isArray(written) ? written : (written.messages ?? written.input);
    // Codex speaks OpenAI Responses alone; what others leave is written as Anthropic's.
    const format = name === "codex" ? openaiResponsesFormat : anthropicFormat;
    expect(format.validate(messages, { allowOpenTail: true })).toEqual([]);
    const compacted = await call(["diff", "session", "out.json", "--json"], { cwd });
    expect(JSON.parse(compacted.stdout)).toMatchObject({ messages_after: messages.length });
  });

  it.each(SESSION_FILES)("$name ($form) is refused by the name of another, and told what it is", async (sample) => {
    const cwd = folderWith(sample.text);
    for (const format of ["openai-responses", "claude-code", "aider", "tau-bench"]) {
      if (format === sample.name) continue;
      const { code, stdout, stderr } = await call(["inspect", "session", "--format", format], { cwd });
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(format.startsWith("openai") ? `reads as ${sample.name}` : /session is not an? \w/);
      expect(stderr.trimEnd().split("\n").length).toBeLessThanOrEqual(3);
    }
  });

  it.each(PROVIDER_FILES)("$name ($form) stays what it is", async ({ name, text }) => {
    const { code, stdout } = await call(["inspect", "session", "--json"], { cwd: folderWith(text) });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ format: name });
  });

  it("counts what is sent beside the messages: a system text, tools", async () => {
    const system = JSON.stringify([
      { id: "1", role: "system", parts: [{ type: "text", text: "You are a careful engineer." }] },
      { id: "2", role: "user", parts: [{ type: "text", text: "hello" }] },
    ]);
    const beside = await call(["inspect", "session", "--json"], { cwd: folderWith(system) });
    expect((JSON.parse(beside.stdout) as { tokens: { system: number } }).tokens.system).toBeGreaterThan(3);
    const log = SESSION_FILES.find(({ form }) => form === "a log of requests");
    const logged = await call(["inspect", "session", "--json"], { cwd: folderWith(log?.text ?? "") });
    expect((JSON.parse(logged.stdout) as { tokens: { tools_schema: number } }).tokens.tools_schema).toBeGreaterThan(3);
  });

  it("says what was joined or left out", async () => {
    const { text } = SESSION_FILES.find(({ name }) => name === "tau-bench") ?? { text: "" };
    const { stderr } = await call(["inspect", "session"], { cwd: folderWith(text) });
    expect(stderr).toMatch(/2 sessions in the file were joined/);
  });

  it("offers every format and every reader, and refuses a session without a word by what it is", async () => {
    const cwd = folderWith("# aider chat started at 2026-01-02 10:00:00\n");
    mkdirSync(join(cwd, "sub"));
    const empty = await call(["inspect", "session"], { cwd });
    expect(empty).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/is an aider chat history without a message/),
    });
    const help = (await call(["inspect", "--help"], { cwd })).stdout.replace(/\s+/g, " ");
    for (const { name } of [...SESSION_FILES, ...PROVIDER_FILES]) expect(help).toContain(name);
    const unknown = await call(["inspect", "session", "--format", "word"], { cwd });
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toMatch(/openai-chat.*aider/);
  });
});
