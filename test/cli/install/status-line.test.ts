// The line below Claude Code's prompt: from the JSON that the host sends, and the end of the session's file.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, newFolder } from "../command-line.ts";

const line = (index: number, type: "user" | "assistant", content: string, before: number | null = index - 1) =>
  JSON.stringify({
    type,
    uuid: `u${index}`,
    parentUuid: before === null || before < 0 ? null : `u${before}`,
    sessionId: "s",
    timestamp: "2026-01-01T00:00:00.000Z",
    message:
      type === "user"
        ? { role: type, content }
        : { role: type, id: `m${index}`, content: [{ type: "text", text: content }] },
  });

/** Turns of a prompt and an answer of 4,000 characters. */
const turns = (count: number, from = 0) =>
  Array.from({ length: count }, (_, turn) => [
    line(from + turn * 2, "user", `Part ${turn}, please.`, turn === 0 ? null : undefined),
    line(from + turn * 2 + 1, "assistant", "word ".repeat(800)),
  ]).flat();

const boundary = JSON.stringify({
  type: "system",
  subtype: "compact_boundary",
  uuid: "b",
  parentUuid: null,
  sessionId: "s",
});

async function statusLine(lines: readonly string[] | undefined, used = 124_000) {
  const cwd = newFolder();
  const transcript_path = join(cwd, "session.jsonl");
  if (lines !== undefined) writeFileSync(transcript_path, `${lines.join("\n")}\n`);
  const usage = { input_tokens: 4_000, cache_creation_input_tokens: 0, cache_read_input_tokens: used - 4_000 };
  const context_window = { context_window_size: 200_000, used_percentage: 62, current_usage: usage };
  const { code, stdout, stderr } = await call(["status-line"], {
    cwd,
    stdin: JSON.stringify({ transcript_path, context_window }),
  });
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
}

describe("the status line", () => {
  it("tells the share of the window, compactions, and what the next would save", async () => {
    // Of 26 turns 20 are older than those that stay: some 83,000 characters, 21,000 tokens, of which a fifth is its summary.
    expect(await statusLine([...turns(4), boundary, ...turns(26, 100)])).toBe(
      "62 % of 200k, 1 compaction, the next saves ~17k\n",
    );
    expect(await statusLine([boundary, boundary, ...turns(3)])).toBe("62 % of 200k, 2 compactions\n");
    expect(await statusLine(turns(6))).toBe("62 % of 200k\n");
  });

  it("does not take more for saved than the host counted", async () => {
    expect(await statusLine(turns(12), 4_000)).toBe("2 % of 200k, the next saves ~2k\n");
  });

  it("is shorter where the session has no file, and nothing where the host sends something else", async () => {
    expect(await statusLine(undefined)).toBe("62 % of 200k\n");
    for (const stdin of ["", "no JSON", "[]", "{}", '{"context_window":7,"transcript_path":{}}'])
      expect(await call(["status-line"], { cwd: newFolder(), stdin })).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("counts what a word in a message cannot feign", async () => {
    const said = line(0, "user", 'Look for "subtype":"compact_boundary" in it.');
    expect(await statusLine([said, line(1, "assistant", "None.")])).toBe("62 % of 200k\n");
  });
});
