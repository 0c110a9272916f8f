// Sessions of sixty turns as each host writes them, made up.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findDriver } from "../../../src/storage/sqlite/open-database.ts";

const TURNS = 60;
const OUTPUT = (turn: number) =>
  Array.from({ length: 40 }, (_, line) => `part ${turn}, line ${line}: in order`).join("\n");

interface Turn {
  readonly asks: string;
  readonly call: { readonly id: string; readonly name: string; readonly input: { readonly path: string } };
  readonly output: string;
  readonly says: string;
}

const turns: readonly Turn[] = Array.from({ length: TURNS }, (_, at) => ({
  asks: at === 0 ? "Check each part. Never change the tariff file." : `Check part ${at + 1}.`,
  call: { id: `call_${at + 1}`, name: "read", input: { path: `src/part-${at + 1}.ts` } },
  output: OUTPUT(at + 1),
  says: `Part ${at + 1} is in order.`,
}));

const time = (at: number) => new Date(Date.UTC(2026, 0, 2, 3, 0, at)).toISOString();
const uuid = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`;

export interface MadeSession {
  readonly host: string;
  /** Below the home folder. */
  readonly path: string;
  readonly text: string;
}

const lines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");

const claudeCode = turns.flatMap(({ asks, call, output, says }) => [
  { type: "user", message: { role: "user", content: asks } },
  {
    type: "assistant",
    message: {
      ...{ role: "assistant", id: `a-${call.id}`, model: "claude-sonnet-4-5" },
      content: [{ type: "tool_use", ...call }],
    },
  },
  {
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content: output }] },
    toolUseResult: { file: { content: output } },
  },
  {
    type: "assistant",
    message: {
      role: "assistant",
      id: `b-${call.id}`,
      model: "claude-sonnet-4-5",
      content: [{ type: "text", text: says }],
    },
  },
]);

const codex = turns.flatMap(({ asks, call, output, says }, at) => [
  // What it says to every session stands in front.
  ...(at > 0
    ? []
    : [{ type: "message", role: "developer", content: [{ type: "input_text", text: "You are Codex." }] }]),
  { type: "message", role: "user", content: [{ type: "input_text", text: asks }] },
  { type: "function_call", call_id: call.id, name: call.name, arguments: JSON.stringify(call.input) },
  { type: "function_call_output", call_id: call.id, output },
  { type: "message", role: "assistant", content: [{ type: "output_text", text: says }] },
]);

const pi = turns.flatMap(({ asks, call: { id, name, input }, output, says }) => [
  { role: "user", content: [{ type: "text", text: asks }] },
  {
    ...{ role: "assistant", api: "anthropic-messages", model: "claude-sonnet-4-5", stopReason: "toolUse" },
    content: [{ type: "toolCall", id, name, arguments: input }],
  },
  { role: "toolResult", toolCallId: id, toolName: name, content: [{ type: "text", text: output }], details: {} },
  {
    ...{ role: "assistant", api: "anthropic-messages", model: "claude-sonnet-4-5", stopReason: "stop" },
    content: [{ type: "text", text: says }],
  },
]);

const gemini = turns.flatMap(({ asks, call: { id, name, input }, output, says }, at) => [
  { id: `u${at}`, type: "user", content: [{ text: asks }] },
  { id: `c${at}`, type: "gemini", content: "", model: "gemini-2.5-pro", toolCalls: [{ id, name, args: input }] },
  { id: `r${at}`, type: "user", content: [{ functionResponse: { id, name, response: { output } } }] },
  { id: `s${at}`, type: "gemini", content: says, model: "gemini-2.5-pro" },
]);

const openId = (kind: string, at: number) =>
  `${kind}_${(0x10_00_00 + at).toString(16).padStart(12, "0")}abcdefghijklmn`;
const opencode = turns.flatMap(({ asks, call, output, says }, turn) => {
  const [user, answer] = [openId("msg", 2 * turn), openId("msg", 2 * turn + 1)];
  const part = (messageID: string, at: number, rest: object) => ({
    ...{ id: openId("prt", 10 * turn + at), messageID, sessionID: openId("ses", 1), ...rest },
  });
  const state = { status: "completed", input: call.input, output };
  return [
    {
      info: { id: user, sessionID: openId("ses", 1), role: "user", time: { created: turn * 1000 } },
      parts: [part(user, 0, { type: "text", text: asks })],
    },
    {
      info: {
        ...{ id: answer, sessionID: openId("ses", 1), role: "assistant", parentID: user, modelID: "gpt-5" },
        time: { created: turn * 1000 + 1, completed: turn * 1000 + 2 },
      },
      parts: [
        part(answer, 1, { type: "step-start" }),
        part(answer, 2, { type: "tool", tool: call.name, callID: call.id, state }),
        part(answer, 3, { type: "step-start" }),
        part(answer, 4, { type: "text", text: says }),
      ],
    },
  ];
});

export const MADE_SESSIONS: readonly MadeSession[] = [
  {
    host: "claude-code",
    path: `.claude/projects/-home-me-shop/${uuid(7)}.jsonl`,
    text: lines([
      { type: "custom-title", customTitle: "Parts", sessionId: uuid(7) },
      ...claudeCode.map((line, at) => ({
        ...{ parentUuid: at === 0 ? null : uuid(100 + at - 1), isSidechain: false, userType: "external" },
        ...{ cwd: "/home/me/shop", sessionId: uuid(7), version: "2.1.332", gitBranch: "main" },
        ...{ uuid: uuid(100 + at), timestamp: time(at), ...line },
      })),
    ]),
  },
  {
    host: "codex",
    path: `.codex/sessions/2026/01/02/rollout-2026-01-02T03-00-00-${uuid(8)}.jsonl`,
    text: lines(
      [
        { type: "session_meta", payload: { id: uuid(8), cwd: "/home/me/shop", cli_version: "0.171.0" } },
        { type: "turn_context", payload: { cwd: "/home/me/shop", model: "gpt-5-codex" } },
        ...codex.map((payload) => ({ type: "response_item", payload })),
      ].map((line, ordinal) => ({ timestamp: time(ordinal), ...line, ordinal })),
    ),
  },
  {
    host: "gemini-cli",
    path: `.gemini/tmp/shop/chats/session-2026-01-02T03-00-${uuid(9).slice(0, 8)}.jsonl`,
    text: lines([
      { sessionId: uuid(9), projectHash: "0".repeat(64), startTime: time(0), lastUpdated: time(0), kind: "main" },
      ...gemini.map((record, at) => ({ timestamp: time(at), ...record })),
    ]),
  },
  {
    host: "opencode",
    path: "export.json",
    text: JSON.stringify({ info: { id: openId("ses", 1), title: "Parts", time: { created: 0 } }, messages: opencode }),
  },
  {
    host: "pi",
    path: ".pi/agent/sessions/--home-me-shop--/2026-01-02T03-00-00-000Z_5e551011.jsonl",
    text: lines([
      { type: "session", version: 3, id: "5e551011", timestamp: time(0), cwd: "/home/me/shop" },
      ...pi.map((message, at) => ({
        ...{ type: "message", id: `e${at}`, parentId: at === 0 ? null : `e${at - 1}`, timestamp: time(at), message },
      })),
    ]),
  },
];

/** Its absolute path. */
export function putInto(home: string, { path, text }: MadeSession): string {
  const file = join(home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

interface Export {
  readonly info: { readonly id: string; readonly title: string };
  readonly messages: readonly {
    readonly info: { readonly id: string };
    readonly parts: readonly { readonly id: string }[];
  }[];
}

/** Puts an export into a database of the columns of opencode's that are read. Gives the session's id. */
export async function putIntoDatabase(home: string, text: string): Promise<string> {
  const { info, messages } = JSON.parse(text) as Export;
  const folder = join(home, ".local", "share", "opencode");
  mkdirSync(folder, { recursive: true });
  const database = (await findDriver()).open(join(folder, "opencode.db"));
  database.exec(`CREATE TABLE IF NOT EXISTS session (id TEXT, parent_id TEXT, directory TEXT, title TEXT, time_created INTEGER,
      time_updated INTEGER, time_archived INTEGER);
    CREATE TABLE IF NOT EXISTS message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
    CREATE TABLE IF NOT EXISTS part (id TEXT, message_id TEXT, session_id TEXT, data TEXT)`);
  database.exec("BEGIN");
  database.prepare("INSERT INTO session VALUES (?, NULL, '/home/me/shop', ?, 1, 2, NULL)").run(info.id, info.title);
  for (const [index, message] of messages.entries()) {
    database
      .prepare("INSERT INTO message VALUES (?, ?, ?, ?)")
      .run(message.info.id, info.id, index, JSON.stringify(message.info));
    for (const part of message.parts)
      database
        .prepare("INSERT INTO part VALUES (?, ?, ?, ?)")
        .run(part.id, message.info.id, info.id, JSON.stringify(part));
  }
  database.exec("COMMIT");
  await database.close();
  return info.id;
}
