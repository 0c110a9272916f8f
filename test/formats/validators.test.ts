import { describe, expect, it } from "vitest";
import { validateAnthropic } from "../../src/providers/anthropic/messages.ts";
import { validateChat } from "../../src/providers/openai-chat/messages.ts";
import { validateResponses } from "../../src/providers/openai-responses/items.ts";

const user = { role: "user", content: "hello" };
const toolCall = (id: string) => ({ id, type: "function", function: { name: "run", arguments: "{}" } });
const chatStep = (...ids: string[]) => ({ role: "assistant", content: null, tool_calls: ids.map(toolCall) });
const toolMessage = (id: string, content: unknown = "ok") => ({ role: "tool", tool_call_id: id, content });

describe("the OpenAI chat validator", () => {
  it.each<[string, string, readonly unknown[]]>([
    ["no message", "empty-list", []],
    ["a role it does not know", "unknown-role", [{ role: "narrator", content: "x" }]],
    ["something that is no message", "unknown-role", [user, null]],
    ["a message without content", "missing-content", [{ role: "user" }]],
    ["an assistant without content and calls", "missing-content", [user, { role: "assistant", content: null }]],
    ["an empty content array", "empty-content", [{ role: "user", content: [] }]],
    ["content that is a number", "bad-content", [{ role: "user", content: 4 }]],
    ["a text part without text", "bad-content", [{ role: "user", content: [{ type: "text" }] }]],
    ["an empty list of calls", "empty-tool-calls", [user, { role: "assistant", content: "x", tool_calls: [] }]],
    ["a call without a name", "bad-call", [user, { role: "assistant", tool_calls: [{ id: "a", function: {} }] }]],
    ["two calls of one id in a message", "duplicate-call", [user, chatStep("a", "a"), toolMessage("a")]],
    ["a call without a result", "unanswered-call", [user, chatStep("a", "b"), toolMessage("a"), user]],
    ["a call without a result at the end", "unanswered-call", [user, chatStep("a")]],
    ["a result without a call", "orphan-result", [user, toolMessage("a")]],
    ["a result at the very start", "orphan-result", [toolMessage("a"), user]],
    ["a result before its call", "orphan-result", [user, toolMessage("a"), chatStep("a"), toolMessage("a")]],
    ["a result after another message", "orphan-result", [user, chatStep("a"), user, toolMessage("a")]],
    ["a second result", "duplicate-result", [user, chatStep("a"), toolMessage("a"), toolMessage("a")]],
    ["a tool message without content", "missing-content", [user, chatStep("a"), toolMessage("a", null)]],
    ["half a surrogate pair", "invalid-text", [{ role: "user", content: "cut \ud83d" }]],
    [
      "half a surrogate pair deep inside",
      "invalid-text",
      [user, chatStep("a"), toolMessage("a", [{ type: "text", text: "\udc00" }])],
    ],
  ])("refuses %s", (_, rule, messages) => {
    expect(validateChat(messages).map((violation) => violation.rule)).toContain(rule);
  });

  it.each<[string, readonly unknown[]]>([
    ["ids that repeat from step to step", [user, chatStep("a"), toolMessage("a"), chatStep("a"), toolMessage("a")]],
    ["results in any order", [user, chatStep("a", "b"), toolMessage("b"), toolMessage("a")]],
    [
      "nulls where the provider writes them",
      [user, { role: "assistant", content: "x", tool_calls: null, refusal: null }],
    ],
    ["an empty text", [user, chatStep("a"), toolMessage("a", "")]],
    ["fields nobody knows", [{ role: "developer", content: "x", x_vendor: {} }, user]],
    [
      "the oldest kind of calls",
      [
        user,
        { role: "assistant", content: null, function_call: { name: "f", arguments: "" } },
        { role: "function", name: "f", content: "x" },
      ],
    ],
  ])("takes %s", (_, messages) => {
    expect(validateChat(messages)).toEqual([]);
  });

  it("takes calls in flight at the end when told so, and only there", () => {
    const open = [user, chatStep("a", "b"), toolMessage("b")];
    expect(validateChat(open, { allowOpenTail: true })).toEqual([]);
    expect(validateChat([...open, user], { allowOpenTail: true })).not.toEqual([]);
  });
});

