import { describe, expect, it } from "vitest";
import { anthropicFormat } from "../../../src/providers/anthropic/anthropic-format.ts";
import { isHostWritten } from "../../../src/providers/message-marks.ts";
import { readUiMessages, uiMessagesReader } from "../../../src/session-files/ui-messages.ts";
import { CHAT_MESSAGES, UI_MESSAGES } from "./sample-sessions.ts";

type Part = Readonly<Record<string, unknown>>;

const text = (value: string): Part => ({ type: "text", text: value });
const user = (...parts: readonly Part[]) => ({ id: "u", role: "user", parts });
const assistant = (...parts: readonly Part[]) => ({ id: "a", role: "assistant", parts });
const tool = (toolCallId: string, state: string, extra: Part = {}): Part => ({
  type: "tool-read",
  toolCallId,
  state,
  input: { path: toolCallId },
  ...extra,
});
const done = (id: string, output: unknown = `result of ${id}`) => tool(id, "output-available", { output });
const use = (id: string) => ({ type: "tool_use", id, name: "read", input: { path: id } });
const used = (id: string, content: unknown = `result of ${id}`) => ({ type: "tool_result", tool_use_id: id, content });
const read = (...messages: readonly unknown[]) => readUiMessages(JSON.stringify(messages));
const step = { type: "step-start" };

