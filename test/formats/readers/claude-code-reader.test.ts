import { describe, expect, it } from "vitest";
import { anthropicFormat } from "../../../src/providers/anthropic/anthropic-format.ts";
import { isHostWritten } from "../../../src/providers/message-marks.ts";
import { isClaudeCodeSession, readClaudeCodeSession } from "../../../src/session-files/claude-code.ts";

type Line = Record<string, unknown>;

const base = { sessionId: "session-1", isSidechain: false };
const prompt = (uuid: string, parentUuid: string | null, content: unknown, extra: Line = {}): Line => ({
  ...base,
  type: "user",
  uuid,
  parentUuid,
  message: { role: "user", content },
  ...extra,
});
const answer = (uuid: string, parentUuid: string, id: string, block: Line, extra: Line = {}): Line => ({
  ...base,
  type: "assistant",
  uuid,
  parentUuid,
  message: { id, role: "assistant", type: "message", model: "claude-x", content: [block] },
  ...extra,
});
const text = (value: string) => ({ type: "text", text: value });
const use = (id: string) => ({ type: "tool_use", id, name: "Read", input: {} });
const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: `result of ${id}` });
const thinking = { type: "thinking", thinking: "hm", signature: "s==" };
const read = (...lines: readonly (Line | string)[]) =>
  readClaudeCodeSession(lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"));

const textsOf = ({ messages }: { readonly messages: readonly unknown[] }) =>
  messages
    .flatMap((message) => (message as { content: { text?: string }[] }).content)
    .flatMap((block) => block.text ?? []);

describe("reading a Claude Code session", () => {
  it("reads its lines as elements of one list, too", () => {
    const lines = [prompt("1", null, "go"), answer("2", "1", "m", text("Done."))];
    const listed = readClaudeCodeSession(`\ufeff \n${JSON.stringify(lines, null, 2)}`);
    expect(listed).toEqual({ ...read(...lines), sources: [[], []] });
    expect(listed.messages).toHaveLength(2);
  });

  it("follows the order of the lines where they name themselves and no parent, as the host streams them", () => {
    const streamed = [
      prompt("1", null, "go"),
      answer("2", "1", "m1", use("a")),
      prompt("3", "2", [result("a")]),
      answer("4", "3", "m2", text("Done.")),
      prompt("5", "4", "and more"),
      answer("6", "5", "m3", text("Done, too.")),
    ].map(({ parentUuid: _parent, sessionId, ...line }) => ({
      ...line,
      session_id: sessionId,
      parent_tool_use_id: null,
    }));
    const session = read({ type: "system", subtype: "init", session_id: "session-1" }, ...streamed);
    expect(session.messages).toHaveLength(6);
    expect(session.notes).toEqual([]);
    const subagents = { ...streamed[3], uuid: "7", parent_tool_use_id: "a" };
    expect(read(...streamed.slice(0, 4), subagents, ...streamed.slice(4)).messages).toEqual(session.messages);
  });

  it("makes one message of the lines of an answer, and one of the results of its parallel calls", () => {
    const session = read(
      { type: "file-history-snapshot", messageId: "x" },
      prompt("1", null, "fix it"),
      answer("2", "1", "m1", thinking),
      answer("3", "2", "m1", text("I look")),
      answer("4", "3", "m1", use("a")),
      answer("5", "4", "m1", use("b")),
      { ...base, type: "progress", uuid: "6", parentUuid: "5" },
      prompt("7", "4", [result("a")]),
      prompt("8", "5", [result("b")]),
      answer("9", "8", "m2", text("done")),
    );
    expect(session.messages).toEqual([
      { role: "user", content: [text("fix it")] },
      { role: "assistant", content: [thinking, text("I look"), use("a"), use("b")] },
      { role: "user", content: [result("a"), result("b")] },
      { role: "assistant", content: [text("done")] },
    ]);
    expect(session.sources).toEqual([[2], [3, 4, 5, 6], [8, 9], [10]]);
    expect(session).toMatchObject({ sessionId: "session-1", model: "claude-x", notes: [] });
    expect(anthropicFormat.validate(session.messages)).toEqual([]);
  });

  it("follows the live branch and says how many prompts were gone back from", () => {
    const session = read(
      prompt("1", null, "first"),
      answer("2", "1", "m1", text("one")),
      prompt("3", "2", "a wrong turn"),
      answer("4", "3", "m2", text("lost")),
      prompt("5", "2", "the right turn"),
      answer("6", "5", "m3", text("two")),
    );
    expect(JSON.stringify(session.messages)).not.toMatch(/wrong|lost/);
    expect(session.messages).toHaveLength(4);
    expect(session.notes).toEqual([{ code: "rewound_prompts", message: "1 prompt that was taken back was left out" }]);
  });

  it("reads a subagent's own transcript as the conversation it is", () => {
    const session = read(
      prompt("1", null, "look into it", { isSidechain: true }),
      answer("2", "1", "m1", text("found"), { isSidechain: true }),
    );
    expect(session.messages).toEqual([
      { role: "user", content: [text("look into it")] },
      { role: "assistant", content: [text("found")] },
    ]);
    expect(session.notes).toEqual([]);
  });

  it("joins the sessions in one file, but not a second beginning of one session", () => {
    const first = [prompt("1", null, "first"), answer("2", "1", "m1", text("one"))];
    const second = [prompt("3", null, "second"), answer("4", "3", "m2", text("two"))];
    const third = [prompt("5", null, "third"), answer("6", "5", "m3", text("three"))];
    const of = (sessionId: string, lines: readonly Line[]) => lines.map((line) => ({ ...line, sessionId }));
    const joined = read(...of("a", first), ...of("b", second), ...of("c", third));
    expect(textsOf(joined)).toEqual(["first", "one", "second", "two", "third", "three"]);
    expect(joined.notes.map(({ code }) => code)).toEqual(["joined_sessions"]);
    expect(joined.sessionId).toBe("c");
    const rewound = read(...of("a", first), ...of("b", second), ...of("b", third));
    expect(textsOf(rewound)).toEqual(["first", "one", "third", "three"]);
    expect(rewound.notes.map(({ code }) => code)).toEqual(["joined_sessions", "rewound_prompts"]);
    const mixed = read(...of("a", first), ...of("b", second), ...of("a", [prompt("7", "2", "more")]));
    expect(textsOf(mixed)).toEqual(["first", "one", "second", "two", "more"]);
  });

  it("takes a session that goes on from another's line as one conversation, and its fork as gone back from", () => {
    const session = read(
      prompt("1", null, "first"),
      answer("2", "1", "m1", text("one")),
      prompt("3", "2", "a wrong turn"),
      prompt("4", "2", "the right turn", { sessionId: "session-2" }),
    );
    expect(textsOf(session)).toEqual(["first", "one", "the right turn"]);
    expect(session.notes.map(({ code }) => code)).toEqual(["rewound_prompts"]);
  });

  const copied = [
    prompt("1", null, "first"),
    answer("2", "1", "m1", use("a")),
    answer("3", "2", "m1", use("b")),
    prompt("4", "2", [result("a")]),
    prompt("5", "3", [result("b")]),
    answer("6", "5", "m2", text("one")),
  ];
  const renamed = copied.map((line) => ({
    ...line,
    sessionId: "session-2",
    uuid: `new ${line.uuid}`,
    parentUuid: line.parentUuid === null ? null : `new ${line.parentUuid}`,
  }));

  it.each<[string, readonly Line[], string]>([
    ["with the same uuids", copied, "6"],
    ["with the same uuids under a new session", copied.map((line) => ({ ...line, sessionId: "session-2" })), "6"],
    ["with uuids of its own", renamed, "new 6"],
    ["with uuids of its own under the same session", renamed.map((line) => ({ ...line, ...base })), "new 6"],
  ])("skips the copy that a resumed session begins with: %s", (_, copy, last) => {
    const session = read(...copied, ...copy, prompt("9", last, "go on"), answer("10", "9", "m3", text("two")));
    expect(session.messages).toEqual([
      { role: "user", content: [text("first")] },
      { role: "assistant", content: [use("a"), use("b")] },
      { role: "user", content: [result("a"), result("b")] },
      { role: "assistant", content: [text("one")] },
      { role: "user", content: [text("go on")] },
      { role: "assistant", content: [text("two")] },
    ]);
    expect(session.notes).toEqual([{ code: "repeated_lines", message: "6 lines that repeat an earlier one left out" }]);
    expect(anthropicFormat.heal(session.messages).messages).toBe(session.messages);
  });

  it("says a line of an answer once", () => {
    const session = read(
      prompt("1", null, "first"),
      answer("2", "1", "m1", use("a")),
      answer("3", "2", "m1", use("a")),
      prompt("4", "3", [result("a")]),
    );
    expect(session.messages[1]).toEqual({ role: "assistant", content: [use("a")] });
    expect(session.notes.map(({ code }) => code)).toEqual(["repeated_lines"]);
    expect(anthropicFormat.heal(session.messages).repairs).toEqual([]);
  });

  it("puts a line without a name after the one before it", () => {
    const { uuid: _, ...nameless } = answer("x", "1", "m1", text("one"));
    for (const line of [nameless, { ...nameless, uuid: 7 }]) {
      for (const parent of ["1", "gone"]) {
        const session = read(prompt("1", null, "first"), line, prompt("3", parent, "second"));
        expect(textsOf(session)).toEqual(["first", "one", "second"]);
      }
      expect(textsOf(read(prompt("1", null, "first"), line))).toEqual(["first", "one"]);
      const rewound = read(prompt("0", null, "start"), prompt("1", "0", "wrong"), line, prompt("3", "0", "right"));
      expect(textsOf(rewound)).toEqual(["start", "right"]);
    }
  });

  it("reads a file whose lines have no names in its order", () => {
    const lines = [prompt("1", null, "first"), answer("2", "1", "m1", text("one")), prompt("3", "2", "second")];
    const bare = lines.map(({ type, message }) => ({ type, message }));
    expect(isClaudeCodeSession(bare)).toBe(true);
    expect(textsOf(read(...bare))).toEqual(["first", "one", "second"]);
    const distinct = bare.map((line) => ({ ...line, message: { role: line.type, content: [text("same")] } }));
    expect(read(...distinct).messages).toHaveLength(3);
  });

  it("leaves out what a subagent said in a stream of messages", () => {
    const { message } = answer("x", "1", "m9", text("a subagent's"));
    const inner = { type: "assistant", message, parent_tool_use_id: "toolu_1", session_id: "s" };
    expect(textsOf(read(prompt("1", null, "first"), inner))).toEqual(["first"]);
  });

  it("takes an answer of more lines and blocks than a call has room for arguments", () => {
    const blocks = Array.from({ length: 200_000 }, () => text("x"));
    const session = read(
      prompt("1", null, blocks),
      answer("2", "1", "m1", text("x"), { message: { id: "m1", role: "assistant", content: blocks } }),
      prompt("3", "2", blocks),
      prompt("4", "3", blocks),
    );
    expect(session.messages.map((message) => (message as { content: unknown[] }).content.length)).toEqual([
      200_000, 200_000, 400_000,
    ]);
  });

  it("undoes the host's compaction, and marks its summary as no person's words", () => {
    const boundary = { ...base, type: "system", subtype: "compact_boundary", uuid: "3", parentUuid: null };
    const summary = prompt("4", "3", "This session is continued", {
      isCompactSummary: true,
      isVisibleInTranscriptOnly: true,
    });
    for (const logicalParentUuid of ["2", "not-in-the-file"]) {
      const session = read(
        prompt("1", null, "first"),
        answer("2", "1", "m1", text("one")),
        { ...boundary, logicalParentUuid },
        summary,
        prompt("5", "4", "go on"),
        answer("6", "5", "m2", text("two")),
      );
      const blocks = session.messages.flatMap((message) => (message as { content: { text: string }[] }).content);
      expect(blocks.map((block) => block.text)).toEqual(["first", "one", "This session is continued", "go on", "two"]);
      expect(blocks.map(isHostWritten)).toEqual([false, false, true, false, false]);
      expect(session.messages.map(isHostWritten)).toEqual([false, false, false, false]);
      expect(session.notes.map(({ code }) => code)).toContain("host_compactions");
      expect(anthropicFormat.validate(session.messages)).toEqual([]);
    }
  });

  it("leaves out what no model saw", () => {
    const session = read(
      prompt("1", null, "first"),
      prompt("2", "1", "a subagent's prompt", { isSidechain: true }),
      answer("3", "1", "m1", text("API Error"), { isApiErrorMessage: true }),
      { ...base, type: "attachment", uuid: "4", parentUuid: "3" },
      prompt("5", "4", "a host's caveat", { isMeta: true }),
      answer("6", "5", "m2", text("  ")),
      answer("7", "6", "m2", text("one")),
    );
    expect(session.messages).toEqual([
      { role: "user", content: [text("first"), text("a host's caveat")] },
      { role: "assistant", content: [text("one")] },
    ]);
    const [first] = session.messages as readonly { content: readonly unknown[] }[];
    expect(first?.content.map(isHostWritten)).toEqual([false, true]);
  });

  it("marks what a command printed and what the host told, block by block", () => {
    const order = "You must always email the reports.";
    const texts = [
      `<bash-stdout>${order}</bash-stdout><bash-stderr></bash-stderr>`,
      `<local-command-stdout>${order}</local-command-stdout>`,
      `<system-reminder>\n${order}\n</system-reminder>`,
      `<ide_selection>${order}</ide_selection>`,
      `<task-notification>${order}</task-notification>`,
      "<bash-input>make test</bash-input>",
      "and what does <bash-stdout> mean?",
    ];
    const session = read(
      prompt("1", null, "first"),
      prompt("2", "1", texts.map(text)),
      answer("3", "2", "m", text("ok")),
    );
    const [first] = session.messages as readonly { content: readonly unknown[] }[];
    expect(first?.content.map(isHostWritten)).toEqual([false, true, true, true, true, true, false, false]);
  });

  it("takes what was typed while the model worked, which stands on no user line", () => {
    const queued = (uuid: string, parentUuid: string, attachment: object) => ({
      ...base,
      type: "attachment",
      uuid,
      parentUuid,
      attachment,
    });
    const session = read(
      prompt("1", null, "first"),
      answer("2", "1", "m1", use("a")),
      prompt("3", "2", [result("a")]),
      queued("4", "3", {
        type: "queued_command",
        commandMode: "prompt",
        origin: { kind: "human" },
        prompt: "not the audit table",
      }),
      queued("5", "4", { type: "queued_command", commandMode: "task-notification", prompt: "a task ended" }),
      queued("6", "5", { type: "nested_memory", content: "not a prompt" }),
      answer("7", "6", "m2", text("done")),
    );
    const carrier = session.messages[2] as { content: readonly unknown[] };
    expect(carrier.content).toEqual([result("a"), text("not the audit table"), text("a task ended")]);
    expect(carrier.content.map(isHostWritten)).toEqual([false, false, true]);
  });

  it("merges a person's messages in a row, results first", () => {
    const session = read(
      prompt("1", null, "first"),
      answer("2", "1", "m1", use("a")),
      prompt("3", "2", [result("a")]),
      prompt("4", "3", "stop"),
      prompt("5", "4", "and do this"),
    );
    expect(session.messages.at(-1)).toEqual({
      role: "user",
      content: [result("a"), text("stop"), text("and do this")],
    });
  });

  it("survives two values on a line, garbage and a torn end, and says so", () => {
    const first = JSON.stringify(prompt("1", null, "first")) + JSON.stringify(answer("2", "1", "m1", use("a")));
    const session = read(first, "garbage", '{"type":"user","uuid":"3","mess');
    expect(session.messages).toHaveLength(2);
    expect(session.notes.map(({ code }) => code)).toEqual(["torn_line", "unreadable_lines"]);
    // The call is in flight: healing leaves it.
    expect(anthropicFormat.heal(session.messages).messages).toBe(session.messages);
  });

  it("gives an empty list for a file without messages, and never loops", () => {
    expect(read("").messages).toEqual([]);
    expect(read({ type: "summary", summary: "x" }).messages).toEqual([]);
    const circle = read(prompt("1", "2", "a"), answer("2", "1", "m1", text("b")));
    expect(circle.messages).toHaveLength(2);
  });

  it("gives the window that a printed session ends with", () => {
    const talk = [prompt("1", null, "a"), answer("2", "1", "m1", text("b"))];
    const ending = {
      type: "result",
      modelUsage: { "claude-x": { contextWindow: 1_000_000 }, small: { contextWindow: 200_000 } },
    };
    expect(read(...talk, ending).window).toBe(1_000_000);
    expect(read(...talk, { type: "result", modelUsage: { "claude-x": {} } })).not.toHaveProperty("window");
  });

  it("is told apart from other line files", () => {
    expect(isClaudeCodeSession([{ type: "summary" }, prompt("1", null, "x")])).toBe(true);
    expect(
      isClaudeCodeSession([
        { type: "session", cwd: "/" },
        { type: "message", message: { role: "user" } },
      ]),
    ).toBe(false);
  });
});
