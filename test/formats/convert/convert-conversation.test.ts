// What becomes of each thing that not every provider can say.
import { describe, expect, it } from "vitest";
import { anthropicFormat } from "../../../src/providers/anthropic/anthropic-format.ts";
import {
  type Conversation,
  convertConversation,
  type ProviderFormat,
} from "../../../src/providers/conversion/convert-conversation.ts";
import {
  isHostWritten,
  isProtectedMessage,
  markHostWritten,
  markProtected,
} from "../../../src/providers/message-marks.ts";
import { openaiChatFormat } from "../../../src/providers/openai-chat/openai-chat-format.ts";
import { openaiResponsesFormat } from "../../../src/providers/openai-responses/openai-responses-format.ts";
import { verifies } from "../../requirements/verifies.ts";
import { TINY_PNG } from "../histories.ts";

const PNG_URL = `data:image/png;base64,${TINY_PNG}`;
const PNG_SOURCE = { type: "base64", media_type: "image/png", data: TINY_PNG };
const formats = [openaiChatFormat, openaiResponsesFormat, anthropicFormat];
const user = { role: "user", content: "Look." };

/** Converts, and makes sure that the provider takes the list. */
function convert(format: ProviderFormat, messages: readonly unknown[], to: ProviderFormat, beside = {}) {
  const conversation: Conversation = { format, messages, ...beside };
  const converted = convertConversation(conversation, to);
  const target = formats.find(({ name }) => name === to);
  expect(target?.validate(converted.messages, { allowOpenTail: true })).toEqual([]);
  return converted;
}

function told({ notes }: { readonly notes: readonly { readonly message: string }[] }): string {
  return notes.map(({ message }) => message).join("\n");
}

function chatCall(id: string, name = "read", given = "{}") {
  const call = { id, type: "function", function: { name, arguments: given } };
  return { role: "assistant", content: null, tool_calls: [call] };
}

function chatResult(id: string, content: unknown = "done") {
  return { role: "tool", tool_call_id: id, content };
}

function toolUse(id: string, input: unknown = {}) {
  return { type: "tool_use", id, name: "read", input };
}

describe("a conversation that is converted to its own format", () => {
  it("keeps its list", () => {
    const messages = [user];
    const converted = convertConversation({ format: "anthropic", messages, system: "s" }, "anthropic");
    expect(converted).toEqual({ format: "anthropic", messages, system: "s", notes: [] });
    expect(converted.messages).toBe(messages);
  });
});

describe("tools in a namespace", () => {
  const call = (id: string, namespace: string) => ({
    type: "function_call",
    call_id: id,
    name: "search",
    namespace,
    arguments: "{}",
  });
  const output = (id: string) => ({ type: "function_call_output", call_id: id, output: "x" });
  const group = (name: string) => ({
    type: "namespace",
    name,
    tools: [{ type: "function", name: "search", parameters: {} }],
  });
  const loaded = { type: "additional_tools", role: "developer", tools: [group("mcp__docs")] };
  const items = [
    { role: "user", content: "Look." },
    loaded,
    call("a", "mcp__docs"),
    output("a"),
    call("b", "mcp__code"),
    output("b"),
    call("c", "functions"),
    output("c"),
  ];

  it.each(["anthropic", "openai-chat"] as const)("keep apart what two servers call by one name, in %s", (to) => {
    verifies("fault/fields-between-servers");
    const { messages, tools, notes } = convert("openai-responses", items, to, {
      tools: [group("mcp__code"), group("functions")],
    });
    const called = JSON.stringify(messages).match(/"name":"[^"]+"/g);
    expect(called).toEqual(['"name":"mcp__docs__search"', '"name":"mcp__code__search"', '"name":"search"']);
    expect(
      JSON.stringify(tools)
        .match(/"name":"[^"]+"/g)
        ?.sort(),
    ).toEqual([...(called ?? [])].sort());
    expect(notes).toEqual([]);
  });

  it("are schema, not the assistant's words", () => {
    const view = openaiResponsesFormat.view(loaded);
    expect(view.role).toBe("developer");
    expect(openaiResponsesFormat.view(call("a", "mcp__docs")).parts).toMatchObject([{ name: "mcp__docs__search" }]);
  });
});

