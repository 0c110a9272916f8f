// Images, documents and sound in messages of all providers: found, replaced by a line of text, sized in bytes.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anthropicFormat } from "../../src/providers/anthropic/anthropic-format.ts";
import { type Attachment, elideBase64 } from "../../src/providers/attachments.ts";
import type { Format } from "../../src/providers/format.ts";
import { markProtected } from "../../src/providers/message-marks.ts";
import { openaiChatFormat } from "../../src/providers/openai-chat/openai-chat-format.ts";
import { openaiResponsesFormat } from "../../src/providers/openai-responses/openai-responses-format.ts";
import { jsonBytes } from "../../src/text/json-values.ts";
import { formatHistories, TINY_PNG } from "./histories.ts";

const url = `data:image/png;base64,${TINY_PNG}`;

function attachmentsOf(format: Format, message: unknown): readonly Attachment[] {
  const found: Attachment[] = [];
  expect(
    format.mapAttachments(message, (attachment) => {
      found.push(attachment);
      return undefined;
    }),
  ).toBe(message);
  return found;
}

describe.each(formatHistories)("attachments of $format.name", ({ format, historyOf }) => {
  const history = historyOf();

  it("leave a valid list behind, of the same messages where there are none", () => {
    fc.assert(
      fc.property(history, (messages) => {
        const replaced = messages.map((message) => format.mapAttachments(message, () => "[gone]"));
        expect(format.validate(replaced, { allowOpenTail: true })).toEqual(
          format.validate(messages, { allowOpenTail: true }),
        );
        for (const [index, message] of messages.entries()) {
          const held = attachmentsOf(format, message).length;
          if (held === 0) expect(replaced[index]).toBe(message);
          else expect(attachmentsOf(format, replaced[index])).toEqual([]);
          expect(JSON.stringify(replaced[index]).includes(TINY_PNG)).toBe(false);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("and texts are mapped without harm to anything, whatever is given", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 6 }), history, (values, messages) => {
        for (const value of [...values, ...messages]) {
          attachmentsOf(format, value);
          format.mapAttachments(value, () => "x");
          expect(format.mapTexts(value, (text) => text)).toBe(value);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe("an attachment", () => {
  const picture = { kind: "image", encoding: "png", width: 1, height: 1 };

  it("is told from its part, in each provider's own place", () => {
    const chat = {
      role: "user",
      content: [
        { type: "text", text: "a" },
        { type: "image_url", image_url: { url } },
      ],
    };
    expect(attachmentsOf(openaiChatFormat, chat)).toMatchObject([{ ...picture, isInResult: false }]);
    const tool = { role: "tool", tool_call_id: "t", content: [{ type: "image_url", image_url: { url } }] };
    expect(attachmentsOf(openaiChatFormat, tool)).toMatchObject([{ ...picture, isInResult: true }]);
    const source = { type: "base64", media_type: "image/png", data: TINY_PNG };
    const carrier = {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "a", content: [{ type: "image", source }] },
        { type: "image", source },
        { type: "document", title: "t.pdf", source: { ...source, media_type: "application/pdf" } },
      ],
    };
    expect(attachmentsOf(anthropicFormat, carrier)).toMatchObject([
      { ...picture, isInResult: true },
      { ...picture, isInResult: false },
      { kind: "document", encoding: "pdf", name: "t.pdf" },
    ]);
    const output = [
      { type: "input_image", image_url: url },
      { type: "input_file", filename: "a.pdf", file_data: "x" },
    ];
    const item = { type: "function_call_output", call_id: "c", output };
    expect(attachmentsOf(openaiResponsesFormat, item)).toMatchObject([
      { ...picture, isInResult: true },
      { kind: "document", name: "a.pdf", isInResult: true },
    ]);
    const made = { type: "image_generation_call", id: "i", status: "completed", result: TINY_PNG };
    expect(attachmentsOf(openaiResponsesFormat, made)).toMatchObject([picture]);
  });

  it("is replaced where it stood: text of the place's own type, cache marks and protection kept", () => {
    const cached = { type: "image", source: { type: "base64", media_type: "image/png", data: TINY_PNG } };
    const message = markProtected({
      role: "user",
      content: [
        { ...cached, cache_control: { type: "ephemeral" } },
        { type: "text", text: "what is it?" },
      ],
    });
    const replaced = anthropicFormat.mapAttachments(message, () => "[gone]") as typeof message;
    expect(replaced.content[0]).toEqual({ type: "text", text: "[gone]", cache_control: { type: "ephemeral" } });
    expect(replaced.content[1]).toBe(message.content[1]);
    expect(anthropicFormat.view(replaced).isProtected).toBe(true);
    const item = { type: "message", role: "user", content: [{ type: "input_image", image_url: url }] };
    expect(openaiResponsesFormat.mapAttachments(item, () => "[gone]")).toEqual({
      ...item,
      content: [{ type: "input_text", text: "[gone]" }],
    });
    const made = { type: "image_generation_call", id: "i", status: "completed", result: TINY_PNG };
    expect(openaiResponsesFormat.mapAttachments(made, () => "[gone]")).toEqual({ ...made, result: null });
  });

  it("given by address takes next to no bytes", () => {
    const remote = { role: "user", content: [{ type: "image_url", image_url: { url: "https://example.org/a.png" } }] };
    const [attachment] = attachmentsOf(openaiChatFormat, remote);
    expect(attachment?.bytes).toBeLessThan(100);
    expect(attachment).not.toHaveProperty("width");
  });
});

describe("the texts of what was said", () => {
  it("are replaced, results and attachments left alone", () => {
    const short = (text: string) => String(text.length);
    const chat = {
      role: "user",
      content: [
        { type: "text", text: "four" },
        { type: "image_url", image_url: { url } },
      ],
    };
    expect(openaiChatFormat.mapTexts(chat, short)).toEqual({
      ...chat,
      content: [{ type: "text", text: "4" }, chat.content[1]],
    });
    const tool = { role: "tool", tool_call_id: "t", content: "four" };
    expect(openaiChatFormat.mapTexts(tool, short)).toBe(tool);
    const carrier = {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "a", content: "four" },
        { type: "text", text: "four" },
      ],
    };
    expect(anthropicFormat.mapTexts(carrier, short)).toEqual({
      ...carrier,
      content: [carrier.content[0], { type: "text", text: "4" }],
    });
    const item = { type: "function_call_output", call_id: "c", output: "four" };
    expect(openaiResponsesFormat.mapTexts(item, short)).toBe(item);
    expect(openaiResponsesFormat.mapTexts({ role: "user", content: "four" }, short)).toEqual({
      role: "user",
      content: "4",
    });
  });
});

describe("bytes of JSON", () => {
  it("are those that JSON.stringify writes", () => {
    const anyText = fc.string({ unit: "binary", maxLength: 40 });
    const halves = fc.string({
      unit: fc.integer({ min: 0xd7f0, max: 0xe010 }).map((unit) => String.fromCharCode(unit)),
    });
    const value = fc.jsonValue({ stringUnit: "binary" });
    fc.assert(
      fc.property(fc.oneof(value, anyText, halves), (given) => {
        expect(jsonBytes(given)).toBe(Buffer.byteLength(JSON.stringify(given)));
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    [{ a: undefined, b: () => 1, c: Number.NaN, d: [undefined, 1] }],
    [{ at: new Date(0), text: '\u0000\b\n\u007fé€😀"\\' }],
    [[]],
    [{}],
    [null],
  ])("hold for what JSON leaves out or writes otherwise (%#)", (given) => {
    expect(jsonBytes(given)).toBe(Buffer.byteLength(JSON.stringify(given)));
  });

  it("end for a value that holds itself, and for one nested very deep", () => {
    const looped: Record<string, unknown> = {};
    Object.assign(looped, { a: looped, b: [looped, looped] });
    expect(jsonBytes(looped)).toBeGreaterThan(0);
    let deep: unknown = "x";
    for (let level = 0; level < 1000; level++) deep = [deep];
    expect(jsonBytes(deep)).toBe(2003);
    expect(jsonBytes(undefined)).toBe(0);
  });
});

describe("base64 in a text", () => {
  const noise = (length: number) =>
    Array.from(
      { length },
      (_, n) => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[(n * 37 + ((n * n) % 61)) % 64],
    ).join("");

  it("is named by its length from 201 characters on, wherever it stands", () => {
    fc.assert(
      fc.property(fc.nat(500), fc.integer({ min: 1, max: 900 }), fc.nat(500), (before, length, after) => {
        const run = noise(length);
        const text = `${"a b ".repeat(before)}"${run}"${" c d".repeat(after)}`;
        const expected = length > 200 ? text.replace(run, `[base64: ${length} characters]`) : text;
        expect(elideBase64(text)).toBe(expected);
      }),
    );
  });

  it("is found more than once, and behind its prefix even where it is all zeros", () => {
    const text = `<img src="data:image/png;base64,${"A".repeat(5000)}"> and ${noise(300)}.`;
    expect(elideBase64(text)).toBe(
      '<img src="data:image/png;base64,[base64: 5,000 characters]"> and [base64: 300 characters].',
    );
  });

  it.each([
    ["-".repeat(3000)],
    ["x".repeat(3000)],
    ["/a/path".repeat(60)],
    ["DEADBEEF".repeat(100)],
    [`${"word ".repeat(900)}`],
  ])("is not what a person or a tool wrote (%#)", (text) => {
    expect(elideBase64(text)).toBe(text);
  });
});