const message = (role: string, text: string) => ({ type: "message", role, content: [{ type: "input_text", text }] });
const callItem = (id: string) => ({ type: "function_call", call_id: id, name: "run", arguments: "{}" });
const outputItem = (id: string, output: unknown = "ok") => ({ type: "function_call_output", call_id: id, output });
const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "x" };

describe("the OpenAI Responses validator", () => {
  it.each<[string, string, readonly unknown[]]>([
    ["no item", "empty-list", []],
    ["something that is no item", "unknown-item", [7]],
    ["a message of a role it does not know", "unknown-role", [{ type: "message", role: "tool", content: "x" }]],
    ["a message without content", "missing-content", [{ type: "message", role: "user" }]],
    ["an empty message", "empty-content", [{ type: "message", role: "user", content: [] }]],
    ["a text part without text", "bad-content", [{ role: "user", content: [{ type: "input_text" }] }]],
    ["a call without arguments", "bad-call", [{ type: "function_call", call_id: "a", name: "x" }]],
    ["a call without an output", "unanswered-call", [message("user", "x"), callItem("a"), message("user", "y")]],
    ["an output without a call", "orphan-result", [message("user", "x"), message("assistant", "y"), outputItem("a")]],
    ["an output before its call", "orphan-result", [outputItem("a"), callItem("a")]],
    ["a second output", "duplicate-result", [callItem("a"), outputItem("a"), outputItem("a")]],
    ["two open calls of one id", "duplicate-call", [callItem("a"), callItem("a"), outputItem("a"), outputItem("a")]],
    ["an output that is a number", "missing-content", [callItem("a"), outputItem("a", 3)]],
    ["reasoning before a user's message", "orphan-reasoning", [reasoning, message("user", "x")]],
    ["reasoning before an output", "orphan-reasoning", [callItem("a"), reasoning, outputItem("a")]],
    ["reasoning at the end", "orphan-reasoning", [message("user", "x"), reasoning]],
    ["reasoning without a summary", "bad-reasoning", [{ type: "reasoning" }, message("assistant", "x")]],
    ["half a surrogate pair", "invalid-text", [message("user", "\ud83d")]],
  ])("refuses %s", (_, rule, items) => {
    expect(validateResponses(items).map((violation) => violation.rule)).toContain(rule);
  });

  it.each<[string, readonly unknown[]]>([
    ["parallel calls and outputs in any order", [callItem("a"), callItem("b"), outputItem("b"), outputItem("a")]],
    ["several reasoning items in a row", [reasoning, reasoning, message("assistant", "x")]],
    [
      "items nobody knows yet",
      [
        { type: "x_future", payload: 1 },
        { type: "compaction", encrypted_content: "x" },
      ],
    ],
    [
      "calls that the server ran itself",
      [
        { type: "web_search_call", id: "ws_1" },
        { type: "mcp_call", id: "mcp_1" },
      ],
    ],
    ["messages without a type", [{ role: "user", content: "x" }]],
  ])("takes %s", (_, items) => {
    expect(validateResponses(items)).toEqual([]);
  });

  it("takes calls in flight when told so, until the user speaks", () => {
    const open = [message("user", "x"), callItem("a"), callItem("b"), outputItem("b")];
    expect(validateResponses(open, { allowOpenTail: true })).toEqual([]);
    expect(validateResponses([...open, message("user", "y")], { allowOpenTail: true })).not.toEqual([]);
  });
});

const use = (id: string) => ({ type: "tool_use", id, name: "run", input: {} });
const result = (id: string, content: unknown = "ok") => ({ type: "tool_result", tool_use_id: id, content });
const text = (value: string) => ({ type: "text", text: value });
const thinking = { type: "thinking", thinking: "hm", signature: "s==" };
const assistant = (...content: unknown[]) => ({ role: "assistant", content });
const SYSTEM = { role: "system", content: "Be brief." };
const says = (...content: unknown[]) => ({ role: "user", content });