describe("system messages", () => {
  const opening = [
    { role: "system", content: "Be brief." },
    { role: "developer", content: "Never push." },
  ];

  it("that come first are Anthropic's system", () => {
    const one = convert("openai-chat", [...opening.slice(0, 1), user], "anthropic");
    expect(one.system).toBe("Be brief.");
    const { system, messages } = convert("openai-chat", [...opening, user], "anthropic");
    expect(system).toEqual([
      { type: "text", text: "Be brief." },
      { type: "text", text: "Never push." },
    ]);
    expect(messages).toEqual([user]);
  });

  it("that come later are the host's labelled words, and told", () => {
    const converted = convert("openai-chat", [user, { role: "system", content: "Stop soon." }], "anthropic");
    expect(converted.messages[1]).toMatchObject({
      role: "user",
      content: expect.stringMatching(/^\[Note: .*\nStop soon/),
    });
    expect(isHostWritten(converted.messages[1])).toBe(true);
    expect(told(converted)).toMatch(/1 later system message/);
  });

  it("that are all there is still leave a list that is not empty", () => {
    const { system, messages } = convert("openai-chat", opening, "anthropic");
    expect(system).toBe("Be brief.");
    expect(messages).toMatchObject([{ role: "user", content: expect.stringContaining("Never push.") }]);
  });

  it("come as they were among OpenAI's formats, and instructions are the first of them", () => {
    const there = convert("openai-chat", [...opening, user], "openai-responses");
    expect(there.messages.slice(0, 2)).toEqual(opening.map((message) => ({ type: "message", ...message })));
    const back = convert("openai-responses", [user], "openai-chat", { system: "Be brief." });
    expect(back.messages).toEqual([opening[0], user]);
    const blocks = [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ];
    expect(convert("anthropic", [user], "openai-responses", { system: blocks }).system).toBe("a\n\nb");
  });
});

describe("calls", () => {
  it("of one step stay parallel, with their results directly after them", () => {
    const items = [
      { role: "user", content: "Go." },
      { type: "function_call", call_id: "a", name: "read", arguments: '{"n":1}' },
      { type: "function_call", call_id: "b", name: "read", arguments: '{"n":2}' },
      { role: "user", content: "And hurry." },
      { type: "function_call_output", call_id: "b", output: "two" },
      { type: "function_call_output", call_id: "a", output: "one" },
    ];
    const { messages } = convert("openai-responses", items, "anthropic");
    expect(messages).toMatchObject([
      { content: "Go." },
      { content: [{ id: "a", input: { n: 1 } }, { id: "b" }] },
      {
        content: [
          { tool_use_id: "b", content: "two" },
          { tool_use_id: "a", content: "one" },
        ],
      },
      { content: "And hurry." },
    ]);
  });

  it("that repeat an id get one of their own where ids may not repeat", () => {
    const list = [user, chatCall("call_0"), chatResult("call_0", "1"), chatCall("call_0"), chatResult("call_0", "2")];
    const converted = convert("openai-chat", list, "anthropic");
    expect(converted.messages).toMatchObject([
      {},
      { content: [{ id: "call_0" }] },
      { content: [{ tool_use_id: "call_0", content: "1" }] },
      { content: [{ id: "call_0_2" }] },
      { content: [{ tool_use_id: "call_0_2", content: "2" }] },
    ]);
    expect(told(converted)).toMatch(/1 call id changed/);
  });

  it("keep legal ids, and get legal ones for the others, never twice the same", () => {
    const list = [user, ...["a.b", "a b", "a_b"].flatMap((id) => [chatCall(id), chatResult(id)])];
    const { messages } = convert("openai-chat", list, "anthropic");
    const ids = messages.flatMap((message) =>
      anthropicFormat.view(message).parts.map((part) => (part.kind === "call" ? part.callId : "")),
    );
    const calls = ids.filter((id) => id !== "");
    expect(calls[2]).toBe("a_b");
    expect(new Set(calls).size).toBe(3);
    for (const id of calls) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
  });

  it("of another provider get ids that chat takes: 40 characters, told apart", () => {
    const long = "toolu_".padEnd(60, "x");
    const list = [
      user,
      { role: "assistant", content: [toolUse(`${long}1`), toolUse(`${long}2`)] },
      {
        role: "user",
        content: [1, 2].map((n) => ({ type: "tool_result", tool_use_id: `${long}${n}`, content: String(n) })),
      },
    ];
    const { messages } = convert("anthropic", list, "openai-chat");
    const [, step, first, second] = messages as {
      tool_calls: { id: string }[];
      tool_call_id: string;
      content: string;
    }[];
    const ids = step?.tool_calls.map(({ id }) => id);
    expect([first?.tool_call_id, second?.tool_call_id]).toEqual(ids);
    expect([first?.content, second?.content]).toEqual(["1", "2"]);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids ?? []) expect(id.length).toBeLessThanOrEqual(40);
  });

  it("of the oldest kind are calls like others, and one without an answer gets one", () => {
    const legacy = { role: "assistant", content: null, function_call: { name: "add", arguments: '{"a":1}' } };
    const list = [user, legacy, { role: "function", name: "add", content: "2" }, legacy, user];
    const { messages } = convert("openai-chat", list, "openai-responses");
    expect(messages).toMatchObject([
      {},
      { type: "function_call", name: "add", arguments: '{"a":1}' },
      { type: "function_call_output", output: "2" },
      { type: "function_call" },
      { type: "function_call_output", output: expect.stringMatching(/No result/) },
      {},
    ]);
  });

  it("with free text stay so among OpenAI's formats, and have one field at Anthropic's", () => {
    const call = { id: "c", type: "custom", custom: { name: "patch", input: "*** Begin" } };
    const list = [user, { role: "assistant", content: null, tool_calls: [call] }, chatResult("c")];
    const { messages: items } = convert("openai-chat", list, "openai-responses");
    expect(items.slice(1)).toEqual([
      { type: "custom_tool_call", call_id: "c", name: "patch", input: "*** Begin" },
      { type: "custom_tool_call_output", call_id: "c", output: "done" },
    ]);
    expect(convert("openai-responses", items, "openai-chat").messages).toEqual(list);
    const anthropic = convert("openai-chat", list, "anthropic");
    expect(anthropic.messages[1]).toMatchObject({ content: [{ input: { input: "*** Begin" } }] });
  });

  it("whose arguments are cut off keep them as text", () => {
    const converted = convert("openai-chat", [user, chatCall("c", "read", '{"path":"a'), chatResult("c")], "anthropic");
    expect(converted.messages[1]).toMatchObject({ content: [{ input: { arguments: '{"path":"a' } }] });
    expect(told(converted)).toMatch(/arguments of 1 call/);
  });

  it("of tools with illegal names get legal ones, here and in the definitions", () => {
    const tools = [{ type: "function", function: { name: "fs.read", parameters: { type: "object" } } }];
    const list = [user, chatCall("c", "fs.read"), chatResult("c")];
    const converted = convert("openai-chat", list, "anthropic", { tools });
    expect(converted.messages[1]).toMatchObject({ content: [{ name: "fs_read" }] });
    expect(converted.tools).toMatchObject([{ name: "fs_read" }]);
  });

  it("of the local shell are calls of a tool of that name", () => {
    const action = { type: "exec", command: ["ls"] };
    const items = [
      user,
      { type: "local_shell_call", id: "l", call_id: "s", action, status: "completed" },
      { type: "local_shell_call_output", id: "s", output: "a.ts" },
    ];
    expect(convert("openai-responses", items, "anthropic").messages.slice(1)).toMatchObject([
      { content: [{ type: "tool_use", name: "local_shell_call", input: action }] },
      { content: [{ type: "tool_result", content: "a.ts" }] },
    ]);
  });
});

