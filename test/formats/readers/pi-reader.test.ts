import { describe, expect, it } from "vitest";
import { anthropicFormat } from "../../../src/providers/anthropic/anthropic-format.ts";
import { isHostWritten } from "../../../src/providers/message-marks.ts";
import { piReader, readPiSession } from "../../../src/session-files/pi.ts";
import { corpusFiles, isCorpusAbsent, readCorpusText } from "../corpus-files.ts";

type Entry = Record<string, unknown>;

const header = (id: string, extra: Entry = {}): Entry => ({ type: "session", id, cwd: "/home/me/shop", ...extra });
const text = (value: string) => ({ type: "text", text: value });
const call = (id: string, extra: Entry = {}) => ({
  type: "toolCall",
  id,
  name: "read",
  arguments: { path: id },
  ...extra,
});
const user = (content: unknown, extra: Entry = {}) => ({ role: "user", content, ...extra });
const answer = (content: unknown, extra: Entry = {}) => ({
  role: "assistant",
  content,
  api: "anthropic-messages",
  provider: "anthropic",
  model: "claude-y",
  stopReason: "stop",
  ...extra,
});
const result = (toolCallId: string, extra: Entry = {}) => ({
  role: "toolResult",
  toolCallId,
  toolName: "read",
  content: [text(`result of ${toolCallId}`)],
  isError: false,
  ...extra,
});
const said = (message: Entry): Entry => ({ type: "message", message });
/** An entry of the later versions, that names what it follows. */
const at = (id: string, parentId: string | null, entry: Entry): Entry => ({ ...entry, id, parentId });
const read = (...lines: readonly (Entry | string)[]) =>
  readPiSession(lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"));
const codes = ({ notes }: { readonly notes: readonly { readonly code: string }[] }) => notes.map(({ code }) => code);
const use = (id: string) => ({ type: "tool_use", id, name: "read", input: { path: id } });
const used = (id: string) => ({ type: "tool_result", tool_use_id: id, content: `result of ${id}` });

describe("reading a pi session", () => {
  it("is known without its head, and not taken for another host's file", () => {
    const said = (message: unknown, at: number) => ({ type: "message", id: `${at}`, parentId: `${at - 1}`, message });
    const lines = [user("go"), answer([call("a")]), result("a"), answer([text("done")])].map(said);
    expect(piReader.matches(lines)).toBe(true);
    expect(piReader.matches(lines.slice(2))).toBe(true);
    expect(readPiSession(lines.map((line) => JSON.stringify(line)).join("\n")).messages).toHaveLength(4);
    const others = { role: "assistant", content: [{ type: "tool_use", id: "a", name: "read", input: {} }] };
    expect(piReader.matches([said(user([text("go")]), 0), said(others, 1)])).toBe(false);
  });

  it("reads its lines as elements of one list, too", () => {
    const entries = [
      header("s"),
      { type: "message", message: user("go") },
      { type: "message", message: answer([text("Done.")]) },
    ];
    const listed = readPiSession(JSON.stringify(entries));
    const lined = readPiSession(entries.map((entry) => JSON.stringify(entry)).join("\n"));
    expect(listed).toEqual({ ...lined, sources: [[], []] });
    expect(listed.messages).toHaveLength(2);
  });

  it("gives Anthropic messages: parallel calls in one answer, their results in the message after it", () => {
    const session = read(
      header("s1"),
      { type: "thinking_level_change", thinkingLevel: "high" },
      said(user([text("read both")])),
      said(answer([text("I read"), call("a"), call("b")], { stopReason: "toolUse" })),
      said(result("a")),
      said(result("b", { isError: true })),
      { type: "model_change", provider: "anthropic", modelId: "claude-z" },
      said(answer([text("done"), text(" ")])),
    );
    expect(session.messages).toEqual([
      { role: "user", content: [text("read both")] },
      { role: "assistant", content: [text("I read"), use("a"), use("b")] },
      { role: "user", content: [used("a"), { ...used("b"), is_error: true }] },
      { role: "assistant", content: [text("done")] },
    ]);
    expect(session.sources).toEqual([[3], [4], [5, 6], [8]]);
    expect(session).toMatchObject({ sessionId: "s1", model: "claude-y", notes: [] });
    expect(anthropicFormat.validate(session.messages)).toEqual([]);
  });

  it("is told by its header, and by nothing else", () => {
    expect(piReader.matches([header("s1")])).toBe(true);
    expect(piReader.matches([{ type: "session", id: "s1" }])).toBe(false);
    expect(piReader.matches([said(user("hi")), header("s1")])).toBe(false);
    expect(piReader.matches([])).toBe(false);
  });

  it("follows the branch of the last entry, whatever its kind", () => {
    const lines = [
      header("s1", { version: 3 }),
      at("1", null, said(user("first"))),
      at("2", "1", said(answer([text("one")]))),
      at("3", "2", said(user("a wrong turn"))),
      at("4", "3", said(answer([text("lost")]))),
      at("5", "2", { type: "branch_summary", fromId: "4", summary: "tried something" }),
      at("6", "5", said(user("the right turn"))),
    ];
    const session = read(...lines);
    expect(JSON.stringify(session.messages)).not.toMatch(/wrong|lost/);
    expect(JSON.stringify(session.messages)).toMatch(/tried something.*the right turn/);
    expect(session.notes).toEqual([{ code: "rewound_prompts", message: "1 prompt that was taken back was left out" }]);
    const back = read(...lines, at("7", "4", { type: "label", targetId: "4", label: "here" }));
    expect(JSON.stringify(back.messages)).toMatch(/wrong.*lost/);
    expect(JSON.stringify(back.messages)).not.toMatch(/right/);
  });

  it("reads across the host's own compactions: its summary is one more message, marked as the host's", () => {
    const session = read(
      header("s1", { version: 3 }),
      at("1", null, said(user("first"))),
      at("2", "1", said(answer([text("one")]))),
      at("3", "2", { type: "compaction", summary: "we began", firstKeptEntryId: "2", tokensBefore: 9 }),
      at("4", "3", said(user("go on"))),
    );
    expect(JSON.stringify(session.messages)).toMatch(/first.*one.*we began.*go on/);
    expect(codes(session)).toEqual(["host_compactions"]);
    const blocks = (session.messages.at(-1) as { content: { text: string }[] }).content;
    expect(blocks.map((block) => isHostWritten(block))).toEqual([true, false]);
  });

  it("keeps reasoning that Anthropic signed, and says how much it could not keep", () => {
    const signed = { type: "thinking", thinking: "hm", thinkingSignature: "s==" };
    const session = read(
      header("s1"),
      said(user("why?")),
      said(answer([signed, { type: "thinking", thinking: "", thinkingSignature: "r==", redacted: true }, text("so")])),
      said(user("and?")),
      said(answer([{ ...signed, thinkingSignature: "" }, text("cut off")], { stopReason: "aborted" })),
      said(user("well?")),
      said(answer([signed, text("thus")], { api: "openai-responses", provider: "openai", model: "gpt-y" })),
      said(user("early?")),
      said(answer([signed], { api: undefined })),
    );
    expect(session.messages[1]).toEqual({
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm", signature: "s==" },
        { type: "redacted_thinking", data: "r==" },
        text("so"),
      ],
    });
    expect(session.messages.filter((_, index) => index === 3 || index === 5)).toEqual([
      { role: "assistant", content: [text("cut off")] },
      { role: "assistant", content: [text("thus")] },
    ]);
    expect(session.messages[7]).toMatchObject({ content: [{ type: "thinking", signature: "s==" }] });
    expect(session.notes).toEqual([
      {
        code: "unsigned_reasoning",
        message: "2 passages of reasoning without a signature that Anthropic knows were left out",
      },
    ]);
    expect(anthropicFormat.validate(session.messages)).toEqual([]);
  });

  it("keeps images of prompts, results and attachments, and the text of attached documents", () => {
    const image = { type: "image", data: "aGk=", mimeType: "image/png" };
    const attachments = [
      { type: "image", fileName: "a.png", mimeType: "image/png", content: "aGk=" },
      { type: "document", fileName: "plan.docx", mimeType: "x", content: "zz", extractedText: "ship on Monday" },
    ];
    const native = { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } };
    const session = read(
      header("s1"),
      said(user([text("look"), image], { attachments })),
      said(answer([call("a")])),
      said(result("a", { content: [text("a picture"), image] })),
      said(answer([call("b")])),
      said(result("b", { content: [] })),
    );
    const [opening, , pictured, , empty] = session.messages as { content: Entry[] }[];
    expect(opening?.content).toEqual([
      text("look"),
      native,
      native,
      text("[Attached document: plan.docx]\nship on Monday"),
    ]);
    expect(opening?.content.map((block) => isHostWritten(block))).toEqual([false, false, false, true]);
    expect(pictured?.content).toEqual([
      { type: "tool_result", tool_use_id: "a", content: [text("a picture"), native] },
    ]);
    expect(empty?.content).toEqual([{ type: "tool_result", tool_use_id: "b", content: [] }]);
    expect(anthropicFormat.validate(session.messages)).toEqual([]);
  });

  it("marks what no person wrote: commands beside the conversation, messages of extensions", () => {
    const command = { role: "bashExecution", command: "make", output: "boom", exitCode: 2, cancelled: false };
    const session = read(
      header("s1"),
      said(user("build")),
      said(answer([text("run make")])),
      said(command),
      said({ ...command, command: "secret", excludeFromContext: true }),
      said({ ...command, command: "slow", output: "", exitCode: null, cancelled: true, fullOutputPath: "/tmp/out" }),
      said({ role: "hookMessage", content: "from a hook" }),
      { type: "custom_message", customType: "x", content: [text("from an extension")], display: false },
      { type: "custom", customType: "x", data: { text: "state" } },
    );
    const last = session.messages[2] as { content: { text: string }[] };
    expect(last.content.map((block) => block.text)).toEqual([
      "[The user ran: make]\nboom\n[exit code 2]",
      "[The user ran: slow]\n[no output]\n[cancelled]\n[whole output: /tmp/out]",
      "from a hook",
      "from an extension",
    ]);
    expect(isHostWritten(last)).toBe(true);
    expect(session.messages).toHaveLength(3);
  });

  it("makes other providers' call ids such that Anthropic takes them, in the call and its result alike", () => {
    const session = read(
      header("s1"),
      said(user("go")),
      said(answer([call("call_1|fc_2+/="), call("functions.read:0")])),
      said(result("call_1|fc_2+/=")),
      said(result("functions.read:0")),
    );
    expect(session.messages[1]).toMatchObject({ content: [{ id: "call_1" }, { id: "functions_read_0" }] });
    expect(session.messages[2]).toMatchObject({
      content: [{ tool_use_id: "call_1" }, { tool_use_id: "functions_read_0" }],
    });
  });

  it("reads what is left of a damaged file: a torn last line, two values on a line, a parent that is gone", () => {
    const one = JSON.stringify(at("1", null, said(user("first"))));
    const session = read(
      header("s1", { version: 3 }),
      `${one}${JSON.stringify(at("2", "1", said(answer([text("one")]))))}`,
      '{"type":"message", broken',
      at("4", "3", said(user("second"))),
      '{"type":"message","id":"5","parentId":"4","message":{"role":"assis',
    );
    expect(JSON.stringify(session.messages)).toMatch(/first.*one.*second/);
    expect(codes(session)).toEqual(["torn_line", "unreadable_lines", "missing_parents"]);
  });

  it("ends where parents go round in a circle", () => {
    const session = read(header("s1"), at("1", "2", said(user("a"))), at("2", "1", said(answer([text("b")]))));
    expect(session.messages).toHaveLength(2);
  });

  it("joins the sessions of one file, and counts what a fork copied once", () => {
    const shared = [at("1", null, said(user("first"))), at("2", "1", said(answer([text("one")])))];
    const session = read(
      header("s1"),
      ...shared,
      header("s2", { parentSession: "/elsewhere/s1.jsonl" }),
      ...shared,
      at("3", "2", said(user("second"))),
    );
    expect(session.messages).toHaveLength(3);
    expect(session.sessionId).toBe("s2");
    expect(session.notes.map(({ message }) => message)).toEqual([
      "2 sessions in the file were joined, one after another",
      "2 lines that repeat an earlier one left out",
    ]);
  });

  it("gives an empty list for a session in which nothing was said, and for what is no session", () => {
    expect(read(header("s1"))).toEqual({ sessionId: "s1", messages: [], notes: [], sources: [] });
    expect(read("not JSON").messages).toEqual([]);
    expect(read(JSON.stringify([1, null]), { type: "message" }, { type: "message", message: 3 }).messages).toEqual([]);
  });
});

describe.skipIf(isCorpusAbsent)("real pi sessions", () => {
  it.each(corpusFiles(/\/pi-.*\.jsonl\.gz$/))("%s is read as a list its provider takes", (name) => {
    const content = readCorpusText(name);
    const session = readPiSession(content);
    expect(session.sessionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(session.model).toMatch(/^(claude|gpt)-/);
    expect(session.sources).toHaveLength(session.messages.length);
    const healed = anthropicFormat.heal(session.messages);
    expect(anthropicFormat.validate(healed.messages, { allowOpenTail: true })).toEqual([]);
    // What is left to heal are calls that the user stopped, nothing that the reader tore apart.
    expect(healed.repairs.filter(({ kind }) => kind !== "dead_call")).toEqual([]);
    // A plain reading of the file: each prompt's words are there.
    const everything = JSON.stringify(session.messages);
    const prompts = content.split("\n").filter((line) => line.includes('"role":"user"'));
    const texts = prompts.flatMap((line) => line.match(/"text":"((?:[^"\\]|\\.)*)"/)?.[1] ?? []);
    expect(texts.length).toBeGreaterThan(40);
    expect(texts.filter((words) => words.trim() !== "" && !everything.includes(words))).toEqual([]);
  });
});
