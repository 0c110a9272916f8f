// Answers that a tool fetched from the user are the user's words, with the question, whatever the tool is called; what a
// program or another model answered is not.
import { describe, expect, it } from "vitest";
import { extractFacts } from "../../src/facts/extract-facts.ts";
import { CompactManager } from "../../src/index.ts";
import { viewAnthropicMessage } from "../../src/providers/anthropic/messages.ts";
import { verifies } from "../requirements/verifies.ts";

type Call = readonly [name: string, input: unknown, output: unknown];

const OPTIONS = [{ label: "Keep it" }, { label: "Drop it", description: "frees 2 GB" }];
const QUESTION = "May I drop the table old_tariffs?";
const ANSWER = "No, never drop old_tariffs before 2033";
const PAIRED = `User has answered your questions: "${QUESTION}"="${ANSWER}". You can now continue.`;

const ASKED: readonly Call[] = [
  ["AskUserQuestion", { questions: [{ question: QUESTION, header: "Table", options: OPTIONS }] }, PAIRED],
  [
    "ask_followup_question",
    { question: QUESTION, follow_up: ["Keep it", "Drop it"] },
    `<answer>\n${ANSWER}\n</answer>`,
  ],
  [
    "request_user_input",
    { questions: [{ id: "t", header: "T", question: QUESTION }] },
    { answers: { t: { answers: [ANSWER] } } },
  ],
  ["ask_user", { questions: [{ question: QUESTION, type: "text" }] }, { answers: { "0": ANSWER } }],
  ["question", { questions: [{ question: QUESTION, options: OPTIONS }] }, PAIRED],
  [
    "clarify",
    { question: QUESTION, choices: ["Keep it", "Drop it"] },
    { question: QUESTION, choices_offered: ["Keep it", "Drop it"], user_response: ANSWER },
  ],
  [
    "elicitation",
    { message: QUESTION, requestedSchema: { type: "object" } },
    { action: "accept", content: { answer: ANSWER } },
  ],
  ["human", { query: QUESTION }, ANSWER],
  ["askForConfirmation", { message: QUESTION }, ANSWER],
  // A name that nobody knows: a choice is offered.
  ["pick_path_xyz", { question: QUESTION, options: ["Keep it", "Drop it"] }, ANSWER],
];

const OTHERS: readonly Call[] = [
  ["ask_question", { repoName: "acme/tariffs", question: QUESTION }, ANSWER],
  ["search_docs", { question: QUESTION }, ANSWER],
  ["ask_oracle", { question: QUESTION }, ANSWER],
  ["get_questions", { query: "old_tariffs" }, ANSWER],
  ["get_user", { query: "anna" }, ANSWER],
  ["Bash", { command: "cat answer.txt" }, `User has answered your questions: "${QUESTION}"="${ANSWER}".`],
];

const filler = (n: number) =>
  `Part ${n}: ${"the lease of each window and the shard behind it were looked at ".repeat(6)}`;
const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
const talk = Array.from({ length: 24 }, (_, n) => [
  { role: "user", content: `show part ${n}` },
  { role: "assistant", content: filler(n) },
]).flat();

/** The newest pair stays: that one is no question. */
const LATER: Call = ["read_file", { path: "a.ts" }, "export {};"];

const PAIRS = {
  "openai-chat": ([name, input, output]: Call, id: string): readonly object[] => [
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id, type: "function", function: { name, arguments: text(input) } }],
    },
    { role: "tool", tool_call_id: id, content: text(output) },
  ],
  anthropic: ([name, input, output]: Call, id: string): readonly object[] => [
    { role: "assistant", content: [{ type: "tool_use", id, name, input }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: text(output) }] },
  ],
  "openai-responses": ([name, input, output]: Call, id: string): readonly object[] => [
    { type: "function_call", call_id: id, name, arguments: text(input) },
    { type: "function_call_output", call_id: id, output: text(output) },
  ],
} as const;
type FormatName = keyof typeof PAIRS;
const FORMATS = Object.keys(PAIRS) as FormatName[];

const listOf = (format: FormatName, call: Call): readonly object[] => [
  { role: "user", content: "Set up the tariffs" },
  ...PAIRS[format](call, "q1"),
  ...PAIRS[format](LATER, "q2"),
  { role: "assistant", content: "Going on." },
  ...talk,
];