describe("results", () => {
  const step = { role: "assistant", content: [toolUse("t1"), toolUse("t2")] };
  const shot = { type: "tool_result", tool_use_id: "t1", content: [{ type: "image", source: PNG_SOURCE }] };
  const failed = { type: "tool_result", tool_use_id: "t2", content: "status 3", is_error: true };

  it("give their images to a user message after the step where tools give text alone", () => {
    const converted = convert(
      "anthropic",
      [user, step, { role: "user", content: [shot, failed] }, user],
      "openai-chat",
    );
    expect(converted.messages.slice(2)).toMatchObject([
      { role: "tool", tool_call_id: "t1", content: "" },
      { role: "tool", tool_call_id: "t2" },
      { role: "user", content: [{ type: "text" }, { type: "image_url", image_url: { url: PNG_URL } }] },
      user,
    ]);
    expect(isHostWritten(converted.messages[4])).toBe(true);
    expect(told(converted)).toMatch(/1 attachment moved/);
  });

  it("of a step that still waits give them before it", () => {
    const { messages } = convert("anthropic", [user, step, { role: "user", content: [shot] }], "openai-chat");
    expect(messages.map((message) => (message as { role: string }).role)).toEqual([
      "user",
      "user",
      "assistant",
      "tool",
    ]);
  });

  it("keep their images in Responses", () => {
    const { messages } = convert(
      "anthropic",
      [user, step, { role: "user", content: [shot, failed] }],
      "openai-responses",
    );
    expect(messages[3]).toMatchObject({ output: [{ type: "input_image", image_url: PNG_URL }] });
  });

  it("say that the tool failed, unless their words do, and Anthropic's come back as errors", () => {
    const list = [user, step, { role: "user", content: [{ ...shot, is_error: true, content: "Error: no" }, failed] }];
    const { messages } = convert("anthropic", list, "openai-chat");
    expect(messages.slice(2)).toMatchObject([
      { content: "Error: no" },
      { content: "[Note: the tool reported an error]\nstatus 3" },
    ]);
    const there = convert("anthropic", list, "openai-responses");
    expect(openaiResponsesFormat.view(there.messages[4]).parts[0]).toMatchObject({ isError: true });
    expect(convert("openai-responses", there.messages, "anthropic").messages[2]).toEqual({
      role: "user",
      content: [{ ...shot, content: "Error: no", is_error: true }, failed],
    });
  });
});

