import { describe, expect, it } from "vitest";
import { anthropicFormat } from "../../src/providers/anthropic/anthropic-format.ts";
import type { Format } from "../../src/providers/format.ts";
import { isHostWritten, isMarkedProtected, markProtected } from "../../src/providers/message-marks.ts";
import { openaiChatFormat } from "../../src/providers/openai-chat/openai-chat-format.ts";
import { openaiResponsesFormat } from "../../src/providers/openai-responses/openai-responses-format.ts";
import { verifies } from "../requirements/verifies.ts";

const user = { role: "user", content: "hello" };
const toolCall = (id: string) => ({ id, type: "function", function: { name: "run", arguments: "{}" } });
const chatStep = (...ids: string[]) => ({ role: "assistant", content: "", tool_calls: ids.map(toolCall) });
const tool = (id: string, content = "ok") => ({ role: "tool", tool_call_id: id, content });
const kinds = (format: Format, messages: readonly unknown[]) => format.heal(messages).repairs.map(({ kind }) => kind);

describe("healing OpenAI chat", () => {
  it("mends a list that starts with an orphan, holds a dead call and a repeated result", () => {
    verifies("field/history-damaged-on-arrival", "rulings/damaged-input", "field/dead-call-blocks-compaction");
    const messages = [tool("gone", "found it"), user, chatStep("a"), user, chatStep("b"), tool("b"), tool("b"), user];
    const healed = openaiChatFormat.heal(messages);
    expect(openaiChatFormat.validate(healed.messages)).toEqual([]);
    expect(healed.repairs.map(({ index, kind }) => [index, kind])).toEqual([
      [0, "orphan_result"],
      [2, "dead_call"],
      [6, "duplicate_result"],
    ]);
    expect(JSON.stringify(healed.messages[0])).toContain("found it");
    expect(isHostWritten(healed.messages[0])).toBe(true);
    expect(healed.messages[3]).toEqual({
      role: "tool",
      tool_call_id: "a",
      content: "No result was recorded for this call.",
    });
    expect(healed.messages).toContain(messages[2]);
  });

  it("keeps a second, different result as a note", () => {
    const healed = openaiChatFormat.heal([user, chatStep("a"), tool("a", "one"), tool("a", "two"), user]);
    expect(healed.messages[2]).toEqual(tool("a", "one"));
    expect(JSON.stringify(healed.messages[3])).toContain("two");
  });

  it("moves a result to its call", () => {
    const messages = [user, chatStep("a"), user, tool("a")];
    const healed = openaiChatFormat.heal(messages);
    expect(healed.messages).toEqual([messages[0], messages[1], messages[3], messages[2]]);
    expect(kinds(openaiChatFormat, messages)).toEqual(["displaced_result"]);
  });

  it("leaves calls in flight alone, and takes their results later", () => {
    verifies("field/compaction-between-call-and-result");
    const open = [user, chatStep("a", "b"), tool("a")];
    expect(openaiChatFormat.heal(open).messages).toBe(open);
    const later = [...open, tool("b")];
    expect(openaiChatFormat.heal(later).messages).toBe(later);
  });

  it("puts a note before an open step, never inside", () => {
    const healed = openaiChatFormat.heal([user, chatStep("a", "b"), tool("gone"), tool("a")]);
    expect(openaiChatFormat.validate(healed.messages, { allowOpenTail: true })).toEqual([]);
    expect(healed.messages.at(-1)).toEqual(tool("a"));
  });

  it("drops empty messages, mends half surrogate pairs on a copy, carries marks over", () => {
    const broken = markProtected({ role: "user", content: "cut \ud83d" });
    const healed = openaiChatFormat.heal([broken, { role: "user", content: null }, user]);
    expect(healed.messages).toEqual([{ role: "user", content: "cut \ufffd" }, user]);
    expect(healed.messages[1]).toBe(user);
    expect(broken.content).toBe("cut \ud83d");
    expect(isMarkedProtected(healed.messages[0])).toBe(true);
  });

  it("gives calls of other servers the provider's shape, and their results the ids that they lack", () => {
    const bare = { function: { name: "look", arguments: { at: 1 } } };
    const flat = { id: "f", name: "weigh", arguments: {} };
    const list = [
      user,
      { role: "assistant", content: "", tool_calls: [bare, flat] },
      { role: "tool", content: "42 kg", id: "f" },
      { role: "tool", content: "a tree", tool_name: "look" },
      { role: "assistant", content: "", tool_calls: [{ ...bare, id: "own" }, bare] },
      { role: "tool", content: "first" },
      { role: "tool", content: "second" },
      user,
    ];
    const { messages, repairs } = openaiChatFormat.heal(list);
    expect(openaiChatFormat.validate(messages)).toEqual([]);
    expect(messages).toHaveLength(list.length);
    const asText = (id: string, name: string, given: string) => ({
      id,
      type: "function",
      function: { name, arguments: given },
    });
    expect(messages[1]).toMatchObject({
      tool_calls: [asText("call_2_1", "look", '{"at":1}'), asText("f", "weigh", "{}")],
    });
    expect(messages[2]).toMatchObject({ tool_call_id: "f", content: "42 kg" });
    expect(messages[3]).toMatchObject({ tool_call_id: "call_2_1", content: "a tree" });
    expect(messages[5]).toMatchObject({ tool_call_id: "own", content: "first" });
    expect(messages[6]).toMatchObject({ tool_call_id: "call_5_2", content: "second" });
    expect(repairs.map(({ index, kind }) => `${index} ${kind}`)).toEqual(
      [1, 2, 3, 4, 5, 6].map((index) => `${index} invalid_message`),
    );
    expect(openaiChatFormat.heal(messages).repairs).toEqual([]);
  });

  it("gives two calls of one id in a message an id each", () => {
    const healed = openaiChatFormat.heal([user, chatStep("a", "a"), tool("a", "one"), tool("a", "two"), user]);
    expect(openaiChatFormat.validate(healed.messages)).toEqual([]);
    expect(JSON.stringify(healed.messages)).toMatch(/one.*two/);
  });
});

