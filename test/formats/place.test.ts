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
  it.each([
    [openaiChatFormat, ["system", "user", "assistant", "user"]],
    [openaiResponsesFormat, ["system", "user", "user"]],
    [anthropicFormat, ["user", "assistant", "user"]],
  ])(
    "the user's, behind the system's messages, with a line of the assistant's before a user's: %#",
    (format, expected) => {
      verifies("rulings/summary-message");
      const pinned = expected[0] === "system" ? [system] : [];
      const between = format.place({ pinned, summary, recent: [user] });
      expect(roles(between.messages)).toEqual(expected);
      expect(between.summaryIndex).toBe(pinned.length);
      expect(roles(format.place({ pinned, summary, recent: [assistant] }).messages)).toEqual([
        ...roles(pinned),
        "user",
        "assistant",
      ]);
      expect(roles(format.place({ pinned, summary, recent: [] }).messages)).toEqual([...roles(pinned), "user"]);
      expect(format.place({ pinned, recent: [user] })).toEqual({ messages: [...pinned, user], summaryIndex: -1 });
    },
  );

  const chatStep = {
    role: "assistant",
    content: null,
    tool_calls: [{ id: "a", type: "function", function: { name: "run", arguments: "{}" } }],
  };
  const answer = { role: "tool", tool_call_id: "a", content: "ok" };
  const step = { role: "assistant", content: [{ type: "tool_use", id: "a", name: "run", input: {} }] };
  const carrier = { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "ok" }] };

  it.each<
    [
      string,
      readonly unknown[],
      string | undefined,
      readonly unknown[],
      readonly number[],
      string,
      (readonly number[])?,
    ]
  >([
    ["nothing around the summary", [], summary, [], [], "U"],
    ["an assistant after it", [], summary, [assistant], [], "Ua"],
    ["a user after it", [], summary, [user], [], "Ufu"],
    ["a user on both sides", [user], summary, [user], [], "ufUfu"],
    ["an assistant before, a user after", [user, assistant], summary, [user], [], "uaUfu"],
    ["a pinned assistant first", [assistant], summary, [assistant], [], "faUa"],
    ["a gap between two of the user's", [], summary, [user, step, carrier, user], [3], "Ufuaufu"],
    ["a gap between two of the assistant's", [], summary, [user, assistant, assistant], [2], "Ufuafa"],
    ["a gap between two roles", [], summary, [user, assistant], [1], "Ufua"],
    ["the caller's own neighbours", [], summary, [user, user, assistant, assistant], [], "Ufuuaa"],
    ["the border to a summary at the end", [user], summary, [], [], "ufU"],
    ["the border of two layers without a summary", [user, assistant, user], undefined, [user], [0], "uaufu"],
    ["pinned neighbours, which are the caller's", [user, user], summary, [user], [0], "uufUfu"],
    ["pinned messages between which something left", [user, user], summary, [assistant], [0], "ufufUa", [1]],
  ])("a filler where roles have to alternate: %s", (_, pinned, text, recent, gaps, expected, pinnedGaps = []) => {
    const layers = { pinned, recent, gaps: new Set(gaps), pinnedGaps: new Set(pinnedGaps) };
    const asChat = (message: unknown) => (message === step ? chatStep : message === carrier ? answer : message);
    for (const format of [anthropicFormat, openaiChatFormat]) {
      const ofFormat =
        format === anthropicFormat ? layers : { ...layers, pinned: pinned.map(asChat), recent: recent.map(asChat) };
      const { messages, summaryIndex } = format.place({
        ...ofFormat,
        ...(text === undefined ? {} : { summary: text }),
      });
      const letters = messages.map((message, index) => {
        if (format.isFiller(JSON.parse(JSON.stringify(message)))) return "f";
        const letter = (message as { role: string }).role.charAt(0).replace("t", "u");
        return index === summaryIndex ? letter.toUpperCase() : letter;
      });
      expect(letters.join("")).toBe(expected);
      expect(format.validate(messages)).toEqual([]);
      expect(format.isFiller(messages.at(-1))).toBe(false);
      if (text !== undefined) expect(format.summaryText(messages[summaryIndex])).toBe(text);
    }
  });

  it("knows its fillers from messages that only look like one", () => {
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

  it("Anthropic: system messages behind what the user's side says, those that meet there as one", () => {
    const later = { role: "system", content: "be brief" };
    const turn = { role: "system", content: "40 tokens left", clear_at: "next_user_message" };
    const list = (pinned: readonly unknown[], recent: readonly unknown[]) => {
      const { messages, summaryIndex } = anthropicFormat.place({ pinned, summary, recent });
      expect(anthropicFormat.validate(messages)).toEqual([]);
      expect(anthropicFormat.summaryText(messages[summaryIndex])).toBe(summary);
      return messages;
    };
    expect(list([system], [assistant]).slice(1)).toEqual([system, assistant]);
    const both = { role: "system", content: [system.content, later.content].map((text) => ({ type: "text", text })) };
    expect(list([system, turn, later], [assistant]).slice(1)).toEqual([both, assistant]);
    const between = ["user", "system", "assistant", "user", "system", "assistant"];
    expect(roles(list([system], [user, later, assistant]))).toEqual(between);
    const whole = { pinned: [], recent: [user, system, assistant, user, later] };
    expect(anthropicFormat.place(whole).messages).toEqual(whole.recent);
  });

  it.each([openaiChatFormat, openaiResponsesFormat, anthropicFormat])(
    "$name: reads back only messages of one text, as it writes them or as a host does",
    (format) => {
      for (const recent of [[], [user]]) {
        const placed = format.place({ pinned: [], summary, recent });
        expect(format.summaryText(placed.messages[placed.summaryIndex])).toBe(summary);
        const reread: unknown = JSON.parse(JSON.stringify(placed.messages[placed.summaryIndex]));
        expect(format.summaryText(reread)).toBe(summary);
      }
      expect(format.summaryText({ role: "user", content: summary })).toBe(summary);
      expect(format.summaryText({ role: "user", content: [{ type: "text", text: summary }] })).toBe(summary);
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