describe("what only one provider can read or do", () => {
  it("reasoning is left out and never shown", () => {
    const thinking = { type: "thinking", thinking: "secret thought", signature: "sig" };
    const list = [user, { role: "assistant", content: [thinking, { type: "text", text: "Yes." }] }];
    for (const to of ["openai-chat", "openai-responses"] as const) {
      const converted = convert("anthropic", list, to);
      expect(JSON.stringify(converted)).not.toMatch(/secret thought/);
      expect(told(converted)).toMatch(/1 passage of reasoning left out/);
    }
    const reasoned = [user, { role: "assistant", content: "Yes.", reasoning_content: "secret thought" }];
    expect(JSON.stringify(convert("openai-chat", reasoned, "anthropic"))).not.toMatch(/secret thought/);
  });

  it("a step of a server tool is labelled text with what it says, without what is sealed", () => {
    const call = {
      type: "mcp_call",
      id: "mcp_1",
      server_label: "docs",
      name: "find",
      arguments: "{}",
      output: "two\nlines",
    };
    const search = { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "q" } };
    const { messages } = convert("openai-responses", [user, call, search], "openai-chat");
    const text = JSON.stringify(messages[1]);
    expect(text).toMatch(/\[Note: mcp_call, .*two\\nlines/);
    expect(text).toMatch(/web_search_call.*query/);
    expect(text).not.toMatch(/mcp_1|ws_1/);
  });

  it("what the provider's own program and search gave back is said, however long", () => {
    const found = JSON.stringify({ rows: Array.from({ length: 200 }, (_, at) => `row${at}`) });
    const items = [
      user,
      { type: "program", id: "prog_1", call_id: "p", code: "run()" },
      { type: "program_output", id: "po_1", call_id: "p", status: "completed", result: found },
      { type: "tool_search_output", id: "tso_1", call_id: null, tools: [{ type: "function", name: "get_weather" }] },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "Done." }] },
    ];
    for (const to of ["openai-chat", "anthropic"] as const) {
      const { messages } = convert("openai-responses", items, to);
      const text = JSON.stringify(messages);
      for (const said of ["run()", "row199", "get_weather", "Done."]) expect(text).toContain(said);
    }
  });

  it("a compaction that can be read is said and protected, a sealed one is told", () => {
    const readable = { role: "assistant", content: [{ type: "compaction", content: "They agreed on blue." }] };
    const { messages } = convert("anthropic", [readable, user], "openai-chat");
    expect(JSON.stringify(messages[0])).toMatch(/They agreed on blue/);
    expect(isProtectedMessage(messages[0])).toBe(true);
    const sealed = { type: "compaction", id: "c", encrypted_content: "gAAAAsealed" };
    const converted = convert("openai-responses", [sealed, user], "anthropic");
    expect(JSON.stringify(converted)).not.toMatch(/gAAAAsealed/);
    expect(told(converted)).toMatch(/1 compaction left out/);
  });

  it("a picture that the model made stands in a user message beside its step", () => {
    const items = [user, { type: "image_generation_call", id: "ig", status: "completed", result: TINY_PNG }];
    const { messages } = convert("openai-responses", items, "anthropic");
    expect(messages.at(-1)).toMatchObject({ role: "user", content: [{}, { type: "image", source: PNG_SOURCE }] });
  });
});

