// One small file of every kind that can be read, made up here: what the tests of detection and of the commands share.

export interface SampleSession {
  /** The reader's or the format's name. */
  readonly name: string;
  /** How the kind is written, where there are several. */
  readonly form: string;
  readonly text: string;
}

type Line = Readonly<Record<string, unknown>>;

const json = (value: unknown) => JSON.stringify(value);
const lines = (values: readonly unknown[]) => `${values.map(json).join("\n")}\n`;

const chatCall = { id: "call_1", type: "function", function: { name: "bash", arguments: '{"command":"ls"}' } };

export const CHAT_MESSAGES: readonly Line[] = [
  { role: "system", content: "You are a careful engineer." },
  { role: "user", content: "What is in src/cart.ts?" },
  { role: "assistant", content: null, tool_calls: [chatCall] },
  { role: "tool", tool_call_id: "call_1", content: "cart.ts" },
  { role: "assistant", content: "One file." },
];

export const ANTHROPIC_MESSAGES: readonly Line[] = [
  { role: "user", content: "What is in src/cart.ts?" },
  { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "read", input: { path: "src/cart.ts" } }] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "export {}" }] },
  { role: "assistant", content: [{ type: "text", text: "Nothing yet." }] },
];

const RESPONSES_ITEMS: readonly Line[] = [
  { type: "message", role: "user", content: [{ type: "input_text", text: "What is in src/cart.ts?" }] },
  { type: "function_call", call_id: "call_1", name: "read", arguments: '{"path":"src/cart.ts"}' },
  { type: "function_call_output", call_id: "call_1", output: "export {}" },
];

const plain: readonly Line[] = [
  { role: "user", content: "hello" },
  { role: "assistant", content: "hi" },
];

/** Lists and bodies of providers: no session file of anybody. */
export const PROVIDER_FILES: readonly SampleSession[] = [
  { name: "openai-chat", form: "a list", text: json(CHAT_MESSAGES) },
  { name: "openai-chat", form: "lines", text: lines(CHAT_MESSAGES) },
  { name: "openai-chat", form: "a body", text: json({ model: "m", messages: CHAT_MESSAGES, tools: [] }) },
  { name: "openai-chat", form: "plain texts", text: json(plain) },
  {
    name: "openai-chat",
    form: "plain texts with ids and times",
    text: json(plain.map((message, at) => ({ id: `m${at}`, createdAt: "2026-01-01", ts: at, ...message }))),
  },
  { name: "openai-chat", form: "one message", text: json(plain[0]) },
  { name: "openai-responses", form: "a list", text: json(RESPONSES_ITEMS) },
  { name: "openai-responses", form: "lines", text: lines(RESPONSES_ITEMS) },
  { name: "openai-responses", form: "a body", text: json({ model: "m", instructions: "x", input: RESPONSES_ITEMS }) },
  {
    name: "openai-responses",
    form: "a response",
    text: json({ id: "r", object: "response", output: RESPONSES_ITEMS }),
  },
  { name: "anthropic", form: "a list", text: json(ANTHROPIC_MESSAGES) },
  { name: "anthropic", form: "lines", text: lines(ANTHROPIC_MESSAGES) },
  { name: "anthropic", form: "a body", text: json({ model: "m", system: "x", messages: plain }) },
  {
    name: "anthropic",
    form: "one message",
    text: json({ id: "msg_1", type: "message", role: "assistant", content: [{ type: "text", text: "hi" }] }),
  },
];

const claudeLine = (uuid: string, parentUuid: string | null, message: Line) => ({
  type: message.role,
  uuid,
  parentUuid,
  sessionId: "session-1",
  isSidechain: false,
  message,
});

const piEntry = (message: Line) => ({ type: "message", message });

export const AIDER_HISTORY = [
  "",
  "# aider chat started at 2026-01-02 10:00:00",
  "",
  "> Aider v0.80.0  ",
  "> Model: claude-y with diff edit format  ",
  "",
  "#### Rename cart to basket  ",
  "####   ",
  "#### in src/cart.ts  ",
  "",
  "I renamed it.",
  "",
  "> Applied edit to src/cart.ts  ",
  "",
].join("\n");

