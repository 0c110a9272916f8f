import { describe, expect, it } from "vitest";
import { anthropicFormat } from "../../../src/providers/anthropic/anthropic-format.ts";
import { isHostWritten } from "../../../src/providers/message-marks.ts";
import { opencodeReader, readOpencodeSession } from "../../../src/session-files/opencode.ts";
import { readDamagedDocument, readDamagedLines, STRANGE_LISTS } from "./mutations.ts";

type Fields = Record<string, unknown>;

const text = (value: string) => ({ type: "text", text: value });
const user = (id: string, parts: readonly Fields[], info: Fields = {}) => ({
  info: { id, role: "user", sessionID: "ses_1", ...info },
  parts,
});
const answer = (id: string, parts: readonly Fields[], info: Fields = {}) => ({
  info: { id, role: "assistant", sessionID: "ses_1", providerID: "anthropic", modelID: "claude-y", ...info },
  parts,
});
const tool = (callID: string, state: Fields) => ({
  type: "tool",
  callID,
  tool: "read",
  state: { input: { path: callID }, ...state },
});
const done = (id: string) =>
  tool(id, { status: "completed", output: `output of ${id}`, time: { start: 1, end: 2, compacted: 3 } });
const signed = { type: "reasoning", text: "hm", metadata: { anthropic: { signature: "s==" } } };
const use = (id: string) => ({ type: "tool_use", id, name: "read", input: { path: id } });
const used = (id: string) => ({ type: "tool_result", tool_use_id: id, content: `output of ${id}` });
const exported = (messages: readonly unknown[], info: Fields = {}) => ({ info: { id: "ses_1", ...info }, messages });
const read = (messages: readonly unknown[], info: Fields = {}) =>
  readOpencodeSession(JSON.stringify(exported(messages, info)));
const codes = ({ notes }: { readonly notes: readonly { readonly code: string }[] }) => notes.map(({ code }) => code);

const talk = [
  user(
    "m1",
    [text("read both"), { ...text("The file says: hello"), synthetic: true }, { ...text("no"), ignored: true }],
    { system: "Be brief." },
  ),
  answer("m2", [
    { type: "step-start" },
    signed,
    text("I read"),
    done("a"),
    done("b"),
    { type: "step-finish" },
    { type: "patch" },
  ]),
  answer("m3", [{ type: "step-start" }, { type: "reasoning", text: "unsigned" }, text("done"), { type: "hologram" }]),
];

