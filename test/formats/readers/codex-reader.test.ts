import { describe, expect, it } from "vitest";
import { isHostWritten } from "../../../src/providers/message-marks.ts";
import { openaiResponsesFormat } from "../../../src/providers/openai-responses/openai-responses-format.ts";
import { codexReader, readCodexSession } from "../../../src/session-files/codex.ts";
import { verifies } from "../../requirements/verifies.ts";
import { readDamagedDocument, readDamagedLines, STRANGE_LISTS } from "./mutations.ts";

type Fields = Record<string, unknown>;

const line = (type: string, payload: Fields): Fields => ({ timestamp: "2030-01-01T00:00:00.000Z", type, payload });
const head = (id: string, extra: Fields = {}) => line("session_meta", { id, cwd: "/home/me/shop", ...extra });
const item = (payload: Fields) => line("response_item", payload);
const event = (type: string, extra: Fields = {}) => line("event_msg", { type, ...extra });
const user = (text: string) => ({ type: "message", role: "user", content: [{ type: "input_text", text }] });
const answer = (text: string) => ({ type: "message", role: "assistant", content: [{ type: "output_text", text }] });
const call = (id: string) => ({ type: "function_call", name: "shell", arguments: '{"command":["ls"]}', call_id: id });
const output = (id: string) => ({ type: "function_call_output", call_id: id, output: `output of ${id}` });
const reasoning = { type: "reasoning", summary: [], encrypted_content: "gAAAA+/==" };
const surroundings = user("<environment_context>\n  <cwd>/home/me/shop</cwd>\n</environment_context>");

const textOf = (lines: readonly (Fields | string)[]) =>
  lines.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join("\n");
const read = (...lines: readonly (Fields | string)[]) => readCodexSession(textOf(lines));
const codes = ({ notes }: { readonly notes: readonly { readonly code: string }[] }) => notes.map(({ code }) => code);

const session: readonly Fields[] = [
  head("s1", { instructions: "Be brief." }),
  item(surroundings),
  line("turn_context", { cwd: "/home/me/shop", model: "gpt-y" }),
  item(user("list the files")),
  event("user_message", { message: "list the files" }),
  item({ ...reasoning, content: null }),
  item(call("a")),
  item(call("b")),
  item(output("a")),
  item({ ...output("b"), output: { content: "output of b", success: true } }),
  item({ type: "ghost_snapshot", ghost_commit: { id: "c0ffee" } }),
  event("agent_message", { message: "two files" }),
  item(answer("two files")),
];