const said = (role: string, text: string) => ({ type: "message", role, content: [{ type: "input_text", text }] });
const call = (id: string) => ({ type: "function_call", call_id: id, name: "run", arguments: "{}" });
const output = (id: string, text = "ok") => ({ type: "function_call_output", call_id: id, output: text });
const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "x" };

describe("healing OpenAI Responses", () => {
  it("answers a dead call after its step, keeps an orphan as a note", () => {
    const items = [said("user", "x"), call("a"), call("b"), output("b"), output("gone", "kept"), said("user", "y")];
    const healed = openaiResponsesFormat.heal(items);
    expect(openaiResponsesFormat.validate(healed.messages)).toEqual([]);
    expect(healed.messages.map((item) => (item as { type: string }).type)).toEqual([
      "message",
      "function_call",
      "function_call",
      "function_call_output",
      "function_call_output",
      "message",
      "message",
    ]);
    expect(JSON.stringify(healed.messages[5])).toContain("kept");
  });

  it("leaves a call alone until a user speaks after it", () => {
    const open = [said("user", "x"), call("a"), call("b"), output("b")];
    expect(openaiResponsesFormat.heal(open).messages).toBe(open);
    expect(kinds(openaiResponsesFormat, [...open, said("user", "y")])).toEqual(["dead_call"]);
  });

  it.each<[string, readonly unknown[], number]>([
    ["a message", [said("assistant", "all done")], 1],
    ["reasoning and another call", [reasoning, call("c"), output("c")], 1],
    ["a call in flight itself", [call("c")], 1],
    ["an output alone", [output("a2")], 0],
  ])("a call is dead once the model went on after an output behind it: %s", (_, after, dead) => {
    verifies("field/dead-call-blocks-compaction", "rulings/damaged-input");
    const items = [said("user", "go"), call("a"), call("a2"), call("b"), output("b"), ...after];
    const expected = dead === 0 ? [] : ["dead_call", "dead_call"];
    expect(kinds(openaiResponsesFormat, items)).toEqual(expected);
    const open = openaiResponsesFormat.validate(items, { allowOpenTail: true });
    expect(open.map(({ index, rule }) => [index, rule])).toEqual(
      expected.map((_kind, at) => [at + 1, "unanswered-call"]),
    );
    const healed = openaiResponsesFormat.heal(items);
    expect(openaiResponsesFormat.validate(healed.messages, { allowOpenTail: true })).toEqual([]);
    expect(openaiResponsesFormat.heal(healed.messages).repairs).toEqual([]);
  });

  it("does not take what a server tool gave back for the end of an answer", () => {
    const search = { type: "tool_search_call", call_id: null, arguments: {} };
    const items = [said("user", "go"), call("a"), search, { type: "tool_search_output", tools: [] }, call("b")];
    expect(openaiResponsesFormat.heal(items).messages).toBe(items);
    expect(openaiResponsesFormat.validate(items, { allowOpenTail: true })).toEqual([]);
  });

  it.each([
    { type: "tool_search_output", id: "tso_1", call_id: null, execution: "server", tools: [] },
    { type: "program_output", id: "po_1", call_id: "p", status: "completed", result: "42" },
  ])("leaves what the provider's own tool gave back, whatever ids it has: $type", (output) => {
    const program = { type: "program", id: "prog_1", call_id: "p", code: "run()" };
    const items = [said("user", "go"), program, call("a"), output, said("assistant", "done")];
    const whole = [
      ...items.slice(0, 3),
      { type: "function_call_output", call_id: "a", output: "x" },
      ...items.slice(3),
    ];
    expect(openaiResponsesFormat.heal(whole).messages).toBe(whole);
    expect(openaiResponsesFormat.validate(whole)).toEqual([]);
  });

  it("drops reasoning whose item is gone", () => {
    expect(openaiResponsesFormat.heal([reasoning, said("user", "x")]).messages).toEqual([said("user", "x")]);
    expect(kinds(openaiResponsesFormat, [said("user", "x"), reasoning, output("gone")])).toEqual([
      "orphan_result",
      "orphan_reasoning",
    ]);
  });

  it("keeps a call whose output nobody can make up as a note", () => {
    const computer = { type: "computer_call", call_id: "c", action: { type: "click" } };
    const healed = openaiResponsesFormat.heal([said("user", "x"), computer, said("user", "y")]);
    expect(openaiResponsesFormat.validate(healed.messages)).toEqual([]);
    expect(JSON.stringify(healed.messages[1])).toContain("computer_call");
  });
});

