import { describe, expect, it } from "vitest";
import { anthropicFormat } from "../../../src/providers/anthropic/anthropic-format.ts";
import { isHostWritten } from "../../../src/providers/message-marks.ts";
import { geminiCliReader, readGeminiCliSession } from "../../../src/session-files/gemini-cli.ts";
import { verifies } from "../../requirements/verifies.ts";
import { corpusFiles, isCorpusAbsent, readCorpusText } from "../corpus-files.ts";
import { readDamagedDocument, readDamagedLines, STRANGE_LISTS } from "./mutations.ts";

type Fields = Record<string, unknown>;

const text = (value: string) => ({ type: "text", text: value });
const user = (id: string, content: unknown) => ({ id, type: "user", content });
const gemini = (id: string, content: unknown, extra: Fields = {}) => ({
  id,
  type: "gemini",
  content,
  model: "gemini-y",
  ...extra,
});
const call = (id: string, extra: Fields = {}) => ({
  id,
  name: "read_file",
  args: { path: id },
  status: "success",
  ...extra,
});
const response = (id: string, fields: Fields) => ({ functionResponse: { id, name: "read_file", response: fields } });
const answered = (id: string) => call(id, { result: [response(id, { output: `output of ${id}` })] });
const use = (id: string) => ({ type: "tool_use", id, name: "read_file", input: { path: id } });
const used = (id: string) => ({ type: "tool_result", tool_use_id: id, content: `output of ${id}` });
const head = { sessionId: "g1", projectHash: "abc", startTime: "2030-01-01T00:00:00.000Z" };

const document = {
  ...head,
  messages: [
    user("1", "read both"),
    gemini("2", "I read", {
      thoughts: [{ subject: "s", description: "d" }],
      toolCalls: [answered("a"), answered("b")],
    }),
    { id: "3", type: "info", content: "An update is there." },
    gemini("4", [{ text: "think", thought: true }, { text: "done" }]),
    user("5", "/quit"),
  ],
};
const read = (...lines: readonly unknown[]) =>
  readGeminiCliSession(lines.map((line) => JSON.stringify(line)).join("\n"));
const codes = ({ notes }: { readonly notes: readonly { readonly code: string }[] }) => notes.map(({ code }) => code);
const textsOf = ({ messages }: { readonly messages: readonly unknown[] }) =>
  messages
    .flatMap((message) => (message as { content: { text?: string }[] }).content)
    .flatMap((block) => block.text ?? []);

