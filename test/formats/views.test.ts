import { describe, expect, it } from "vitest";
import { anthropicFormat } from "../../src/providers/anthropic/anthropic-format.ts";
import { markHostWritten, markProtected } from "../../src/providers/message-marks.ts";
import { openaiChatFormat } from "../../src/providers/openai-chat/openai-chat-format.ts";
import { openaiResponsesFormat } from "../../src/providers/openai-responses/openai-responses-format.ts";
import { TINY_PNG } from "./histories.ts";

const formats = [openaiChatFormat, openaiResponsesFormat, anthropicFormat];
const url = `data:image/png;base64,${TINY_PNG}`;
const picture = { mediaType: "image/png", width: 1, height: 1 };
const image = { kind: "image", ...picture };

describe("views of OpenAI chat", () => {
  const { view } = openaiChatFormat;

  it("read text, images, calls of both kinds and every field that is sent", () => {
    const call = { id: "a", type: "function", function: { name: "run", arguments: '{"x":1}' } };
    const custom = { id: "b", type: "custom", custom: { name: "patch", input: "***" } };
    const message = {
      role: "assistant",
      content: "x",
      tool_calls: [call, custom],
      refusal: "no",
      x_vendor: { y: 2 },
      audio: null,
    };
    expect(view(message).parts).toEqual([
      { kind: "text", text: "x" },
      { kind: "text", text: "no", isRefusal: true },
      { kind: "call", callId: "a", name: "run", arguments: '{"x":1}' },
      { kind: "call", callId: "b", name: "patch", arguments: "***" },
      { kind: "opaque", type: "fields", text: '{"x_vendor":{"y":2}}', sealedLength: 0 },
    ]);
    const parts = [
      { type: "text", text: "look" },
      { type: "image_url", image_url: { url } },
      { type: "file", file: { file_id: "f" } },
    ];
    expect(view({ role: "user", content: parts }).parts).toEqual([
      { kind: "text", text: "look" },
      image,
      {
        kind: "opaque",
        type: "file",
        text: '{"type":"file","file":{"file_id":"f"}}',
        sealedLength: 0,
        media: [{ kind: "document", mediaType: "", bytes: 0, id: "f" }],
      },
    ]);
  });

  it("join the texts of a result", () => {
    const content = [
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ];
    expect(view({ role: "tool", tool_call_id: "t", content }).parts).toEqual([
      { kind: "result", callId: "t", text: "a\nb", pieces: ["a", "b"], isError: false, images: 0 },
    ]);
  });
});

describe("views of OpenAI Responses", () => {
  const { view } = openaiResponsesFormat;

  it("count reasoning as it is sent and join it to what follows", () => {
    const item = { type: "reasoning", summary: [{ type: "summary_text", text: "s" }], encrypted_content: "e" };
    expect(view(item)).toMatchObject({
      role: "assistant",
      joinsNext: true,
      parts: [{ kind: "thinking", text: "s", sealedLength: 1 }],
    });
  });

  it("pair caller's calls only; server calls and unknown items are opaque", () => {
    expect(view({ type: "custom_tool_call", call_id: "c", name: "p", input: "x" }).parts[0]).toMatchObject({
      kind: "call",
      callId: "c",
    });
    expect(view({ type: "computer_call", call_id: "c", action: { type: "click" } }).parts[0]).toMatchObject({
      kind: "call",
      name: "computer_call",
    });
    expect(view({ type: "mcp_call", id: "m", output: "x" }).parts[0]).toMatchObject({
      kind: "opaque",
      type: "mcp_call",
    });
    expect(view({ type: "x_future", a: 1 }).parts[0]).toEqual({
      kind: "opaque",
      type: "x_future",
      text: '{"type":"x_future","a":1}',
      sealedLength: 0,
    });
  });

  it("size what is encrypted or binary instead of reading it as text", () => {
    const sealed = "A".repeat(5_000);
    const [compaction] = view({ type: "compaction", encrypted_content: sealed }).parts;
    expect(compaction).toEqual({
      kind: "opaque",
      type: "compaction",
      text: '{"type":"compaction","encrypted_content":""}',
      sealedLength: 5_000,
    });
  });

  it("count the images of a result", () => {
    const output = [
      { type: "input_text", text: "a" },
      { type: "input_image", image_url: url },
    ];
    expect(view({ type: "function_call_output", call_id: "c", output }).parts).toEqual([
      { kind: "result", callId: "c", text: "a", isError: false, images: 1, pictures: [picture] },
    ]);
    expect(view({ role: "user", content: [{ type: "input_image", image_url: url }] }).parts).toEqual([image]);
  });

  it("know the items that stand for earlier history", () => {
    expect(view({ type: "compaction", encrypted_content: "e" }).isIrreplaceable).toBe(true);
    expect(view({ type: "reasoning", summary: [] }).isIrreplaceable).toBe(false);
  });
});

