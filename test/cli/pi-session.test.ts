// A pi session file through the command line: found without being named, read whole, named right when it is not one.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, newFolder } from "./command-line.ts";

const header = { type: "session", version: 3, id: "5e551011", cwd: "/home/me/shop" };
const entries = [
  { role: "user", content: [{ type: "text", text: "Never push to main. Read src/cart.ts" }] },
  {
    role: "assistant",
    api: "anthropic-messages",
    model: "claude-y",
    content: [{ type: "toolCall", id: "c1", name: "read", arguments: { path: "src/cart.ts" } }],
  },
  { role: "toolResult", toolCallId: "c1", toolName: "read", content: [{ type: "text", text: "export {}" }] },
  {
    role: "assistant",
    api: "anthropic-messages",
    model: "claude-y",
    content: [{ type: "text", text: "It is empty." }],
  },
].map((message, at) => ({ type: "message", id: `e${at}`, parentId: at === 0 ? null : `e${at - 1}`, message }));

function fileOf(name: string, lines: readonly unknown[]): string {
  const cwd = newFolder();
  writeFileSync(join(cwd, name), lines.map((line) => JSON.stringify(line)).join("\n"));
  return cwd;
}

describe("a pi session", () => {
  it.each(["auto", "pi"])("is inspected with --format %s", async (format) => {
    const cwd = fileOf("session.jsonl", [header, ...entries]);
    const { code, stdout } = await call(["inspect", "session.jsonl", "--format", format, "--json"], { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ format: "pi", messages: 4, by_tool: { read: { calls: 1 } } });
  });

  it("gives its facts, and compacts under its own id to Anthropic messages", async () => {
    const cwd = fileOf("session.jsonl", [header, ...entries]);
    const facts = await call(["facts", "session.jsonl", "--json"], { cwd });
    expect(facts.stdout).toMatch(/Never push to main/);
    const { code, stdout } = await call(["conversation", "session.jsonl", "--json"], { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ session_id: "5e551011", format: "anthropic" });
  });

  it("is refused when nothing was said in it, and when another kind of file is called one", async () => {
    const empty = await call(["inspect", "session.jsonl"], {
      cwd: fileOf("session.jsonl", [header, { type: "label" }]),
    });
    expect(empty.code).toBe(2);
    expect(empty.stderr).toMatch(/pi session without a message/);
    const chat = [{ role: "user", content: "hi" }];
    const other = await call(["inspect", "chat.jsonl", "--format", "pi"], { cwd: fileOf("chat.jsonl", chat) });
    expect(other.code).toBe(2);
    expect(other.stderr).toMatch(/chat\.jsonl is not a pi session/);
  });
});