const use = (id: string) => ({ type: "tool_use", id, name: "run", input: {} });
const result = (id: string, content = "ok") => ({ type: "tool_result", tool_use_id: id, content });
const text = (value: string) => ({ type: "text", text: value });
const assistant = (...content: unknown[]) => ({ role: "assistant", content });
const says = (...content: unknown[]) => ({ role: "user", content });

describe("healing Anthropic messages", () => {
  it("takes a last step with a result too many for one that has ended: its note closes what still waited", () => {
    const healed = anthropicFormat.heal([user, assistant(use("a"), use("b")), says(result("a"), result("a"))]);
    expect(anthropicFormat.validate(healed.messages, { allowOpenTail: true })).toEqual([]);
    expect(healed.repairs.map(({ kind }) => kind).sort()).toEqual(["dead_call", "duplicate_result"]);
  });

  it.each([[undefined], [""], [" "], [[]], [[text("")]]])("gives an error that says nothing a text: %j", (content) => {
    verifies("fault/provider-terms-unmet");
    const silent = {
      type: "tool_result",
      tool_use_id: "a",
      is_error: true,
      ...(content === undefined ? {} : { content }),
    };
    const messages = [user, assistant(use("a")), says(silent), assistant(text("hm")), user];
    expect(anthropicFormat.validate(messages)).not.toEqual([]);
    const healed = anthropicFormat.heal(messages);
    expect(anthropicFormat.validate(healed.messages)).toEqual([]);
    expect(healed.messages[2]).toEqual(says({ ...silent, content: "The tool failed without a message." }));
    // A tool that worked may say nothing.
    const worked = [user, assistant(use("a")), says({ ...silent, is_error: false, content: "" }), user];
    expect(anthropicFormat.heal(worked).messages).toBe(worked);
  });

  it("brings scattered results into the one message after their calls, before its text", () => {
    const messages = [
      user,
      assistant(use("a"), use("b")),
      says(text("also the logs"), result("b")),
      assistant(text("hm")),
      says(result("a")),
    ];
    const healed = anthropicFormat.heal(messages);
    expect(anthropicFormat.validate(healed.messages)).toEqual([]);
    expect(healed.messages[2]).toEqual(says(result("b"), result("a"), text("also the logs")));
    expect(healed.messages).toHaveLength(4);
  });

  it("puts in a message for results where none follows the call", () => {
    const healed = anthropicFormat.heal([user, assistant(use("a")), assistant(text("next")), user]);
    expect(healed.messages[2]).toEqual(says(result("a", "No result was recorded for this call.")));
    expect(anthropicFormat.validate(healed.messages)).toEqual([]);
  });

  it("keeps orphans as text where they stand", () => {
    const healed = anthropicFormat.heal([says(result("gone", "the log")), assistant(text("x")), user]);
    expect(anthropicFormat.validate(healed.messages)).toEqual([]);
    expect(JSON.stringify(healed.messages[0])).toContain("the log");
  });

  it("never changes signed thinking", () => {
    verifies("field/thinking-blocks-altered");
    const thinking = { type: "thinking", thinking: "api_key=demo-123", signature: "S==" };
    const messages = [user, assistant(text(""), thinking, use("a")), user];
    const healed = anthropicFormat.heal(messages);
    expect((healed.messages[1] as { content: unknown[] }).content[0]).toBe(thinking);
    expect(anthropicFormat.validate(healed.messages)).toEqual([]);
  });

  it("opens with a user's message and ends without white space", () => {
    const healed = anthropicFormat.heal([assistant(text("x ")), user, assistant(text("y \n"))]);
    expect(anthropicFormat.isFiller(healed.messages[0])).toBe(true);
    expect(healed.messages.at(-1)).toEqual(assistant(text("y")));
  });

  it("leaves a system message where the provider takes it, and keeps any other as a note", () => {
    const system = { role: "system", content: "Be brief." };
    const step = [assistant(use("a")), says(result("a")), system];
    expect(anthropicFormat.heal([user, system, ...step]).repairs).toEqual([]);
    for (const messages of [
      [system, user],
      [user, system, system],
      [user, assistant(use("a")), system, says(result("a"))],
    ]) {
      const healed = anthropicFormat.heal(messages);
      expect(anthropicFormat.validate(healed.messages)).toEqual([]);
      expect(JSON.stringify(healed.messages)).toContain("Be brief.");
    }
    const emptied = anthropicFormat.heal([user, assistant(text("x")), says(text("")), system, assistant(text("y"))]);
    expect(anthropicFormat.validate(emptied.messages)).toEqual([]);
    expect(emptied.messages).toContain(system);
  });

  it("makes repeated ids unique, results with them", () => {
    const pair = [assistant(use("a")), says(result("a"))];
    const healed = anthropicFormat.heal([user, ...pair, ...structuredClone(pair)]);
    expect(anthropicFormat.validate(healed.messages)).toEqual([]);
    expect(healed.messages.slice(0, 3)).toEqual([user, ...pair]);
    expect(healed.repairs.map(({ kind }) => kind)).toEqual(["duplicate_call"]);
  });
});