describe("attachments", () => {
  const pdf = "JVBERi0xLjQK";
  const filed = { type: "file", file: { filename: "plan.pdf", file_data: `data:application/pdf;base64,${pdf}` } };

  it("that are documents go where there are some, with their names", () => {
    const { messages } = convert("openai-chat", [{ role: "user", content: [filed] }], "anthropic");
    const source = { type: "base64", media_type: "application/pdf", data: pdf };
    expect(messages).toEqual([{ role: "user", content: [{ type: "document", source, title: "plan.pdf" }] }]);
    expect(convert("anthropic", messages, "openai-chat").messages).toEqual([{ role: "user", content: [filed] }]);
    const { messages: items } = convert("anthropic", messages, "openai-responses");
    expect(items).toMatchObject([{ content: [{ type: "input_file", ...filed.file }] }]);
  });

  it("that are texts are text", () => {
    const source = { type: "text", media_type: "text/plain", data: "Line one." };
    const { messages } = convert(
      "anthropic",
      [{ role: "user", content: [{ type: "document", source, title: "a" }] }],
      "openai-chat",
    );
    expect(messages).toMatchObject([{ content: [{ type: "text", text: "[Note: a document, a]\nLine one." }] }]);
  });

  it("keep their address, and their id where its owner is the same", () => {
    const url = "https://example.org/a.png";
    const content = [
      { type: "image_url", image_url: { url } },
      { type: "file", file: { file_id: "file-1" } },
    ];
    const there = convert("openai-chat", [{ role: "user", content }], "openai-responses");
    expect(there.messages).toMatchObject([
      {
        content: [
          { type: "input_image", image_url: url },
          { type: "input_file", file_id: "file-1" },
        ],
      },
    ]);
    const other = convert("openai-chat", [{ role: "user", content }], "anthropic");
    expect(other.messages).toMatchObject([
      {
        content: [
          { type: "image", source: { type: "url", url } },
          { type: "text", text: "[Note: a document (file-1) stood here]" },
        ],
      },
    ]);
    expect(told(other)).toMatch(/1 attachment left out/);
  });

  it("that are sound leave a note", () => {
    const content = [{ type: "input_audio", input_audio: { data: "UklGRg==", format: "wav" } }];
    for (const to of ["anthropic", "openai-responses"] as const) {
      const converted = convert("openai-chat", [{ role: "user", content }], to);
      expect(JSON.stringify(converted.messages)).toMatch(/\[Note: a recording stood here\]/);
    }
  });
});