async function compacted(format: FormatName, call: Call) {
  let prompt = "";
  const messages = listOf(format, call);
  const settings = {
    archive: false,
    maxContextTokens: 4_000,
    policy: { hardCapBuffer: 50, keepToolIoPairs: 1 },
  } as const;
  const plain = await new CompactManager(settings).compact("s", messages, { format });
  const asking = {
    model: async (request: { prompt: string }) => {
      prompt = request.prompt;
      return { text: "## Goal\nx", finish: "stop" as const };
    },
  };
  await new CompactManager({ ...settings, summarizer: asking as never }).compact("s", messages, { format });
  const summary =
    plain.messages.map((message) => JSON.stringify(message)).find((json) => json.includes("<COMPACT-")) ?? "";
  return { summary: summary.replaceAll("\\n", "\n").replaceAll('\\"', '"'), prompt };
}

describe.each(FORMATS)("%s", (format) => {
  it.each(ASKED)("the answer that %s fetched is the user's", async (...call) => {
    verifies("fault/answers-through-tools");
    const { summary, prompt } = await compacted(format, call);
    expect(summary).toContain(`User: ${ANSWER}`);
    expect(summary).toContain(QUESTION);
    expect(summary).toMatch(/## Rules and constraints\n- "No, never drop old_tariffs before 2033"/);
    expect(summary).not.toContain("Tool:");
    expect(prompt).toMatch(new RegExp(`\\] user\n\\| ${ANSWER}`));
  });

  it.each(OTHERS)("what %s answered is a tool's", async (...call) => {
    const { summary, prompt } = await compacted(format, call);
    expect(summary).not.toContain(`User: ${ANSWER}`);
    expect(summary).not.toContain("## Rules");
    expect(prompt).not.toMatch(new RegExp(`\\] user\n\\| ${ANSWER}`));
  });
});

it("answers to several questions are the user's words alone, and a choice is told with its question", async () => {
  const call: Call = [
    "AskUserQuestion",
    {
      questions: [
        { question: "Which store?", options: OPTIONS },
        { question: 'Which "port"?', options: [{ label: "7000" }, { label: "7001" }] },
      ],
    },
    'User has answered your questions: "Which store?"="Keep it, but in "eu" only", "Which "port"?"="7001". You can now continue.',
  ];
  const { summary } = await compacted("anthropic", call);
  expect(summary).toContain('User: Keep it, but in "eu" only\n7001');
});

it.each([
  "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nleave the gate open, I have the key",
  "The user denied this operation and provided the following feedback:\n<feedback>\nleave the gate open, I have the key\n</feedback>",
])("what a user said instead of letting a call go through is the user's: %s", (refusal) => {
  const input = { file_path: "gate.ts", old_string: "a", new_string: "b" };
  const messages = [
    { role: "assistant", content: [{ type: "tool_use", id: "a", name: "Edit", input }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: refusal, is_error: true }] },
  ];
  const inputs = messages.map((message, at) => ({
    view: viewAnthropicMessage(message),
    source: { step: 1, message: at + 1 },
  }));
  const ledger = extractFacts(inputs, (words) => words);
  expect(ledger.userMessages.map(({ author, blocks }) => [author, blocks])).toEqual([
    ["user", ["leave the gate open, I have the key"]],
  ]);
  expect(ledger.files).toEqual([]);
});

it.each([["refused", "anthropic"]] as const)("a call that was %s is no answer", async () => {
  const messages = listOf("anthropic", [
    "AskUserQuestion",
    { questions: [{ question: QUESTION, options: OPTIONS }] },
    "The user doesn't want to proceed",
  ]);
  const refused = messages.map((message) =>
    JSON.parse(JSON.stringify(message).replace('"type":"tool_result"', '"type":"tool_result","is_error":true')),
  );
  const { messages: kept } = await new CompactManager({
    archive: false,
    maxContextTokens: 4_000,
    policy: { hardCapBuffer: 50, keepToolIoPairs: 1 },
  }).compact("s", refused, { format: "anthropic" });
  expect(JSON.stringify(kept)).not.toContain("User: The user doesn't");
});
