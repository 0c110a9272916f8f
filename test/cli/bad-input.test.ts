// Whatever is no conversation is refused by name, with its exit code, and nothing is touched.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readBytes } from "../../src/cli/files/read-file.ts";
import { call, newFolder, snapshot } from "./command-line.ts";
import { chatConversation, sessionLines } from "./conversations.ts";

const WHOLE = JSON.stringify(chatConversation(3));

interface BadInput {
  readonly name: string;
  readonly content: string | Buffer;
  readonly says: RegExp;
}

const BAD_INPUTS: readonly BadInput[] = [
  { name: "empty", content: "", says: /is empty/ },
  { name: "white space", content: " \n\t\n", says: /only white space/ },
  { name: "nothing in a gzip", content: gzipSync(""), says: /empty after unpacking/ },
  { name: "prose", content: "# Notes\n\nNothing here.", says: /not JSON: line 1, column 1/ },
  {
    name: "a fault on a later line",
    content: '[\n  {"role": "user", "content": "a"},\n  {"role": user}\n]',
    says: /not JSON: line 3, column 12, inside an object/,
  },
  { name: "a string cut off", content: WHOLE.slice(0, 100), says: /ends in the middle of a string, at byte 100/ },
  { name: "an array cut off", content: WHOLE.slice(0, -1), says: /ends in the middle of a list, at byte [\d,]+/ },
  {
    name: "bytes counted with the mark and wide characters",
    content: '\ufeff[{"role":"user","content":"żó',
    says: /at byte 34/,
  },
  {
    name: "lines cut off",
    content: `${chatConversation(1)
      .map((message) => JSON.stringify(message))
      .join("\n")
      .slice(0, -5)}`,
    says: /ends in the middle of line 5/,
  },
  {
    name: "a broken line",
    content: '{"role":"user","content":"a"}\n{"role":user}\n{"role":"user","content":"b"}\n',
    says: /line 2 cannot be read/,
  },
  { name: "a gzip cut off", content: gzipSync(WHOLE).subarray(0, 60), says: /gzip file that ends too early/ },
  { name: "a damaged gzip", content: damaged(gzipSync(WHOLE)), says: /damaged gzip/ },
  {
    name: "a database",
    content: Buffer.concat([Buffer.from("SQLite format 3\0", "latin1"), Buffer.alloc(100)]),
    says: /is an SQLite database[\s\S]*with --db/,
  },
  { name: "UTF-16 with a mark", content: Buffer.from(`\ufeff${WHOLE}`, "utf16le"), says: /UTF-16/ },
  {
    name: "UTF-16 big-endian without a mark",
    content: Buffer.from(WHOLE, "utf16le").swap16(),
    says: /UTF-16[\s\S]*Convert it to UTF-8/,
  },
  {
    name: "an image",
    content: Buffer.concat([
      Buffer.from("\x89PNG\r\n", "latin1"),
      Buffer.from([0, 0, 0, 13, 73, 72, 68, 82, 200, 0, 1]),
    ]),
    says: /NUL bytes/,
  },
  {
    name: "an archive",
    content: gzipSync(Buffer.concat([Buffer.alloc(257), Buffer.from("ustar"), Buffer.alloc(250)])),
    says: /is an archive \(tar\)[\s\S]*Unpack it first, then give a JSON or JSONL file/,
  },
  {
    name: "Latin-1",
    content: Buffer.from('[{"role":"user","content":"caf\xe9"}]', "latin1"),
    says: /not valid UTF-8: the fault is at byte 30/,
  },
  { name: "an empty list", content: "[]", says: /holds no messages/ },
  { name: "a response without output", content: '{"object":"response","output":[]}', says: /holds no messages/ },
  { name: "an empty body", content: '{"model":"m","messages":[]}', says: /holds no messages/ },
  { name: "a number", content: "42", says: /not a known conversation format/ },
  { name: "other JSON", content: '{"name":"x","version":"1"}', says: /not a known conversation format/ },
  {
    name: "a trajectory in which nothing was done",
    content: '{"trajectory":[],"history":[]}',
    says: /is a SWE-agent run without a message/,
  },
  {
    name: "a completion",
    content: '{"choices":[{"message":{"role":"assistant","content":"a"}}]}',
    says: /is a chat completion response, which cannot be read yet[\s\S]*a session file of claude-code, .*aider/,
  },
  {
    name: "a Markdown chat log",
    content: "# Chat of 2024-05-01\n\nfix the tests\n\nDone.\n",
    says: /is a Markdown chat log, which cannot be read yet/,
  },
  {
    name: "a Markdown log by its speakers",
    content: "# Fixing the tests\n\n## User\n\nfix them\n\n## Assistant\n\nDone.\n",
    says: /is a Markdown chat log, which cannot be read yet/,
  },
  { name: "Markdown of another kind", content: "# Chatter\n\nUser manual.", says: /not JSON: line 1, column 1/ },
  {
    name: "a message too deep to be written again",
    content: `[{"role":"user","content":"a"},{"role":"user","content":"b","extra":${nested(5000)}}]`,
    says: /Message 2 of input\.json is nested more than 1,000 levels deep/,
  },
  {
    name: "a field beside the messages too deep",
    content: `{"messages":[{"role":"user","content":"a"}],"tools":[${nested(100_000)}]}`,
    says: /beside the messages of input\.json is nested more than/,
  },
  {
    name: "brackets without end",
    content: "[".repeat(2_000_000),
    says: /input\.json is nested more than 250,000 levels deep/,
  },
  {
    name: "more lists than any session has",
    content: `[${"[],".repeat(5_500_000)}[]]`,
    says: /input\.json holds more than 10,000,000 values/,
  },
  {
    name: "what unpacks to far more than its size",
    content: gzipSync(Buffer.alloc(70_000_000, "[")),
    says: /input\.json unpacks to more than 200 times its size/,
  },
  {
    name: "a session line too deep",
    content: JSON.stringify({
      type: "user",
      uuid: "1",
      message: { role: "user", content: [{ type: "image", a: 0 }] },
    }).replace('"a":0', `"a":${nested(5000)}`),
    says: /Message 1 of input\.json is nested more than/,
  },
  {
    name: "an interface's messages without a word",
    content: '[{"id":"1","role":"user","parts":[]}]',
    says: /is a list of interface messages \(UIMessage\) without a message/,
  },
];