describe("reading interface messages", () => {
  it("makes of each step an answer and the results of its calls", () => {
    const chat = read(
      user(text("read both")),
      assistant(step, text("I read"), done("a"), done("b"), step, text("and more"), done("c"), step, text("done")),
    );
    expect(chat.messages).toEqual([
      { role: "user", content: [text("read both")] },
      { role: "assistant", content: [text("I read"), use("a"), use("b")] },
      { role: "user", content: [used("a"), used("b")] },
      { role: "assistant", content: [text("and more"), use("c")] },
      { role: "user", content: [used("c")] },
      { role: "assistant", content: [text("done")] },
    ]);
    expect(chat.notes).toEqual([]);
    expect(chat.sources).toEqual([[], [], [], [], [], []]);
    expect(anthropicFormat.validate(chat.messages)).toEqual([]);
  });

  it("reads the messages that were sent to the model, with each result beside its call", () => {
    const call = (toolCallId: string, more: Part = {}) => ({
      type: "tool-call",
      toolCallId,
      toolName: "read",
      ...more,
    });
    const result = (toolCallId: string, more: Part) => ({ type: "tool-result", toolCallId, toolName: "read", ...more });
    const list = [
      { role: "system", content: "be brief" },
      { role: "user", content: [text("read both"), { type: "image", image: "AAAA", mediaType: "image/png" }] },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "hm", providerOptions: { anthropic: { signature: "s==" } } },
          call("a", { input: { path: "a" } }),
          call("b", { args: { path: "b" } }),
          call("c", { input: { path: "c" } }),
        ],
      },
      {
        role: "tool",
        content: [
          result("a", { output: { type: "text", value: "result of a" } }),
          result("b", { result: "result of b" }),
          result("c", { output: { type: "error-text", value: "no such file" } }),
        ],
      },
      { role: "assistant", content: "done" },
    ];
    const chat = readUiMessages(JSON.stringify({ messages: list }));
    expect(chat).toMatchObject({ system: "be brief", notes: [] });
    expect(chat.messages.slice(1)).toEqual([
      {
        role: "assistant",
        content: [{ type: "thinking", thinking: "hm", signature: "s==" }, use("a"), use("b"), use("c")],
      },
      { role: "user", content: [used("a"), used("b"), { ...used("c", "no such file"), is_error: true }] },
      { role: "assistant", content: [text("done")] },
    ]);
    expect(JSON.stringify(chat.messages[0])).toContain('"media_type":"image/png","data":"AAAA"');
    expect(anthropicFormat.validate(chat.messages)).toEqual([]);
    expect(uiMessagesReader.matches(list)).toBe(true);
    expect(uiMessagesReader.matches([list[1], list[4]])).toBe(false);
  });

  it("puts what is said after a result after it, where nothing marks the steps", () => {
    const chat = read(user(text("go")), assistant(done("a"), text("done")));
    expect(chat.messages.slice(1)).toEqual([
      { role: "assistant", content: [use("a")] },
      { role: "user", content: [used("a")] },
      { role: "assistant", content: [text("done")] },
    ]);
  });

  it("knows each state of a call", () => {
    const chat = read(
      user(text("go")),
      assistant(
        step,
        tool("error", "output-error", { errorText: "no such file" }),
        tool("raw", "output-error", { input: undefined, rawInput: "{path", errorText: "bad input" }),
        tool("denied", "output-denied", { approval: { id: "1", approved: false, reason: "not now" } }),
        tool("refused", "approval-responded", { approval: { id: "2", approved: false } }),
        {
          type: "dynamic-tool",
          toolName: "mcp",
          toolCallId: "dynamic",
          state: "output-available",
          input: {},
          output: [1],
        },
        tool("coming", "input-streaming"),
      ),
      user(text("and?")),
      assistant(step, tool("waiting", "approval-requested"), tool("running", "input-available")),
    );
    const [, calls, results, open] = chat.messages as { content: Part[] }[];
    expect(calls?.content.map(({ id }) => id)).toEqual(["error", "raw", "denied", "refused", "dynamic"]);
    expect(calls?.content[1]).toMatchObject({ name: "read", input: { input: "{path" } });
    expect(results?.content).toEqual([
      { ...used("error", "no such file"), is_error: true },
      { ...used("raw", "bad input"), is_error: true },
      { ...used("denied", "The user did not allow this call. not now"), is_error: true },
      { ...used("refused", "The user did not allow this call."), is_error: true },
      used("dynamic", "[1]"),
      text("and?"),
    ]);
    // Calls in flight stay open, for the list's end.
    expect(open?.content).toEqual([use("waiting"), use("running")]);
    expect(anthropicFormat.heal(chat.messages).messages).toBe(chat.messages);
  });

  it("keeps signed reasoning, and says how much it could not keep", () => {
    const anthropic = (fields: Part) => ({ providerMetadata: { anthropic: fields } });
    const chat = read(
      user(text("why?")),
      assistant(
        step,
        { type: "reasoning", text: "hm", ...anthropic({ signature: "s==" }) },
        { type: "reasoning", text: "", ...anthropic({ redactedData: "r==" }) },
        text("so"),
      ),
      user(text("and?")),
      assistant({ type: "reasoning", text: "thus", providerMetadata: { openai: { itemId: "rs_1" } } }, text("thus")),
    );
    expect(chat.messages[1]).toEqual({
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm", signature: "s==" },
        { type: "redacted_thinking", data: "r==" },
        text("so"),
      ],
    });
    expect(chat.notes).toEqual([
      {
        code: "unsigned_reasoning",
        message: "1 passage of reasoning without a signature that Anthropic knows was left out",
      },
    ]);
    expect(anthropicFormat.validate(chat.messages)).toEqual([]);
  });

  it("keeps files: pictures, documents, texts, and the names of others", () => {
    const file = (mediaType: string, url: string, filename = "f") => ({ type: "file", mediaType, url, filename });
    const chat = read(
      user(
        text("look"),
        file("image/png", "data:image/png;base64,aGk="),
        file("image/jpeg", "https://example.com/a.jpg"),
        file("application/pdf", "data:application/pdf;base64,aGk="),
        file("text/plain", "data:text/plain;base64,aGkg4pyT", "notes.txt"),
        file("video/mp4", "https://example.com/a.mp4", "a.mp4"),
      ),
      assistant(step, text("a picture"), file("image/png", "data:image/png;base64,aGk=", "made.png")),
    );
    const [opening, answer] = chat.messages as { content: Part[] }[];
    expect(opening?.content).toEqual([
      text("look"),
      { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
      { type: "image", source: { type: "url", url: "https://example.com/a.jpg" } },
      { type: "document", source: { type: "base64", media_type: "application/pdf", data: "aGk=" } },
      text("[Attached file: notes.txt]\nhi ✓"),
      text("[Attached file: a.mp4 (video/mp4)]"),
    ]);
    expect(opening?.content.map(isHostWritten)).toEqual([false, false, false, false, true, true]);
    expect(answer?.content).toEqual([text("a picture"), text("[A file the model made: made.png]")]);
    expect(anthropicFormat.validate(chat.messages)).toEqual([]);
  });

  it("leaves out what is for the eyes only, and says so; a system message goes beside the list", () => {
    const chat = read(
      { id: "s", role: "system", parts: [text("be kind")] },
      user(text("go"), { type: "data-location", data: {} }),
      assistant(step, text("done"), { type: "source-url", sourceId: "1", url: "https://example.com" }),
    );
    expect(chat.system).toBe("be kind");
    expect(chat.messages).toHaveLength(2);
    expect(chat.notes).toEqual([
      { code: "left_out", message: "2 parts for the interface only (data, sources) were left out" },
    ]);
  });

  it("takes the content blocks of an MCP server's result as blocks", () => {
    const content = [text("a picture"), { type: "image", data: "aGk=", mimeType: "image/png" }];
    const chat = read(user(text("go")), assistant(done("a", { content, isError: false })));
    expect(chat.messages[2]).toEqual({
      role: "user",
      content: [
        used("a", [
          text("a picture"),
          { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
        ]),
      ],
    });
  });

  it("reads the version before, with its calls beside the text", () => {
    const invocation = (id: string, at: number, extra: Part = { state: "result", result: `result of ${id}` }) => ({
      toolCallId: id,
      toolName: "read",
      args: { path: id },
      step: at,
      ...extra,
    });
    const attachment = { name: "a.png", contentType: "image/png", url: "data:image/png;base64,aGk=" };
    const chat = read(
      { id: "1", role: "user", content: "go", experimental_attachments: [attachment] },
      {
        id: "2",
        role: "assistant",
        content: "done",
        reasoning: "hm",
        toolInvocations: [invocation("a", 0), invocation("b", 0), invocation("c", 1)],
      },
      { id: "3", role: "user", content: "again" },
      {
        id: "4",
        role: "assistant",
        content: "said twice",
        parts: [
          step,
          { type: "reasoning", reasoning: "ho", details: [{ type: "text", text: "ho", signature: "s==" }] },
          { type: "tool-invocation", toolInvocation: invocation("d", 0, { state: "call" }) },
        ],
      },
    );
    const [opening, ...rest] = chat.messages as { content: Part[] }[];
    expect(opening?.content.map(({ type }) => type)).toEqual(["text", "image"]);
    expect(rest).toEqual([
      { role: "assistant", content: [use("a"), use("b")] },
      { role: "user", content: [used("a"), used("b")] },
      { role: "assistant", content: [use("c")] },
      { role: "user", content: [used("c")] },
      { role: "assistant", content: [text("done")] },
      { role: "user", content: [text("again")] },
      { role: "assistant", content: [{ type: "thinking", thinking: "ho", signature: "s==" }, use("d")] },
    ]);
    expect(chat.notes.map(({ code }) => code)).toEqual(["unsigned_reasoning"]);
  });

  it("gives repeated call ids, and ids of other characters, such as Anthropic takes", () => {
    const chat = read(user(text("go")), assistant(step, done("fn.read:0"), step, done("fn.read:0")));
    expect(anthropicFormat.heal(chat.messages).messages).toBe(chat.messages);
    expect(anthropicFormat.validate(chat.messages)).toEqual([]);
    expect(JSON.stringify(chat.messages)).toMatch(/"fn_read_0".*"fn_read_0_2"/);
  });

  it.each<[string, unknown, string | undefined]>([
    ["a body", { id: "chat-1", messages: UI_MESSAGES }, "chat-1"],
    ["a chat in a chat", { chat: { id: "chat-2", messages: UI_MESSAGES } }, "chat-2"],
    ["a list under its name", { chatId: "chat-3", chat: UI_MESSAGES }, "chat-3"],
    ["a list", UI_MESSAGES, undefined],
  ])("finds the messages in %s", (_, value, id) => {
    const chat = readUiMessages(JSON.stringify(value));
    expect(chat.sessionId).toBe(id);
    expect(chat.messages).toHaveLength(4);
  });

  it("is told by typed parts, or calls beside a text", () => {
    const matches = uiMessagesReader.matches;
    expect(matches(UI_MESSAGES)).toBe(true);
    expect(matches([{ role: "assistant", content: "", toolInvocations: [] }])).toBe(true);
    expect(matches(CHAT_MESSAGES)).toBe(false);
    expect(matches([{ role: "user", parts: [{ text: "a Gemini content" }] }])).toBe(false);
    expect(matches([{ info: { role: "user" }, parts: [text("x")] }])).toBe(false);
    expect(matches([])).toBe(false);
  });

  it("gives an empty list for what is no chat, and survives lines that cannot be read", () => {
    expect(readUiMessages("not JSON").messages).toEqual([]);
    const lines = `${JSON.stringify(user(text("a")))}\ngarbage\n${JSON.stringify(assistant(text("b")))}`;
    expect(readUiMessages(lines)).toMatchObject({ sources: [[1], [3]], notes: [{ code: "unreadable_lines" }] });
  });
});