describe("views of Anthropic messages", () => {
  const { view } = anthropicFormat;

  it("read signed thinking, calls, results and images", () => {
    const content = [
      { type: "thinking", thinking: "hm", signature: "S==" },
      { type: "redacted_thinking", data: "D==" },
      { type: "text", text: "x", citations: [{ url: "u" }] },
      { type: "tool_use", id: "t", name: "run", input: { a: 1 } },
    ];
    expect(view({ role: "assistant", content }).parts).toEqual([
      { kind: "thinking", text: "hm", sealedLength: 3 },
      { kind: "thinking", text: "", sealedLength: 3 },
      { kind: "text", text: "x" },
      { kind: "opaque", type: "citations", text: '[{"url":"u"}]', sealedLength: 0, words: "[citations] u" },
      { kind: "call", callId: "t", name: "run", arguments: '{"a":1}' },
    ]);
    const source = { type: "base64", media_type: "image/png", data: TINY_PNG };
    const result = {
      type: "tool_result",
      tool_use_id: "t",
      is_error: true,
      content: [
        { type: "text", text: "no" },
        { type: "image", source },
      ],
    };
    const carrier = view({ role: "user", content: [result] });
    expect(carrier).toMatchObject({
      role: "tool",
      parts: [{ kind: "result", callId: "t", text: "no", isError: true, images: 1 }],
    });
    expect(view({ role: "user", content: [{ type: "image", source }] })).toMatchObject({
      role: "user",
      parts: [image],
    });
  });

  it("know a compaction block as irreplaceable", () => {
    expect(view({ role: "assistant", content: [{ type: "compaction", content: "x" }] }).isIrreplaceable).toBe(true);
  });
});

describe.each(formats)("views of $name", ({ view }) => {
  it.each([
    [[]],
    [null],
    [undefined],
    [7],
    ["x"],
    [{}],
    [{ role: 3, content: 4 }],
    [{ role: "user", content: [null, 1, []] }],
  ])("never throw: %j", (value) => {
    expect(view(value).parts.length).toBeGreaterThanOrEqual(0);
    expect(view(value).isProtected).toBe(false);
  });

  it("see both ways of protecting a message, and what a host wrote", () => {
    const message = { role: "user", content: "x" };
    expect(view({ ...message, meta: { protected: true } }).isProtected).toBe(true);
    expect(view(markProtected(message)).isProtected).toBe(true);
    expect(Object.keys(message)).toEqual(["role", "content"]);
    expect(view(markHostWritten({ ...message })).isHostWritten).toBe(true);
  });
});

describe("replacing the texts of results", () => {
  const short = (text: string, callId: string) => `${callId}:${text.length}`;

  it("leaves everything but the text as it was", () => {
    const image = { type: "input_image", image_url: url };
    const item = {
      type: "function_call_output",
      call_id: "c",
      output: [{ type: "input_text", text: "long" }, image],
      status: "completed",
    };
    const mapped = openaiResponsesFormat.mapResults(item, short) as typeof item;
    expect(mapped).toEqual({ ...item, output: [{ type: "input_text", text: "c:4" }, image] });
    expect(mapped.output[1]).toBe(image);
    expect(item.output[0]).toEqual({ type: "input_text", text: "long" });
    const chat = { role: "tool", tool_call_id: "t", content: "long", x_vendor: 1 };
    expect(openaiChatFormat.mapResults(chat, short)).toEqual({ ...chat, content: "t:4" });
  });

  it("never touches text beside results, thinking, or lists without results", () => {
    const carrier = {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "a", content: "long" },
        { type: "tool_result", tool_use_id: "b", content: [{ type: "text", text: "longer" }, { type: "image" }] },
        { type: "text", text: "mine" },
      ],
    };
    const mapped = anthropicFormat.mapResults(carrier, short) as typeof carrier;
    expect(mapped.content[0]).toMatchObject({ content: "a:4" });
    expect(mapped.content[1]).toMatchObject({ content: [{ text: "b:6" }, { type: "image" }] });
    expect(mapped.content[2]).toBe(carrier.content[2]);
    const thinking = { role: "assistant", content: [{ type: "thinking", thinking: "long", signature: "s" }] };
    expect(anthropicFormat.mapResults(thinking, short)).toBe(thinking);
  });

  it.each(formats)(
    "$name: gives the same object when nothing changes, and carries marks over when it does",
    (format) => {
      const results = [
        { role: "tool", tool_call_id: "t", content: "x" },
        { type: "function_call_output", call_id: "c", output: "x" },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "x" }] },
      ].map(markProtected);
      for (const result of results) {
        expect(format.mapResults(result, (text) => text)).toBe(result);
        expect(format.view(format.mapResults(result, () => "y")).isProtected).toBe(true);
      }
    },
  );
});

describe("a text in any format", () => {
  it.each(formats.map((format) => ({ name: format.name, format })))(
    "keeps who wrote it and the sources it cites: $name",
    ({ format }) => {
      const reminder = markHostWritten({ type: "text", text: "a reminder" });
      const cited = { type: "text", text: "as they say", citations: [{ url: "https://example.com" }] };
      expect(format.view({ role: "user", content: [reminder, cited] }).parts).toMatchObject([
        { kind: "text", text: "a reminder", isHostWritten: true },
        { kind: "text", text: "as they say" },
        { kind: "opaque", type: "citations", text: '[{"url":"https://example.com"}]' },
      ]);
    },
  );
});