function nested(depth: number): string {
  return `${"[".repeat(depth)}${"]".repeat(depth)}`;
}

function damaged(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy[bytes.length - 6] = (copy[bytes.length - 6] ?? 0) ^ 0xff;
  return copy;
}

describe("bad input", () => {
  it.each(BAD_INPUTS)("refuses $name", async ({ content, says }) => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "input.json"), content);
    const before = snapshot(cwd);
    for (const command of ["conversation", "inspect"]) {
      const { code, stdout, stderr } = await call([command, "input.json"], { cwd });
      expect(code).toBe(2);
      expect(stderr).toMatch(says);
      expect(stderr.trimEnd().split("\n").length).toBeLessThanOrEqual(3);
      expect(stderr).not.toMatch(/^ {4}at /m);
      expect(stdout).toBe("");
    }
    expect(snapshot(cwd)).toEqual(before);
  });

  it("refuses what is missing and what is a folder", async () => {
    const cwd = newFolder();
    mkdirSync(join(cwd, "folder"));
    const missing = await call(["conversation", "nowhere.json"], { cwd });
    expect(missing).toMatchObject({ code: 2, stdout: "" });
    expect(missing.stderr).toMatch(/nowhere\.json does not exist/);
    const folder = await call(["conversation", "folder"], { cwd });
    expect(folder.code).toBe(2);
    expect(folder.stderr).toMatch(/folder is a directory/);
    expect(snapshot(cwd)).toEqual({ folder: "folder" });
  });

  it("refuses more than it may read, before and after unpacking", async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "plain.json"), "x".repeat(2000));
    writeFileSync(join(cwd, "packed.json.gz"), gzipSync("x".repeat(100_000)));
    const terminal = { argv: [], stdin: emptyInput(), stdout: nowhere, stderr: nowhere, cwd, env: {} };
    await expect(readBytes("plain.json", terminal, 1000)).rejects.toMatchObject({
      kind: "InvalidInput",
      code: "TOO_LARGE",
    });
    await expect(readBytes("packed.json.gz", terminal, 1000)).rejects.toMatchObject({ code: "TOO_LARGE" });
    await expect(readBytes("packed.json.gz", terminal, 100_000)).resolves.toMatchObject({ isPacked: true });
  });

  it("reads what is nested deep but can be written", async () => {
    const cwd = newFolder();
    const messages = JSON.stringify(chatConversation(30)).replace(
      '{"role":"user"',
      `{"extra":${nested(990)},"role":"user"`,
    );
    writeFileSync(join(cwd, "input.json"), messages);
    for (const argv of [["inspect"], ["facts"], ["conversation", "--target-tokens", "3000"]]) {
      const [command = "", ...flags] = argv;
      expect((await call([command, "input.json", ...flags], { cwd })).stderr).toBe("");
    }
  });

  it("refuses a file where the archive's folder is due", async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "talk.json"), WHOLE);
    writeFileSync(join(cwd, "file"), "");
    const before = snapshot(cwd);
    for (const place of ["file", "file/archive"]) {
      for (const argv of [
        ["conversation", "talk.json"],
        ["conversation", "talk.json", "--dry-run"],
        ["inspect", "talk.json"],
        ["archive", "list"],
        ["archive", "show"],
        ["archive", "search", "part"],
        ["archive", "expand", "1.1"],
        ["archive", "restore"],
        ["archive", "verify"],
      ]) {
        const { code, stdout, stderr } = await call([...argv, "--archive-dir", place], { cwd });
        expect({ argv, code, stdout }).toEqual({ argv, code: 2, stdout: "" });
        expect(stderr).toMatch(/a file is in its place/);
      }
    }
    expect(snapshot(cwd)).toEqual(before);
  });

  it("refuses a format that the file does not have, and says which one it has", async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "chat.json"), WHOLE);
    writeFileSync(join(cwd, "session.jsonl"), sessionLines(2));
    const chat = await call(["inspect", "chat.json", "--format", "openai-responses"], { cwd });
    expect(chat.code).toBe(2);
    expect(chat.stderr).toMatch(/does not hold openai-responses messages[\s\S]*reads as openai-chat/);
    const session = await call(["inspect", "session.jsonl", "--format", "anthropic"], { cwd });
    expect(session.stderr).toMatch(/reads as claude-code/);
    const forced = await call(["inspect", "chat.json", "--format", "claude-code"], { cwd });
    expect(forced.stderr).toMatch(/not a Claude Code session/);
  });

  it("never prints what the conversation says", async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "a.json"), '[{"role":"user","content":"TOP-SECRET-WORD"},TOP-SECRET-WORD]');
    const { stderr } = await call(["conversation", "a.json"], { cwd });
    expect(stderr).not.toContain("SECRET");
  });
});

const nowhere = { write: () => true };

async function* emptyInput(): AsyncGenerator<Uint8Array> {}
