// Limits of a configuration that cannot hold: every command that needs them says where they stand.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, newFolder } from "./command-line.ts";
import { chatConversation } from "./conversations.ts";

describe("a command on limits that cannot hold", () => {
  it.each<[string, Record<string, string>, readonly string[], RegExp]>([
    [
      "\nmodel: acme-7b\n",
      {},
      [],
      /^agent-compact: compact\.yaml:2: The context window of the model "acme-7b" is not known\.\n {2}Set max_context_tokens/,
    ],
    [
      "max_context_tokens: 1000\n",
      {},
      [],
      /^agent-compact: compact\.yaml:1: max_context_tokens \(1000\) must be greater/,
    ],
    [
      "\npolicy:\n  hard_cap_buffer: 200000\n",
      {},
      ["--model", "gpt-4o"],
      /^agent-compact: compact\.yaml:3: max_context_tokens/,
    ],
    [
      "models:\n  gpt-4o:\n    max_context_tokens: 9\n",
      {},
      ["--model", "gpt-4o"],
      /^agent-compact: compact\.yaml:3: max_con/,
    ],
    ["", { COMPACT_MODEL: "acme-7b" }, [], /is not known \(from the environment variable COMPACT_MODEL\)/],
    ["model: acme-7b\n", {}, ["--max-context-tokens", "100"], /^agent-compact: max_context_tokens \(100\) must be/],
    [
      "model: gpt-4o\n",
      {},
      ["--model", "acme-7b"],
      /^agent-compact: The context window[^\n]*\n {2}Give its window with --max/,
    ],
  ])("says where they stand: %j with %j and %j", async (content, env, flags, expected) => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "compact.yaml"), content);
    writeFileSync(join(cwd, "chat.json"), JSON.stringify(chatConversation(3)));
    for (const command of ["conversation", "inspect"]) {
      const { code, stderr } = await call([command, "chat.json", ...flags], { cwd, env });
      expect(stderr).toMatch(expected);
      expect(code).toBe(2);
    }
  });
});
