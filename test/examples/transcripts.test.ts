// The example transcripts are what their generator writes, as long as they should be, and valid where they claim to be.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { exampleTranscripts } from "../../scripts/example-sessions/transcripts.ts";
import { writeJson } from "../../scripts/example-sessions/write-json.ts";
import { anthropicFormat } from "../../src/providers/anthropic/anthropic-format.ts";
import { detectInput } from "../../src/providers/detect-format.ts";
import { openaiChatFormat } from "../../src/providers/openai-chat/openai-chat-format.ts";
import { openaiResponsesFormat } from "../../src/providers/openai-responses/openai-responses-format.ts";
import { readClaudeCodeSession } from "../../src/session-files/claude-code.ts";
import { createTokenCounter } from "../../src/tokens.ts";

const { count: countTokens } = createTokenCounter({ encoding: "o200k_base" });

const formats = [openaiChatFormat, anthropicFormat, openaiResponsesFormat];
const generated = exampleTranscripts();

function committed(name: string): string {
  return readFileSync(new URL(`../../examples/transcripts/${name}`, import.meta.url), "utf8");
}

function body(name: string) {
  const value: unknown = JSON.parse(committed(name));
  const detected = detectInput(value, formats);
  if (detected === undefined) throw new Error(`${name} has no known format`);
  return detected;
}

/** What persons said, in order. */
function promptsOf(messages: readonly unknown[], format: (typeof formats)[number]): string[] {
  return messages.flatMap((message) => {
    const view = format.view(message);
    if (view.role !== "user" || view.isHostWritten === true) return [];
    return view.parts.flatMap((part) => (part.kind === "text" && part.isHostWritten !== true ? [part.text] : []));
  });
}

function outputsOf(messages: readonly unknown[], format: (typeof formats)[number]): string[] {
  return messages.flatMap((message) =>
    format.view(message).parts.flatMap((part) => (part.kind === "result" ? [part.text] : [])),
  );
}

describe("the example transcripts", () => {
  it.each([...generated.keys()])("%s is what the generator writes", (name) => {
    expect(committed(name)).toBe(generated.get(name));
  });

  it.each([
    ["coding-session.json", "openai-chat", 28_000, 32_000],
    ["support-chat.anthropic.json", "anthropic", 4_500, 5_500],
    ["research.openai-responses.json", "openai-responses", 7_000, 8_500],
  ])("%s is detected as %s, valid but for its open tail, and of the length it says", (name, format, least, most) => {
    const detected = body(name);
    expect(detected.format.name).toBe(format);
    expect(detected.format.validate(detected.messages, { allowOpenTail: true })).toEqual([]);
    // The whole body in the tokenizer itself, so that our own rules of counting may change.
    const tokens = countTokens(JSON.stringify(JSON.parse(committed(name))));
    expect(tokens).toBeGreaterThanOrEqual(least);
    expect(tokens).toBeLessThanOrEqual(most);
  });

  it("the coding session ends in the middle of work", () => {
    const { format, messages } = body("coding-session.json");
    expect(format.view(messages.at(-1)).role).toBe("tool");
    expect(promptsOf(messages, format).at(-1)).toContain("src/billing/statements.ts");
  });
});

describe("the Claude Code example", () => {
  const session = readClaudeCodeSession(committed("coding-session.claude-code.jsonl"));
  const chat = body("coding-session.json");

  it("reads as a valid conversation", () => {
    expect(anthropicFormat.validate(session.messages, { allowOpenTail: true })).toEqual([]);
  });

  it("holds one prompt that was taken back and one compaction of the host, and no other damage", () => {
    expect(session.notes.map((note) => note.code).sort()).toEqual(["host_compactions", "rewound_prompts"]);
    expect(session.notes.find((note) => note.code === "rewound_prompts")?.message).toContain("1 prompt ");
    expect(session.sessionId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("says what the chat example says", () => {
    expect(promptsOf(session.messages, anthropicFormat)).toEqual(promptsOf(chat.messages, openaiChatFormat));
    const outputs = outputsOf(session.messages, anthropicFormat).map((text) =>
      text.replace(/^ *\d+\t/gm, "").trimEnd(),
    );
    expect(outputs).toEqual(outputsOf(chat.messages, openaiChatFormat).map((text) => text.trimEnd()));
  });

  it("keeps what was taken back and the side chain in the file, out of the conversation", () => {
    const text = committed("coding-session.claude-code.jsonl");
    const conversation = JSON.stringify(session.messages);
    for (const aside of ["Keep the computation there", "Find every place outside src/billing"]) {
      expect(text).toContain(aside);
      expect(conversation).not.toContain(aside);
    }
  });
});

describe("the writer of the examples", () => {
  it("keeps short lists of plain values on one line and spreads the rest", () => {
    const long = Array.from({ length: 30 }, (_, index) => `entry ${index}`);
    expect(writeJson({ short: ["a", 1], none: [], nested: [{ a: null }] })).toBe(
      '{\n  "short": ["a", 1],\n  "none": [],\n  "nested": [\n    {\n      "a": null\n    }\n  ]\n}\n',
    );
    expect(writeJson({ long }).split("\n")).toHaveLength(35);
    expect(JSON.parse(writeJson({ long }))).toEqual({ long });
  });
});