describe("reading a Codex session", () => {
  it("gives the tools that the model was told of later as tools, and no field that only the host knows", () => {
    verifies("fault/fields-between-servers");
    const metadata = {
      internal_chat_message_metadata_passthrough: { content_item_kinds: ["user.text"] },
      turn_id: "t",
    };
    const tools = [{ type: "namespace", name: "functions", tools: [{ type: "custom", name: "exec" }] }];
    const loaded = { type: "additional_tools", id: "at_1", role: "developer", tools };
    const script = { type: "custom_tool_call", call_id: "c", name: "exec", namespace: "functions", input: "text(1)" };
    const found = read(
      head("s1"),
      item({ ...loaded, ...metadata }),
      item({ ...user("go"), ...metadata, metadata: { history_sequence: 7 } }),
      item({ ...script, status: "completed", ...metadata }),
      item({ type: "custom_tool_call_output", call_id: "c", output: "1", ...metadata }),
      item({ ...loaded, tools: [...tools, { type: "function", name: "wait" }] }),
      item({ ...answer("done"), phase: "final_answer", ...metadata }),
    );
    expect(found.messages).toEqual([
      user("go"),
      { ...script, status: "completed" },
      { type: "custom_tool_call_output", call_id: "c", output: "1" },
      { ...answer("done"), phase: "final_answer" },
    ]);
    expect(found.tools).toEqual([...tools, { type: "function", name: "wait" }]);
    expect(found.notes).toEqual([]);
  });

  it("gives what newer hosts write as items of the endpoint's own kinds", () => {
    const parts = [
      { type: "text", text: "first" },
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "input_text", text: "second" },
    ];
    const said = {
      type: "agent_message",
      author: { role: "assistant" },
      content: [{ type: "input_text", text: "One." }],
    };
    const sent = { type: "agent_message", author: "scout", content: [{ type: "input_text", text: "found it" }] };
    const sealed = {
      type: "agent_message",
      author: "scout",
      content: [{ type: "encrypted_content", encrypted_content: "x" }],
    };
    const found = read(
      head("s1"),
      item(user("go")),
      item(call("a")),
      item({ ...output("a"), output: parts }),
      item(call("b")),
      item({ ...output("b"), output: { type: "text", text: "plain" } }),
      ...[said, sent, sealed, { type: "compaction_trigger" }].map(item),
      item({ type: "context_compaction", encrypted_content: "gAAA" }),
      event("agent_message", { message: "One." }),
    );
    expect(found.messages.slice(2, 3).concat(found.messages.slice(4))).toEqual([
      {
        ...output("a"),
        output: [
          { type: "input_text", text: "first" },
          { type: "input_image", image_url: "data:image/png;base64,AAAA" },
          { type: "input_text", text: "second" },
        ],
      },
      { ...output("b"), output: "plain" },
      answer("One."),
      user("[Message of scout]\nfound it"),
      { type: "compaction", encrypted_content: "gAAA" },
    ]);
    expect(found.messages.map(isHostWritten).lastIndexOf(true)).toBe(6);
    expect(codes(found)).toEqual(["left_out"]);
    expect(openaiResponsesFormat.validate(found.messages)).toEqual([]);
  });

  it("gives the window that the host said last", () => {
    const told = (payload: Fields) => line("event_msg", payload);
    const { window } = read(
      ...session,
      told({ type: "task_started", model_context_window: 400_000 }),
      told({ type: "token_count", info: { model_context_window: 1_000_000 } }),
      told({ type: "token_count", info: null, rate_limits: {} }),
    );
    expect(window).toBe(1_000_000);
    expect(read(...session)).not.toHaveProperty("window");
  });

  it("gives the items of the Responses endpoint, each once, with what was sent beside them", () => {
    const found = read(...session);
    expect(found.messages).toEqual([
      surroundings,
      user("list the files"),
      reasoning,
      call("a"),
      call("b"),
      output("a"),
      output("b"),
      answer("two files"),
    ]);
    expect(found.messages.map(isHostWritten)).toEqual([true, ...Array.from({ length: 7 }, () => false)]);
    expect(found.sources).toEqual([[2], [4], [6], [7], [8], [9], [10], [13]]);
    expect(found).toMatchObject({
      sessionId: "s1",
      model: "gpt-y",
      system: "Be brief.",
      format: "openai-responses",
      notes: [{ code: "left_out", message: "1 item that only the host reads was left out" }],
    });
    expect(openaiResponsesFormat.validate(found.messages)).toEqual([]);
  });

  it("reads the first versions: bare items behind a bare head", () => {
    const bareHead = { id: "s0", timestamp: "2030-01-01T00:00:00.000Z", instructions: "Be brief." };
    const items = [user("list"), call("a"), output("a"), answer("done")];
    const bare = [bareHead, { record_type: "state" }, ...items];
    const found = readCodexSession(textOf(bare));
    expect(codexReader.matches(bare)).toBe(true);
    expect(found.messages).toEqual(items);
    expect(found).toMatchObject({ sessionId: "s0", system: "Be brief.", sources: [[3], [4], [5], [6]], notes: [] });
  });

  it("undoes the host's compaction where the items before are in the file, and takes its list where they are not", () => {
    const replacement = [user("list the files"), { type: "compaction", encrypted_content: "gAAAA==" }];
    const compacted = line("compacted", { message: "We listed files.", replacement_history: replacement });
    const undone = read(...session, compacted, item(user("go on")));
    expect(undone.messages.slice(8)).toEqual([user("We listed files."), user("go on")]);
    expect(undone.messages.slice(8).map(isHostWritten)).toEqual([true, false]);
    expect(codes(undone)).toEqual(["host_compactions", "left_out"]);
    const begins = read(head("s2"), item(surroundings), compacted, item(user("go on")));
    expect(begins.messages).toEqual([surroundings, ...replacement, user("go on")]);
    expect(codes(begins)).toEqual([]);
  });

  it("takes back the turns that the user went back from", () => {
    const found = read(
      ...session,
      item(user("a wrong turn")),
      item(answer("lost")),
      item(user("another")),
      event("thread_rolled_back", { num_turns: 2 }),
      item(user("the right turn")),
    );
    expect(JSON.stringify(found.messages)).not.toMatch(/wrong|lost|another/);
    expect(found.messages.at(-1)).toEqual(user("the right turn"));
    expect(codes(found)).toEqual(["rewound_prompts", "left_out"]);
    const all = read(...session, event("thread_rolled_back", { num_turns: 99 }), item(user("anew")));
    expect(all.messages).toEqual([surroundings, user("anew")]);
  });

  it("takes what the host showed where no item says it", () => {
    const found = read(
      head("s1"),
      item(surroundings),
      event("user_message", { message: "hi" }),
      event("agent_message", { message: "hello" }),
    );
    expect(found.messages).toEqual([surroundings, user("hi"), answer("hello")]);
  });

  it("reads a fork with the heads of both", () => {
    const fork = [head("s2", { forked_from_id: "s1" }), ...session, item(user("go on"))];
    const alone = read(...fork);
    expect(alone).toMatchObject({ sessionId: "s2", system: "Be brief." });
    expect(alone.messages).toHaveLength(9);
  });

  it("pairs the local shell by the item's id, and keeps an encrypted compaction as the provider names it", () => {
    const shell = {
      type: "local_shell_call",
      id: "ls_1",
      call_id: null,
      status: "completed",
      action: { type: "exec" },
    };
    const found = read(
      head("s1"),
      item(user("go")),
      item(shell),
      item(output("ls_1")),
      item({ type: "compaction_summary", encrypted_content: "gAAAA==" }),
    );
    expect(found.messages[1]).toMatchObject({ type: "local_shell_call", call_id: "ls_1" });
    expect(found.messages[3]).toEqual({ type: "compaction", encrypted_content: "gAAAA==" });
    expect(openaiResponsesFormat.validate(found.messages)).toEqual([]);
  });

  it("reads what is left of a damaged file", () => {
    const found = read(
      JSON.stringify(session[0]) + JSON.stringify(session[3]),
      "garbage",
      item(call("a")),
      '{"timestamp":"x","type":"response_item","payl',
    );
    expect(found.messages).toEqual([user("list the files"), call("a")]);
    expect(codes(found)).toEqual(["torn_line", "unreadable_lines"]);
    expect(readDamagedLines(codexReader, [...session, line("compacted", { message: "so far" })])).toBeGreaterThan(300);
    expect(
      readDamagedDocument(codexReader, { session: { id: "s", timestamp: "t" }, items: [user("a")] }),
    ).toBeGreaterThan(20);
  });

  it("is told apart from other files", () => {
    expect(codexReader.matches(session)).toBe(true);
    expect(codexReader.matches([{ type: "session", id: "s1", cwd: "/" }])).toBe(false);
    expect(codexReader.matches([user("hi"), answer("hello")])).toBe(false);
    expect(codexReader.matches([{ type: "user", uuid: "1", message: { role: "user", content: "hi" } }])).toBe(false);
    expect(STRANGE_LISTS.some((values) => codexReader.matches(values))).toBe(false);
  });
});