describe("who speaks, and what else stands in a message", () => {
  it("a name is said in the text, but for an assistant's", () => {
    const list = [
      { ...user, name: "ada" },
      { role: "assistant", content: "Yes.", name: "planner" },
    ];
    const converted = convert("openai-chat", list, "anthropic");
    expect(converted.messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "[Note: from ada]" },
          { type: "text", text: "Look." },
        ],
      },
      { role: "assistant", content: "Yes." },
    ]);
    expect(told(converted)).toMatch(/name of 1 assistant message/);
  });

  it("a refusal stays one in OpenAI's formats and is text in Anthropic's", () => {
    const list = [user, { role: "assistant", content: null, refusal: "I cannot." }];
    const there = convert("openai-chat", list, "openai-responses");
    expect(there.messages[1]).toMatchObject({ content: [{ type: "refusal", refusal: "I cannot." }] });
    expect(convert("openai-responses", there.messages, "openai-chat").messages).toEqual(list);
    expect(convert("openai-chat", list, "anthropic").messages[1]).toMatchObject({ content: [{ text: "I cannot." }] });
  });

  it("a field's name is cut at a whole character", () => {
    const named = { role: "user", content: "hi", [`${"x".repeat(39)}😀`]: 1 };
    expect(told(convert("openai-chat", [named], "anthropic"))).toMatch(/left out: x{39}$/m);
  });

  it("fields of one vendor are named as left out", () => {
    const converted = convert("openai-chat", [user, { role: "assistant", content: "Yes.", x_vendor: 1 }], "anthropic");
    expect(told(converted)).toMatch(/x_vendor/);
  });

  it("marks and meta come along", () => {
    const pinned = markProtected({ role: "user", content: "a" });
    const hosts = markHostWritten({ role: "user", content: "b" });
    const noted = { role: "user", content: "c", meta: { protected: true } };
    const { messages } = convert("openai-chat", [pinned, hosts, noted], "anthropic");
    expect(messages.map(isProtectedMessage)).toEqual([true, false, true]);
    expect(messages.map(isHostWritten)).toEqual([false, true, false]);
    expect(messages[2]).toEqual(noted);
  });

  it("what Anthropic refuses is not made: an assistant first, blanks, space at the end", () => {
    const list = [
      { role: "assistant", content: "Hello. " },
      { role: "user", content: "  " },
      { role: "assistant", content: "Bye. \n" },
    ];
    const { messages } = convert("openai-chat", list, "anthropic");
    expect(messages).toMatchObject([{ role: "user" }, { content: "Hello. " }, { content: "Bye." }]);
    expect(convert("openai-chat", [{ role: "user", content: "" }], "anthropic").messages).toHaveLength(1);
  });

  it("what a host said after open calls stands before them", () => {
    const call = { type: "function_call", call_id: "a", name: "read", arguments: "{}" };
    const items = [user, call, { type: "message", role: "developer", content: "Wait." }];
    expect(convert("openai-responses", items, "openai-chat").messages).toMatchObject([
      user,
      { role: "developer" },
      { role: "assistant" },
    ]);
  });

  it("a summary of ours is known again", () => {
    const text = "<COMPACT-SUMMARY v2>\nWhat came before.\n</COMPACT-SUMMARY v2>";
    for (const from of formats) {
      for (const to of formats.filter((format) => format !== from)) {
        const placed = from.place({ pinned: [user], summary: text, recent: [user] });
        const { messages } = convert(from.name as ProviderFormat, placed.messages, to.name as ProviderFormat);
        expect(to.summaryText(messages[placed.summaryIndex])).toBe(text);
      }
    }
  });
});

describe("tools", () => {
  const schema = { type: "object", properties: { path: { type: "string" } } };
  const chat = [{ type: "function", function: { name: "read", description: "Reads.", parameters: schema } }];

  it("go there and back", () => {
    for (const to of ["openai-responses", "anthropic"] as const) {
      const { tools } = convert("openai-chat", [user], to, { tools: chat });
      expect(convert(to, [user], "openai-chat", { tools }).tools).toEqual(chat);
    }
  });

  it("are no stricter than they were", () => {
    expect(convert("openai-chat", [user], "openai-responses", { tools: chat }).tools).toMatchObject([
      { strict: false },
    ]);
  });

  it("that run at the provider are named as left out", () => {
    const tools = [{ type: "web_search_20250305", name: "web_search" }, ...chat];
    const converted = convert("anthropic", [user], "openai-chat", { tools });
    expect(converted.tools).toEqual(chat);
    expect(told(converted)).toMatch(/web_search_20250305/);
  });

  it("that take free text have one field at Anthropic's", () => {
    const tools = [{ type: "custom", name: "patch", format: { type: "grammar", syntax: "lark", definition: "x" } }];
    const converted = convert("openai-responses", [user], "anthropic", { tools });
    expect(converted.tools).toMatchObject([{ name: "patch", input_schema: { required: ["input"] } }]);
    expect(told(converted)).toMatch(/grammar left out/);
  });
});

describe("a long session", () => {
  it("of 10,000 messages whose ids all clash is converted in one pass", () => {
    const id = "x".repeat(50);
    const list = Array.from({ length: 2_500 }, (_, n) => [
      user,
      { role: "assistant", content: [toolUse(`${id}${n}`)] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: `${id}${n}`, content: "r" }] },
      { role: "assistant", content: "ok" },
    ]).flat();
    const { messages } = convert("anthropic", list, "openai-chat");
    expect(messages).toHaveLength(10_000);
    expect(convert("openai-chat", messages, "anthropic").messages).toHaveLength(10_000);
  });
});