export const TRAJECTORY: Line = {
  environment: "main",
  trajectory: [{ action: "ls", observation: "cart.ts", response: "I look." }],
  history: [
    { role: "system", content: "You are an engineer.", agent: "main", message_type: "system_prompt" },
    { role: "user", content: "Fix issue 7.", agent: "main", message_type: "observation" },
    {
      role: "assistant",
      content: "I look.",
      thought: "I look.",
      action: "ls",
      agent: "main",
      tool_calls: [chatCall],
      message_type: "action",
    },
    { role: "tool", content: "cart.ts", agent: "main", tool_call_ids: ["call_1"], message_type: "observation" },
  ],
  info: { exit_status: "submitted" },
  replay_config: { agent: { model: { name: "gpt-y" } } },
};

const logged = (messages: readonly Line[]) => ({
  timestamp: "t",
  type: "request",
  request_params: { model: "gpt-y", messages, tools: [{ type: "function", function: { name: "bash" } }] },
});
const answered = (message: Line) => ({
  timestamp: "t",
  type: "response",
  response: { model: "gpt-y-2026", choices: [{ index: 0, message }] },
});

export const REQUEST_LOG: readonly Line[] = [
  logged(CHAT_MESSAGES.slice(0, 2)),
  answered(CHAT_MESSAGES[2] ?? {}),
  logged(CHAT_MESSAGES.slice(0, 4)),
  answered(CHAT_MESSAGES[4] ?? {}),
];

export const UI_MESSAGES: readonly Line[] = [
  { id: "1", role: "user", parts: [{ type: "text", text: "What is in src/cart.ts?" }] },
  {
    id: "2",
    role: "assistant",
    parts: [
      { type: "step-start" },
      {
        type: "tool-read",
        toolCallId: "call_1",
        state: "output-available",
        input: { path: "src/cart.ts" },
        output: "export {}",
      },
      { type: "step-start" },
      { type: "text", text: "Nothing yet.", state: "done" },
    ],
  },
];

const run = (trial: number) => ({ task_id: 0, reward: 1, info: {}, traj: CHAT_MESSAGES, trial });

export const SESSION_FILES: readonly SampleSession[] = [
  {
    name: "claude-code",
    form: "lines",
    text: lines([
      { type: "summary", summary: "x" },
      claudeLine("1", null, ANTHROPIC_MESSAGES[0] ?? {}),
      claudeLine("2", "1", { id: "m1", ...ANTHROPIC_MESSAGES[1] }),
      claudeLine("3", "2", ANTHROPIC_MESSAGES[2] ?? {}),
    ]),
  },
  {
    name: "pi",
    form: "lines",
    text: lines([
      { type: "session", id: "s1", cwd: "/home/me/shop" },
      piEntry(plain[0] ?? {}),
      piEntry(plain[1] ?? {}),
    ]),
  },
  {
    name: "codex",
    form: "lines",
    text: lines([
      { timestamp: "t", type: "session_meta", payload: { id: "s1", cwd: "/home/me/shop" } },
      ...RESPONSES_ITEMS.map((payload) => ({ timestamp: "t", type: "response_item", payload })),
    ]),
  },
  {
    name: "gemini-cli",
    form: "a document",
    text: json({
      sessionId: "s1",
      projectHash: "h",
      messages: [
        { id: "1", type: "user", content: "hello" },
        { id: "2", type: "gemini", content: "hi", model: "gemini-y" },
      ],
    }),
  },
  {
    name: "opencode",
    form: "an export",
    text: json({
      info: { id: "ses_1" },
      messages: [
        { info: { id: "msg_1", role: "user" }, parts: [{ id: "prt_1", type: "text", text: "hello" }] },
        { info: { id: "msg_2", role: "assistant" }, parts: [{ id: "prt_2", type: "text", text: "hi" }] },
      ],
    }),
  },
  {
    name: "cline",
    form: "what is sent",
    text: json([
      {
        role: "user",
        content: "What is in src/cart.ts?\n<environment_details>\nnothing\n</environment_details>",
        ts: 1,
      },
      { role: "assistant", content: "Nothing yet.", ts: 2 },
    ]),
  },
  { name: "aider", form: "Markdown", text: AIDER_HISTORY },
  { name: "swe-agent", form: "a trajectory", text: json(TRAJECTORY) },
  { name: "swe-agent", form: "a log of requests", text: lines(REQUEST_LOG) },
  { name: "tau-bench", form: "a list of runs", text: json([run(0), run(1)]) },
  { name: "ui-messages", form: "a list", text: json(UI_MESSAGES) },
  { name: "ui-messages", form: "lines", text: lines(UI_MESSAGES) },
  { name: "ui-messages", form: "a saved chat", text: json({ id: "chat-1", messages: UI_MESSAGES }) },
];