describe("reading an opencode session", () => {
  it("gives Anthropic messages: a call and its result from one part, signed reasoning, results that the host cleared", () => {
    const session = read(talk);
    expect(session.messages).toEqual([
      { role: "user", content: [text("read both"), text("The file says: hello")] },
      {
        role: "assistant",
        content: [{ type: "thinking", thinking: "hm", signature: "s==" }, text("I read"), use("a"), use("b")],
      },
      { role: "user", content: [used("a"), used("b")] },
      { role: "assistant", content: [text("done")] },
    ]);
    expect((session.messages[0] as { content: unknown[] }).content.map(isHostWritten)).toEqual([false, true]);
    expect(session).toMatchObject({
      sessionId: "ses_1",
      model: "claude-y",
      system: "Be brief.",
      sources: [[], [], [], []],
    });
    expect(codes(session)).toEqual(["unsigned_reasoning", "left_out"]);
    expect(anthropicFormat.validate(session.messages)).toEqual([]);
  });

  it("makes a message of each step, and says what became of a call", () => {
    const parts = [
      { type: "step-start" },
      tool("a", { status: "error", error: "no such file" }),
      tool("a", { status: "error", error: "cut", metadata: { interrupted: true, output: "so far" } }),
      { type: "step-start" },
      tool("b", { status: "running" }),
    ];
    const session = read([user("m1", [text("go")]), answer("m2", parts)]);
    expect(session.messages.slice(1)).toEqual([
      { role: "assistant", content: [use("a"), { ...use("a"), id: "a_2" }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: "no such file", is_error: true },
          { type: "tool_result", tool_use_id: "a_2", content: "so far" },
        ],
      },
      { role: "assistant", content: [use("b")] },
    ]);
    expect(anthropicFormat.heal(session.messages).messages).toBe(session.messages);
  });

  it("keeps files as far as the provider takes them", () => {
    const file = (mime: string, url: string, filename?: string) => ({ type: "file", mime, url, filename });
    const session = read([
      user("m1", [
        file("image/png", "data:image/png;base64,aGk="),
        file("application/pdf", "data:application/pdf;base64,aGk="),
        file("image/png", "https://example.org/a.png"),
        file("text/plain", "file:///a.txt", "a.txt"),
        file("audio/wav", "file:///a.wav", "a.wav"),
      ]),
    ]);
    const source = { type: "base64", media_type: "image/png", data: "aGk=" };
    expect((session.messages[0] as { content: unknown[] }).content).toEqual([
      { type: "image", source },
      { type: "document", source: { ...source, media_type: "application/pdf" } },
      { type: "image", source: { type: "url", url: "https://example.org/a.png" } },
      text("[Attached file: a.wav (audio/wav)]"),
    ]);
  });

  it("reads across compactions, without answers that failed, and up to where the user went back", () => {
    const messages = [
      ...talk,
      user("m4", [{ type: "compaction", auto: true }]),
      answer("m5", [text("We read both.")], { summary: true }),
      user("m6", [text("go on")]),
      answer("m7", [text("half")], { error: { name: "APIError" } }),
      answer("m8", [text("stopped")], { error: { name: "MessageAbortedError" } }),
      user("m9", [text("a wrong turn")]),
      answer("m10", [text("lost")]),
    ];
    const session = read(messages, { revert: { messageID: "m9" } });
    expect(JSON.stringify(session.messages)).toMatch(/We read both.*go on.*stopped/);
    expect(JSON.stringify(session.messages)).not.toMatch(/half|wrong|lost/);
    expect(isHostWritten(session.messages[4])).toBe(true);
    expect(codes(session)).toEqual([
      "rewound_prompts",
      "host_compactions",
      "unsigned_reasoning",
      "left_out",
      "left_out",
    ]);
  });

  it("reads a bare list of messages and lines of them, joins sessions, counts what stands twice once", () => {
    const { messages } = read(talk);
    expect(readOpencodeSession(JSON.stringify(talk)).messages).toEqual(messages);
    const lines = readOpencodeSession([...talk, talk[2]].map((message) => JSON.stringify(message)).join("\n"));
    expect(lines.messages).toEqual(messages);
    expect(lines).toMatchObject({ sessionId: "ses_1", sources: [[1], [2], [2], [3]] });
    expect(codes(lines)).toContain("repeated_lines");
    const joined = readOpencodeSession(
      JSON.stringify([exported(talk), exported([user("m9", [text("second")])], { id: "ses_2" })]),
    );
    expect(joined.sessionId).toBe("ses_2");
    expect(codes(joined)).toContain("joined_sessions");
  });

  it("reads what is left of a damaged file", () => {
    expect(readDamagedDocument(opencodeReader, exported(talk, { revert: { messageID: "m3" } }))).toBeGreaterThan(300);
    expect(readDamagedLines(opencodeReader, talk)).toBeGreaterThan(300);
  });

  it("is told apart from other files", () => {
    expect(opencodeReader.matches([exported(talk)])).toBe(true);
    expect(opencodeReader.matches(talk)).toBe(true);
    expect(opencodeReader.matches([{ role: "user", parts: [text("an interface's")] }])).toBe(false);
    expect(opencodeReader.matches([{ info: {}, messages: [] }])).toBe(false);
    expect(STRANGE_LISTS.some((values) => opencodeReader.matches(values))).toBe(false);
  });
});
