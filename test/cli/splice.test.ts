// What stays is copied from the source text: spelling of numbers, escapes, spacing, and everything around the list.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { spliceMessages } from "../../src/cli/files/write-conversation.ts";
import { openaiChatFormat } from "../../src/providers/openai-chat/openai-chat-format.ts";
import { sliceArray } from "../../src/text/json.ts";
import { verifies } from "../requirements/verifies.ts";
import { call, newFolder } from "./command-line.ts";
import { chatConversation } from "./conversations.ts";

/** The last turn is always kept; it carries what JSON.parse and JSON.stringify would change. */
const LAST =
  '{"role": "user",  "content": "caf\\u00e9 \\/ end", "meta": {"n": 12345678901234567890, "x": 1.50, "e": 1E5}}';

async function compacted(name: string, source: string, target = "2500"): Promise<string> {
  const cwd = newFolder();
  writeFileSync(join(cwd, name), source);
  const { code, stderr } = await call(["conversation", name, "--target-tokens", target, "--out", "out"], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return readFileSync(join(cwd, "out"), "utf8");
}

describe("splicing", () => {
  it("keeps the envelope, and each kept message as it was written", async () => {
    verifies("field/fields-lost-on-round-trip");
    const list = [...chatConversation(40).map((message) => JSON.stringify(message)), LAST].join(",\n    ");
    const head = '{\n  "model": "m",\n  "seed": 98765432109876543210,\n  "messages": [\n    ';
    const tail = '\n  ],\n  "temperature": 0.70,\n  "stop": "\\u00e9"\n}\n';
    const result = await compacted("request.json", head + list + tail);
    expect(result.startsWith(head)).toBe(true);
    expect(result.endsWith(`,\n    ${LAST}${tail}`)).toBe(true);
    const messages = (JSON.parse(result) as { messages: unknown[] }).messages;
    expect(messages.length).toBeLessThan(161);
    expect(result.slice(head.length, -tail.length).split(",\n    ")).toHaveLength(messages.length);
    const again = await compacted("request.json", result, "1500");
    expect(again.startsWith(head)).toBe(true);
    expect(again.endsWith(`,\n    ${LAST}${tail}`)).toBe(true);
    expect(again.length).toBeLessThan(result.length);
  });

  it("keeps lines as lines, with their line ends", async () => {
    const lines = [...chatConversation(40).map((message) => JSON.stringify(message)), LAST];
    for (const [newline, end] of [
      ["\n", "\n"],
      ["\r\n", "\r\n"],
      ["\n", ""],
    ] as const) {
      const result = await compacted("talk.jsonl", lines.join(newline) + end);
      const written = result.slice(0, result.length - end.length).split(newline);
      expect(written.at(-1)).toBe(LAST);
      expect(written.length).toBeLessThan(lines.length);
      expect(written.every((line) => typeof JSON.parse(line) === "object" && !line.includes("\r"))).toBe(true);
      expect(result.endsWith("\n")).toBe(end !== "");
    }
  });

  it("names the result of lines .jsonl", async () => {
    const cwd = newFolder();
    writeFileSync(
      join(cwd, "talk.jsonl"),
      chatConversation(40)
        .map((message) => JSON.stringify(message))
        .join("\n"),
    );
    expect((await call(["conversation", "talk.jsonl", "--quiet", "--target-tokens", "2500"], { cwd })).stdout).toBe(
      "talk.compacted.jsonl\n",
    );
  });

  it.each([
    ["[1 , 2 , 3]", [1, 3], "[1 , 3]"],
    ["[\n  1,\n  2\n]\n", [2], "[\n  2\n]\n"],
    ["[\n  1\n]", [1, "new"], '[\n  1,\n  "new"\n]'],
    ["[1]", [1, "new"], '[1,"new"]'],
    ["[ 1.0, 2e1 ]", ["new", 20, 1], '[ "new", 2e1, 1.0 ]'],
    ["[]", ["new"], '["new"]'],
  ])("writes into %j", (text, after, expected) => {
    const before = JSON.parse(text) as unknown[];
    const array = sliceArray(text, []);
    if (array === undefined) throw new Error("no array");
    const layout = { kind: "array", array } as const;
    expect(spliceMessages({ format: openaiChatFormat, text, layout, before, after }).join("")).toBe(expected);
  });
});
