import { describe, expect, it } from "vitest";
import { anthropicFormat } from "../../src/providers/anthropic/anthropic-format.ts";
import { detectInput, recognizeOther } from "../../src/providers/detect-format.ts";
import { openaiChatFormat } from "../../src/providers/openai-chat/openai-chat-format.ts";
import { openaiResponsesFormat } from "../../src/providers/openai-responses/openai-responses-format.ts";

const formats = [openaiChatFormat, openaiResponsesFormat, anthropicFormat];
const plain = [
  { role: "user", content: "hello" },
  { role: "assistant", content: "hi" },
];
const blocks = [{ role: "user", content: [{ type: "text", text: "hello" }] }];
const use = { role: "assistant", content: [{ type: "tool_use", id: "a", name: "run", input: {} }] };

describe("finding the list and its format", () => {
  it.each<[string, unknown, string, readonly string[] | undefined]>([
    ["a plain list", plain, "openai-chat", []],
    ["plain text blocks", blocks, "openai-chat", []],
    ["a plain body", { model: "gpt-4o", messages: plain }, "openai-chat", ["messages"]],
    ["a body with a system text", { system: "be kind", messages: plain }, "anthropic", ["messages"]],
    [
      "a body with system blocks",
      { system: [{ type: "text", text: "x" }], messages: blocks },
      "anthropic",
      ["messages"],
    ],
    [
      "a body with Anthropic's tools",
      { tools: [{ name: "x", input_schema: {} }], messages: plain },
      "anthropic",
      ["messages"],
    ],
    [
      "a system message inside",
      { system: "x", messages: [{ role: "system", content: "x" }, ...plain] },
      "openai-chat",
      ["messages"],
    ],
    ["tool use", [...plain, use], "anthropic", []],
    ["tool use behind a system message", [{ role: "system", content: "x" }, ...plain, use], "anthropic", []],
    [
      "a tool result",
      [{ role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "x" }] }],
      "anthropic",
      [],
    ],
    [
      "signed thinking",
      [{ role: "assistant", content: [{ type: "thinking", thinking: "x", signature: "s" }] }],
      "anthropic",
      [],
    ],
    [
      "an image with its source",
      [{ role: "user", content: [{ type: "image", source: { type: "url", url: "x" } }] }],
      "anthropic",
      [],
    ],
    [
      "an image by URL",
      [{ role: "user", content: [{ type: "image_url", image_url: { url: "x" } }] }],
      "openai-chat",
      [],
    ],
    ["a tool message", [{ role: "tool", tool_call_id: "a", content: "x" }], "openai-chat", []],
    ["a developer message", [{ role: "developer", content: "x" }, ...plain], "openai-chat", []],
    ["calls", [{ role: "assistant", content: null, tool_calls: [] }], "openai-chat", []],
    [
      "a damaged list",
      [
        { role: "user", content: null },
        { role: "tool", content: "orphan" },
      ],
      "openai-chat",
      [],
    ],
    [
      "items with a call",
      [
        { role: "user", content: "x" },
        { type: "function_call", call_id: "a", name: "x", arguments: "" },
      ],
      "openai-responses",
      [],
    ],
    ["an output alone", [{ type: "function_call_output", call_id: "a", output: "x" }], "openai-responses", []],
    ["input text parts", [{ role: "user", content: [{ type: "input_text", text: "x" }] }], "openai-responses", []],
    ["plain messages under input", { input: plain }, "openai-responses", ["input"]],
    [
      "a response",
      { object: "response", output: [{ type: "reasoning", summary: [] }] },
      "openai-responses",
      ["output"],
    ],
    [
      "one Anthropic message",
      { type: "message", role: "assistant", model: "m", content: [{ type: "text", text: "x" }] },
      "anthropic",
      undefined,
    ],
  ])("knows %s", (_, value, format, path) => {
    const detected = detectInput(value, formats);
    expect(detected?.format.name).toBe(format);
    expect(detected?.path).toEqual(path);
  });

  it("brings what stands beside the list", () => {
    const tools = [{ name: "x", input_schema: {} }];
    const body = { model: "claude", system: "be kind", tools, messages: plain };
    expect(detectInput(body, formats)).toMatchObject({ model: "claude", system: "be kind", tools, messages: plain });
    expect(detectInput({ instructions: "be kind", input: blocks }, formats)).toMatchObject({ system: "be kind" });
  });

  it.each<[string, unknown, string | undefined]>([
    ["nothing", [], undefined],
    ["a text", "hello", undefined],
    ["an object of no known kind", { a: 1 }, undefined],
    ["an input that is a text", { input: "hello" }, undefined],
    ["a trajectory with its history", { trajectory: [], history: plain, messages: plain }, undefined],
    ["a list of benchmark runs", [{ task_id: 0, traj: plain }], undefined],
    [
      "a Gemini chat",
      {
        sessionId: "s",
        messages: [
          { type: "user", content: "x" },
          { type: "gemini", content: "y" },
        ],
      },
      undefined,
    ],
    ["a logged request", { type: "request", request_params: { messages: plain } }, undefined],
    ["a request with its response", { request: { messages: plain }, response: {} }, "a request log"],
    ["interface messages", [{ id: "1", role: "user", parts: [{ type: "text", text: "x" }] }], undefined],
    ["hyphenated parts", [{ role: "assistant", content: [{ type: "tool-call", toolCallId: "a" }] }], undefined],
    ["another product's roles", [{ role: "toolResult", content: "x" }], undefined],
    ["a completion", { choices: [{ message: plain[1] }] }, "a chat completion response"],
  ])("does not claim %s", (_, value, name) => {
    expect(detectInput(value, formats)).toBeUndefined();
    expect(recognizeOther(value)).toBe(name);
  });

  it.each<[unknown, readonly string[] | undefined]>([
    [{ id: "t", conversation: plain }, ["conversation"]],
    [{ title: "x", data: { messages: plain, model: "m" } }, ["data", "messages"]],
    [{ body: { input: plain } }, ["body", "input"]],
    [{ data: [{ id: 1, text: "a row" }] }, undefined],
    [{ data: { data: { messages: plain } } }, undefined],
    [{ history: plain, trajectory: [] }, undefined],
  ])("looks one level into what an application wraps around a list: %j", (value, path) => {
    const found = detectInput(value, formats);
    expect(found?.path).toEqual(path);
    expect(found?.messages).toEqual(path === undefined ? undefined : plain);
  });

  it("takes a system prompt that stands before Anthropic's messages as what is sent beside them", () => {
    const system = [{ type: "text", text: "be kind", cache_control: { type: "ephemeral" } }];
    const list = [{ role: "system", content: system }, { role: "developer", content: "be brief" }, ...plain, use];
    const found = detectInput({ messages: list }, formats);
    expect(found).toMatchObject({ messages: [...plain, use], path: ["messages"] });
    expect(found?.system).toEqual([...system, { type: "text", text: "be brief" }]);
    expect(detectInput([...plain, { role: "system", content: "late" }, use], formats)).toBeUndefined();
  });

  it("takes no record of a host for a message: what it says stands one level deeper", () => {
    const said = (role: string) => ({ role, message: { content: [{ type: "text", text: "hello" }] } });
    expect(detectInput([said("user"), said("assistant")], formats)).toBeUndefined();
  });
});