describe("reading a Gemini CLI session", () => {
  it("gives Anthropic messages of a recorded document", () => {
    const session = readGeminiCliSession(JSON.stringify(document, null, 2));
    expect(session.messages).toEqual([
      { role: "user", content: [text("read both")] },
      { role: "assistant", content: [text("I read"), use("a"), use("b")] },
      { role: "user", content: [used("a"), used("b")] },
      { role: "assistant", content: [text("done")] },
    ]);
    expect(session.sources).toEqual([[], [], [], []]);
    expect(session).toMatchObject({ sessionId: "g1", model: "gemini-y" });
    expect(session.notes.map(({ message }) => message)).toEqual([
      "2 passages of reasoning without a signature that Anthropic knows were left out",
      "2 messages between the host and its user were left out",
    ]);
    expect(anthropicFormat.validate(session.messages)).toEqual([]);
  });

  it("follows the lines of newer files: a message grows, prompts are taken back", () => {
    const session = read(
      head,
      user("1", "read"),
      gemini("2", "I read", { toolCalls: [call("a", { status: "executing" })] }),
      gemini("2", "I read", { toolCalls: [answered("a")] }),
      user("3", "a wrong turn"),
      gemini("4", "lost"),
      { $rewindTo: "3" },
      { $rewindTo: "unknown" },
      { $set: { summary: "reading" } },
      user("5", "the right turn"),
    );
    expect(session.messages).toEqual([
      { role: "user", content: [text("read")] },
      { role: "assistant", content: [text("I read"), use("a")] },
      { role: "user", content: [used("a"), text("the right turn")] },
    ]);
    expect(session.sources).toEqual([[2], [4], [4, 10]]);
    expect(codes(session)).toEqual(["rewound_prompts"]);
  });

  it("undoes a compaction and a shortening of results, and follows a list that only grew or was cut", () => {
    const talk = [
      user("1", "read"),
      gemini("2", "I read", { toolCalls: [answered("a")] }),
      user("3", "and?"),
      gemini("4", "so"),
    ];
    const summary = user("9", "<state_snapshot>we read</state_snapshot>");
    const compacted = read(head, ...talk, { $set: { messages: [summary, gemini("10", "Got it."), ...talk.slice(2)] } });
    // The summary stands where the model read it; what the host answered to it in the model's name is nobody's.
    expect(textsOf(compacted)).toEqual(["read", "I read", "<state_snapshot>we read</state_snapshot>", "and?", "so"]);
    expect(isHostWritten((compacted.messages.at(-2) as { content: unknown[] }).content[1])).toBe(true);
    expect(codes(compacted)).toEqual(["host_compactions"]);
    const masked = gemini("2", "I read", { toolCalls: [call("a", { result: [response("a", { output: "[gone]" })] })] });
    const shortened = read(head, ...talk, { $set: { messages: [talk[0], masked, ...talk.slice(2), user("5", "on")] } });
    expect(JSON.stringify(shortened.messages)).toMatch(/output of a.*so.*on/);
    expect(codes(shortened)).toEqual([]);
    const cut = read(head, ...talk, { $set: { messages: talk.slice(0, 2) } });
    expect(textsOf(cut)).toEqual(["read", "I read"]);
    expect(codes(cut)).toEqual(["rewound_prompts"]);
  });

  it("reads what a compacting host writes anew, under other ids, once", () => {
    verifies("fault/records-out-of-order");
    const given = (id: string, callId: string) => user(id, [response(callId, { output: `output of ${callId}` })]);
    const asked = (id: string, callId: string) =>
      gemini(id, [
        { functionCall: { id: callId, name: "read_file", args: { path: callId } }, thoughtSignature: "c2ln" },
      ]);
    const context = user("0", [{ text: "<session_context>\nthe folder" }]);
    const summary = (id: string) => [user(id, [{ text: `<summary>${id}</summary>` }]), gemini(`${id}k`, "Got it.")];
    const start = [
      head,
      context,
      user("1", "read a"),
      gemini("2", "", { toolCalls: [answered("a")] }),
      given("3", "a"),
    ];
    // Another process begins with the host's own words, before it lists what it goes on from.
    const resumed = [head, { $set: { messages: [context] } }, { $set: { sessionId: "g1" } }];
    const session = read(
      ...start,
      gemini("4", "a is read"),
      ...resumed,
      user("5", "continue"),
      gemini("6", "", { toolCalls: [answered("b")] }),
      // In the middle of a step: the call is kept, its result comes after it.
      { $set: { messages: [context, ...summary("s1"), user("5b", "continue"), asked("6b", "b")] } },
      given("7", "b"),
      gemini("8", "b is read"),
      ...resumed,
      {
        $set: {
          messages: [
            context,
            ...summary("s1"),
            user("5b", "continue"),
            asked("6b", "b"),
            given("6b_response", "b"),
            given("7", "b"),
            gemini("8", [{ text: "b is read" }]),
          ],
        },
      },
      user("9", "continue"),
      gemini("10", "", { toolCalls: [answered("c")] }),
      given("11", "c"),
      gemini("12", "", { toolCalls: [answered("d")] }),
      {
        $set: {
          messages: [
            context,
            ...summary("s2"),
            user("9b", "continue"),
            asked("10b", "c"),
            given("11b", "c"),
            asked("12b", "d"),
          ],
        },
      },
      given("13", "d"),
      gemini("14", "all is read"),
    );
    expect(textsOf(session)).toEqual([
      "<session_context>\nthe folder",
      "read a",
      "a is read",
      "<summary>s1</summary>",
      "continue",
      "b is read",
      "<summary>s2</summary>",
      "continue",
      "all is read",
    ]);
    const blocks = session.messages.flatMap((message) => (message as { content: Fields[] }).content);
    expect(blocks.filter(({ type }) => type === "tool_use").map(({ id }) => id)).toEqual(["a", "b", "c", "d"]);
    expect(session.notes).toEqual([
      {
        code: "host_compactions",
        count: 2,
        message: "2 compactions of the host undone: the messages before are in the file",
      },
    ]);
    expect(anthropicFormat.validate(session.messages)).toEqual([]);
    const prompts = blocks.filter((block) => block.text === "continue" || block.text === "<summary>s1</summary>");
    expect(prompts.map(isHostWritten)).toEqual([true, false, false]);
  });

  describe("a chat that an editor leads, where one record gathers every call", () => {
    const at = (seconds: number) => ({ timestamp: `2030-01-01T00:00:${String(seconds).padStart(2, "0")}.000Z` });
    const done = (id: string, seconds: number) => ({ ...answered(id), ...at(seconds) });
    const given = (id: string, callId: string, seconds: number) => ({
      ...user(id, [response(callId, { output: "x" })]),
      ...at(seconds),
    });
    const gathered = (...toolCalls: readonly unknown[]) => gemini("2", "", { toolCalls, ...at(2) });
    const order = ({ messages }: { readonly messages: readonly unknown[] }) =>
      messages
        .flatMap((message) => (message as { content: Fields[] }).content)
        .map(({ text: said, id, tool_use_id }) => said ?? id ?? `= ${tool_use_id}`);
    const expected = [
      "read a",
      "a",
      "= a",
      "a is read",
      "now b and c",
      "b",
      "= b",
      "c",
      "= c",
      "all is read",
      "d",
      "d",
      "= d",
    ];
    const said = {
      first: { ...user("1", "read a"), ...at(1) },
      answerA: given("3", "a", 3),
      read: { ...gemini("4", "a is read"), ...at(4) },
      second: { ...user("5", "now b and c"), ...at(5) },
      empty: { ...gemini("6", ""), ...at(6) },
      answerB: given("7", "b", 8),
      answerC: given("8", "c", 10),
      last: { ...gemini("9", "all is read"), ...at(11) },
      third: { ...user("10", "d"), ...at(12) },
    };
    const all = [done("a", 2), done("b", 7), done("c", 9), done("d", 13)];

    it("puts each where it was made, written line by line", () => {
      verifies("fault/records-out-of-order");
      const session = read(
        head,
        said.first,
        gathered(...all.slice(0, 1)),
        said.answerA,
        said.read,
        said.second,
        said.empty,
        gathered(...all.slice(0, 2)),
        said.answerB,
        gathered(...all.slice(0, 3)),
        said.answerC,
        said.last,
        said.third,
        gathered(...all),
      );
      expect(order(session)).toEqual(expected);
      expect(anthropicFormat.validate(session.messages)).toEqual([]);
    });

    it("does so in one document, and where no result stands alone", () => {
      const { first, answerA, read: readA, second, empty, answerB, answerC, last, third } = said;
      const messages = [first, gathered(...all), answerA, readA, second, empty, answerB, answerC, last, third];
      expect(order(read({ ...head, messages }))).toEqual(expected);
      const alone = messages.filter((message) => message !== answerA && message !== answerB && message !== answerC);
      expect(order(read({ ...head, messages: alone }))).toEqual(expected);
    });
  });

  it("says what became of a call: failed, stopped, shown only, never answered", () => {
    const toolCalls = [
      call("a", { status: "error", result: [response("a", { error: "no such file" })] }),
      call("b", { status: "cancelled", result: null }),
      call("c", { resultDisplay: "what the user saw" }),
      call("a", { result: [response("a", { rows: 3 }), { inlineData: { mimeType: "image/png", data: "aGk=" } }] }),
      call("d", { status: "executing" }),
      call("e", { resultDisplay: { fileDiff: "-old\n+new", fileName: "cart.ts" } }),
    ];
    const session = read({ ...head, messages: [user("1", "go"), gemini("2", "", { toolCalls })] });
    expect((session.messages[2] as { content: unknown }).content).toEqual([
      { type: "tool_result", tool_use_id: "a", content: "no such file", is_error: true },
      { type: "tool_result", tool_use_id: "b", content: "The tool failed without a message.", is_error: true },
      { type: "tool_result", tool_use_id: "c", content: "what the user saw" },
      {
        type: "tool_result",
        tool_use_id: "a_2",
        content: [
          text('{"rows":3}'),
          { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
        ],
      },
      { type: "tool_result", tool_use_id: "e", content: "-old\n+new" },
    ]);
    expect(anthropicFormat.heal(session.messages).messages).toBe(session.messages);
  });

  it("takes a result from the message after its call where it stands there, and only once", () => {
    const content = [{ text: "I read" }, { functionCall: { id: "a", name: "read_file", args: { path: "a" } } }];
    const results = user("3", [response("a", { output: "output of a" })]);
    const apart = read({ ...head, messages: [user("1", "go"), gemini("2", content), results] });
    expect(apart.messages[2]).toEqual({ role: "user", content: [used("a")] });
    const twice = read({
      ...head,
      messages: [user("1", "go"), gemini("2", content, { toolCalls: [answered("a")] }), results],
    });
    expect(twice.messages).toEqual(apart.messages);
  });

  const saved = [
    { role: "user", parts: [{ text: "This is the Gemini CLI. We are setting up." }] },
    { role: "model", parts: [{ text: "Got it." }] },
    { role: "user", parts: [{ text: "read both" }, { fileData: { mimeType: "text/csv", fileUri: "file:///a.csv" } }] },
    {
      role: "model",
      parts: [{ text: "hm", thought: true }, { functionCall: { name: "read_file", args: { path: "call" } } }],
    },
    { role: "user", parts: [{ functionResponse: { name: "read_file", response: { output: "output of call" } } }] },
  ];

  it("reads a chat that was saved under a name, bare or wrapped, and pairs by name", () => {
    const session = readGeminiCliSession(JSON.stringify(saved));
    expect(session.messages.slice(2)).toEqual([
      { role: "user", content: [text("read both"), text("[Attached file: file:///a.csv (text/csv)]")] },
      { role: "assistant", content: [use("call")] },
      { role: "user", content: [used("call")] },
    ]);
    const far = JSON.stringify(saved).replace("file:///a.csv", `file:///x${"😀".repeat(300)}`);
    expect(JSON.stringify(readGeminiCliSession(far).messages)).toContain(`x${"😀".repeat(145)} (text/csv)`);
    expect(isHostWritten(session.messages[0])).toBe(true);
    expect(codes(session)).toEqual(["unsigned_reasoning"]);
    expect(readGeminiCliSession(JSON.stringify({ history: saved })).messages).toEqual(session.messages);
    expect(geminiCliReader.matches(saved)).toBe(true);
    expect(geminiCliReader.matches([{ history: saved }])).toBe(true);
  });

  it("reads what is left of a damaged file, joins chats, and keeps messages that share an id", () => {
    const joined = read(head, user("1", "first"), { ...head, sessionId: "g2" }, user("1", "second"));
    expect(textsOf(joined)).toEqual(["first", "second"]);
    expect(joined).toMatchObject({ sessionId: "g2", notes: [{ code: "joined_sessions" }] });
    expect(textsOf(read({ ...head, messages: [user("1", "a"), gemini("2", "b"), user("1", "c")] }))).toEqual([
      "a",
      "b",
      "c",
    ]);
    const lines = [head, ...document.messages, { $set: { messages: document.messages.slice(1) } }, { $rewindTo: "4" }];
    expect(readDamagedLines(geminiCliReader, lines)).toBeGreaterThan(300);
    expect(readDamagedDocument(geminiCliReader, document)).toBeGreaterThan(150);
    expect(readDamagedDocument(geminiCliReader, saved)).toBeGreaterThan(100);
  });

  it("writes names of tools as the provider takes them", () => {
    const named = { ...answered("a"), name: " shop.find berth" };
    const { messages } = readGeminiCliSession(
      JSON.stringify({ ...head, messages: [user("1", "go"), gemini("2", "", { toolCalls: [named] })] }),
    );
    expect(messages[1]).toEqual({ role: "assistant", content: [{ ...use("a"), name: "shop_find_berth" }] });
  });

  it("is told apart from other files", () => {
    expect(geminiCliReader.matches([document])).toBe(true);
    expect(geminiCliReader.matches([head, user("1", "x")])).toBe(true);
    expect(geminiCliReader.matches([{ role: "user", parts: [{ type: "text", text: "an interface's" }] }])).toBe(false);
    expect(geminiCliReader.matches([{ role: "user", content: "x" }])).toBe(false);
    expect(STRANGE_LISTS.some((values) => geminiCliReader.matches(values))).toBe(false);
  });
});

describe.skipIf(isCorpusAbsent)("a real Gemini CLI session", () => {
  it.each(corpusFiles(/\/gemini-cli-.*\.json$/))("%s is read as a list its provider takes", (name) => {
    const content = readCorpusText(name);
    const recorded = JSON.parse(content) as { messages: { type: string; toolCalls?: unknown[] }[] };
    expect(recorded.messages).toHaveLength(13);
    expect(geminiCliReader.matches([recorded])).toBe(true);
    const session = readGeminiCliSession(content);
    const blocks = session.messages.flatMap((message) => (message as { content: { type: string }[] }).content);
    expect(blocks.filter(({ type }) => type === "tool_use")).toHaveLength(9);
    expect(blocks.filter(({ type }) => type === "tool_result")).toHaveLength(9);
    // One prompt, eleven answers and nine messages of results; the host's one notice is left out.
    expect(session.messages).toHaveLength(1 + 11 + 9);
    expect(codes(session)).toEqual(["unsigned_reasoning", "left_out"]);
    expect(session).toMatchObject({ model: "gemini-2.5-flash" });
    expect(anthropicFormat.validate(session.messages)).toEqual([]);
  });
});