describe("the Anthropic validator", () => {
  it.each<[string, string, readonly unknown[]]>([
    ["no message", "empty-list", []],
    ["a system message in front", "misplaced-system", [{ role: "system", content: "x" }, says(text("x"))]],
    ["two system messages in a row", "misplaced-system", [says(text("x")), SYSTEM, SYSTEM]],
    ["a system message before a user's", "misplaced-system", [says(text("x")), SYSTEM, says(text("x"))]],
    ["an empty system message", "empty-content", [says(text("x")), { role: "system", content: "" }]],
    ["an assistant opening", "assistant-first", [assistant(text("x")), user]],
    ["empty content", "empty-content", [{ role: "user", content: "" }]],
    ["blank content", "empty-content", [{ role: "user", content: " \n" }]],
    ["an empty list of blocks", "empty-content", [says(), assistant(text("x"))]],
    ["missing content", "missing-content", [{ role: "user" }]],
    ["an empty text block", "empty-text", [says(text("x"), text(""))]],
    ["a call without its result", "unanswered-call", [user, assistant(use("a"), use("b")), says(result("a"))]],
    [
      "results spread over two messages",
      "unanswered-call",
      [user, assistant(use("a"), use("b")), says(result("a")), says(result("b"))],
    ],
    ["a result without its call", "orphan-result", [says(result("a"))]],
    [
      "a result two messages later",
      "orphan-result",
      [user, assistant(use("a")), says(result("a")), assistant(text("x")), says(result("a"))],
    ],
    ["a result after text", "result-not-first", [user, assistant(use("a")), says(text("x"), result("a"))]],
    ["a second result", "duplicate-result", [user, assistant(use("a")), says(result("a"), result("a"))]],
    [
      "an id used twice",
      "duplicate-call",
      [user, assistant(use("a")), says(result("a")), assistant(use("a")), says(result("a"))],
    ],
    ["a call in a user message", "bad-call", [says(use("a"))]],
    ["a call whose input is text", "bad-call", [user, assistant({ ...use("a"), input: "{}" }), says(result("a"))]],
    ["a result in an assistant message", "orphan-result", [user, assistant(result("a"))]],
    ["an empty text inside a result", "bad-content", [user, assistant(use("a")), says(result("a", [text("")]))]],
    ["thinking without a signature", "bad-thinking", [user, assistant({ type: "thinking", thinking: "x" }, text("y"))]],
    ["thinking after text", "thinking-not-first", [user, assistant(text("x"), thinking)]],
    ["white space at the very end", "trailing-space", [user, assistant(text("x "))]],
    ["half a surrogate pair", "invalid-text", [says(text("\ud83d"))]],
  ])("refuses %s", (_, rule, messages) => {
    expect(validateAnthropic(messages).map((violation) => violation.rule)).toContain(rule);
  });

  it.each<[string, readonly unknown[]]>([
    ["results with text after them", [user, assistant(use("a"), use("b")), says(result("b"), result("a"), text("x"))]],
    ["a system message before an answer", [says(text("x")), SYSTEM, assistant(text("x"))]],
    ["a system message at the end", [says(text("x")), SYSTEM]],
    ["a system message that sets and says nothing", [says(text("x")), { role: "system", output_config: {} }]],
    ["the same with no blocks", [says(text("x")), { role: "system", content: [], output_config: {} }]],
    ["two user messages in a row", [user, user, assistant(text("x"))]],
    ["a compaction block as the opening", [assistant({ type: "compaction", content: "x" }), user]],
    ["an empty last assistant message", [user, assistant()]],
    [
      "a result without content",
      [user, assistant(thinking, use("a")), says({ type: "tool_result", tool_use_id: "a" })],
    ],
    ["blocks nobody knows", [user, assistant({ type: "x_future" }, { type: "constructor" }), user]],
  ])("takes %s", (_, messages) => {
    expect(validateAnthropic(messages)).toEqual([]);
  });

  it("takes calls in flight at the end when told so, until the user says something", () => {
    const open = [user, assistant(use("a"), use("b"))];
    expect(validateAnthropic(open, { allowOpenTail: true })).toEqual([]);
    expect(validateAnthropic([...open, says(result("b"))], { allowOpenTail: true })).toEqual([]);
    expect(validateAnthropic([...open, says(result("b"), text("x"))], { allowOpenTail: true })).not.toEqual([]);
    expect(validateAnthropic([...open, user], { allowOpenTail: true })).not.toEqual([]);
  });
});
