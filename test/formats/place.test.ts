import { describe, expect, it } from "vitest";
import { anthropicFormat } from "../../src/providers/anthropic/anthropic-format.ts";
import { openaiChatFormat } from "../../src/providers/openai-chat/openai-chat-format.ts";
import { openaiResponsesFormat } from "../../src/providers/openai-responses/openai-responses-format.ts";
import { verifies } from "../requirements/verifies.ts";

const summary = "The record.";
const user = { role: "user", content: "hello" };
const assistant = { role: "assistant", content: "hi" };
const system = { role: "system", content: "be kind" };
const roles = (messages: readonly unknown[]) => messages.map((message) => (message as { role: string }).role);

describe("placing the summary", () => {
  it.each([openaiChatFormat, openaiResponsesFormat])(
    "$name: the assistant's between the layers, the user's at the end",
    (format) => {
      const between = format.place({ pinned: [system], summary, recent: [user] });
      expect(roles(between.messages)).toEqual(["system", "assistant", "user"]);
      expect(between.summaryIndex).toBe(1);
      const last = format.place({ pinned: [system], summary, recent: [] });
      expect(roles(last.messages)).toEqual(["system", "user"]);
      expect(format.place({ pinned: [system], recent: [user] })).toEqual({
        messages: [system, user],
        summaryIndex: -1,
      });
    },
  );

  it.each<[string, readonly unknown[], readonly unknown[], readonly string[], number]>([
    ["nothing around it", [], [], ["user"], 0],
    ["an assistant after it", [], [assistant], ["user", "assistant"], 0],
    ["a user after it", [], [user], ["user", "assistant", "user"], 1],
    ["a user on both sides", [user], [user], ["user", "assistant", "user"], 1],
    [
      "an assistant before, a user after",
      [user, assistant],
      [user],
      ["user", "assistant", "user", "assistant", "user"],
      3,
    ],
    ["nothing after a pinned user", [user], [], ["user", "user"], 1],
    ["a pinned assistant first", [assistant], [assistant], ["user", "assistant", "user", "assistant"], 2],
  ])("Anthropic: %s", (_, pinned, recent, expected, index) => {
    verifies("field/wrong-first-or-last-role", "rulings/summary-message");
    const placed = anthropicFormat.place({ pinned, summary, recent });
    expect(roles(placed.messages)).toEqual(expected);
    expect(placed.summaryIndex).toBe(index);
    expect(anthropicFormat.summaryText(placed.messages[index])).toBe(summary);
    expect(anthropicFormat.validate(placed.messages)).toEqual([]);
  });

  const step = { role: "assistant", content: [{ type: "tool_use", id: "a", name: "run", input: {} }] };
  const carrier = { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "ok" }] };

  it.each<[string, readonly unknown[], string | undefined, readonly unknown[], readonly number[], string]>([
    ["a gap between two of the user's", [], summary, [user, step, carrier, user], [3], "fAuaufu"],
    ["a gap between two of the assistant's", [], summary, [user, assistant, assistant], [2], "fAuafa"],
    ["a gap between two roles", [], summary, [user, assistant], [1], "fAua"],
    ["the caller's own neighbours", [], summary, [user, user, assistant, assistant], [], "fAuuaa"],
    ["the border to a summary at the end", [user], summary, [], [], "ufU"],
    ["the border to a summary before an answer", [user], summary, [assistant], [0], "ufUa"],
    ["the border of two layers without a summary", [user, assistant, user], undefined, [user], [0], "uaufu"],
    ["a gap before the first message", [], undefined, [assistant, user], [0], "fau"],
    ["pinned neighbours, which are the caller's", [user, user], summary, [user], [0], "uuAu"],
  ])("Anthropic: a filler where something left: %s", (_, pinned, text, recent, gaps, expected) => {
    const layers = { pinned, recent, gaps: new Set(gaps), ...(text === undefined ? {} : { summary: text }) };
    const { messages, summaryIndex } = anthropicFormat.place(layers);
    const letters = messages.map((message, index) => {
      if (anthropicFormat.isFiller(JSON.parse(JSON.stringify(message)))) return "f";
      const letter = (message as { role: string }).role.charAt(0);
      return index === summaryIndex ? letter.toUpperCase() : letter;
    });
    expect(letters.join("")).toBe(expected);
    expect(anthropicFormat.validate(messages)).toEqual([]);
    expect(anthropicFormat.isFiller(messages.at(-1))).toBe(false);
    if (text !== undefined) expect(anthropicFormat.summaryText(messages[summaryIndex])).toBe(text);
  });

  it("Anthropic: knows its fillers from messages that only look like one", () => {
    const { messages } = anthropicFormat.place({ pinned: [], recent: [user, user], gaps: new Set([1]) });
    const [, filler] = messages as [unknown, { content: unknown }];
    expect(anthropicFormat.isFiller(filler)).toBe(true);
    expect(anthropicFormat.isFiller({ ...filler, role: "user" })).toBe(false);
    expect(anthropicFormat.isFiller({ ...filler, id: "1" })).toBe(false);
    expect(anthropicFormat.isFiller(assistant)).toBe(false);
  });

  it("Anthropic: opens with a user's message even without a summary, but not before a compaction block", () => {
    const placed = anthropicFormat.place({ pinned: [], recent: [assistant] });
    expect(placed.messages.map(anthropicFormat.isFiller)).toEqual([true, false]);
    expect(placed.summaryIndex).toBe(-1);
    const compaction = { role: "assistant", content: [{ type: "compaction", content: "x" }] };
    expect(anthropicFormat.place({ pinned: [compaction], recent: [user] }).messages).toEqual([compaction, user]);
  });

  it.each([openaiChatFormat, openaiResponsesFormat, anthropicFormat])(
    "$name: reads back only messages of its own shape",
    (format) => {
      for (const recent of [[], [user]]) {
        const placed = format.place({ pinned: [], summary, recent });
        expect(format.summaryText(placed.messages[placed.summaryIndex])).toBe(summary);
        const reread: unknown = JSON.parse(JSON.stringify(placed.messages[placed.summaryIndex]));
        expect(format.summaryText(reread)).toBe(summary);
      }
      expect(format.summaryText({ role: "system", content: summary })).toBeUndefined();
      expect(format.summaryText({ role: "user", content: summary, name: "x" })).toBeUndefined();
      expect(format.summaryText({ role: "user", content: [] })).toBeUndefined();
      expect(format.summaryText(null)).toBeUndefined();
      expect(format.isFiller(user)).toBe(false);
    },
  );

  it("keeps the objects of the layers as they are", () => {
    for (const format of [openaiChatFormat, openaiResponsesFormat, anthropicFormat]) {
      const placed = format.place({ pinned: [user], summary, recent: [assistant] });
      expect(placed.messages).toContain(user);
      expect(placed.messages).toContain(assistant);
    }
  });
});
