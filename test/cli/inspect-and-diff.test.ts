// `inspect` counts and plans without writing; `diff` says what became of each message.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Difference } from "../../src/cli/conversation/diff.ts";
import type { Inspection } from "../../src/cli/conversation/inspect.ts";
import { call, newFolder, snapshot } from "./command-line.ts";
import { anthropicConversation, chatConversation } from "./conversations.ts";

describe("inspect", () => {
  it("gives the contract's fields, and figures that sum up", async () => {
    const cwd = newFolder();
    const tools = [{ type: "function", function: { name: "read_file", parameters: { type: "object" } } }];
    writeFileSync(join(cwd, "talk.json"), JSON.stringify({ messages: chatConversation(30), tools }));
    const before = snapshot(cwd);
    const { code, stdout } = await call(["inspect", "talk.json", "--json"], { cwd });
    expect(code).toBe(0);
    const inspection = JSON.parse(stdout) as Inspection;
    expect(Object.keys(inspection)).toEqual([
      "format",
      "messages",
      "tokens",
      "by_role",
      "by_tool",
      "largest",
      "plan",
      "facts",
    ]);
    const { total, system, developer, tools_schema, messages } = inspection.tokens;
    expect(system + developer + tools_schema + messages).toBe(total);
    expect(Math.min(system, tools_schema, messages)).toBeGreaterThan(0);
    const roles = Object.values(inspection.by_role).reduce((sum, { tokens }) => sum + tokens, 0);
    expect(roles).toBe(system + developer + messages);
    expect(inspection.by_tool.read_file?.calls).toBe(30);
    expect(inspection.by_tool.read_file?.tokens).toBeGreaterThan(messages / 2);
    expect(inspection.largest).toHaveLength(10);
    expect(inspection.largest[0]).toMatchObject({ role: "tool", what: "result of read_file" });
    expect(inspection.plan).toMatchObject({ possible: true, kept: { pinned: 1 } });
    expect(snapshot(cwd)).toEqual(before);
  });

  it("prints tables for a person", async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "talk.json"), JSON.stringify(anthropicConversation(30)));
    const { stdout } = await call(["inspect", "talk.json"], { cwd });
    for (const title of ["By component", "By role", "By tool", "Largest messages", "A compaction now"])
      expect(stdout).toContain(title);
    expect(stdout).not.toContain("quick survey");
  });

  it("says why a compaction is not possible", async () => {
    const cwd = newFolder();
    writeFileSync(
      join(cwd, "talk.json"),
      JSON.stringify([{ role: "system", content: "word ".repeat(5000) }, ...chatConversation(3).slice(1)]),
    );
    const { code, stdout } = await call(["inspect", "talk.json", "--json", "--max-context-tokens", "3000"], { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ plan: { possible: false } });
  });
});

describe("diff", () => {
  it("accounts for every message of both lists", async () => {
    const cwd = newFolder();
    const before = chatConversation(40);
    writeFileSync(join(cwd, "talk.json"), JSON.stringify(before));
    const report = JSON.parse(
      (await call(["conversation", "talk.json", "--json", "--target-tokens", "3000"], { cwd })).stdout,
    ) as { tokens_before: number; tokens_after: number; pruned_count: number };
    const { code, stdout } = await call(["diff", "talk.json", "talk.compacted.json", "--json"], { cwd });
    expect(code).toBe(0);
    const difference = JSON.parse(stdout) as Difference;
    const { kept = 0, shortened = 0, summarized = 0, inserted_summary } = difference.counts;
    expect(kept + shortened + summarized).toBe(before.length);
    expect(summarized).toBe(report.pruned_count);
    expect(inserted_summary).toBe(1);
    expect(difference).toMatchObject({ tokens_before: report.tokens_before, tokens_after: report.tokens_after });
    const text = (await call(["diff", "talk.json", "talk.compacted.json"], { cwd })).stdout;
    expect(text).toMatch(/summarized +\d+/);
    expect(text).toMatch(/summary, inserted +1/);
  });

  it("tells a shortened result from a new message, and repeated ids apart", async () => {
    const cwd = newFolder();
    const before = [...chatConversation(2), ...chatConversation(2).slice(1)];
    const after: unknown[] = [...before];
    after[7] = { ...before[7], content: "head [left out] tail" };
    after.push({ role: "user", content: "one more" });
    after.splice(1, 1);
    writeFileSync(join(cwd, "a.json"), JSON.stringify(before));
    writeFileSync(join(cwd, "b.json"), JSON.stringify(after));
    const { messages, counts } = JSON.parse(
      (await call(["diff", "a.json", "b.json", "--json"], { cwd })).stdout,
    ) as Difference;
    expect(counts).toEqual({ kept: before.length - 2, shortened: 1, pruned: 1, inserted: 1 });
    expect(messages.find(({ change }) => change === "shortened")?.message).toBe(8);
  });

  it("compares a list with what it became for another provider", async () => {
    const cwd = newFolder();
    const call1 = { id: "c1", type: "function", function: { name: "weigh", arguments: "{}" } };
    const chat = [
      ...chatConversation(3),
      { role: "user", content: "How heavy is the crate?" },
      { role: "assistant", content: null, tool_calls: [call1] },
      { role: "tool", tool_call_id: "c1", content: "12 kg" },
    ];
    writeFileSync(join(cwd, "a.json"), JSON.stringify(chat));
    await call(["convert", "a.json", "--to", "openai-responses", "--out", "b.json"], { cwd });
    const { code, stdout } = await call(["diff", "a.json", "b.json", "--json"], { cwd });
    expect(code).toBe(0);
    const { format, counts, messages_after } = JSON.parse(stdout);
    expect({ format, counts }).toEqual({ format: "openai-chat", counts: { kept: messages_after } });
  });

  it("says which file is not there", async () => {
    const cwd = newFolder();
    writeFileSync(join(cwd, "a.json"), JSON.stringify(chatConversation(3)));
    expect((await call(["diff", "a.json", "nowhere.json"], { cwd })).code).toBe(2);
  });
});
