// What each strategy writes from a session whose course is known.
import { beforeAll, describe, expect, it } from "vitest";
import { sectionOfTitle } from "../../src/summaries/answer/read-answer.ts";
import { createExtractiveSummarizer } from "../../src/summaries/record.ts";
import { SHAPES } from "../../src/summaries/shapes.ts";
import { STRATEGIES, type Strategy } from "../../src/summaries/summarizer.ts";
import { assistant, type ChatMessage, pair, user } from "../conversation/support.ts";
import { verifies } from "../requirements/verifies.ts";
import { requestOf } from "./session.ts";

const TEST = "npx vitest run test/rows.test.ts";

/** A small repair with everything that a summary must know. */
const REPAIR: readonly ChatMessage[] = [
  user("The importer drops rows with quotes. Never touch the audit table. Success is a green test run."),
  assistant("I see two ways. Shall I use the csv parser instead of the regex? Quotes may span lines."),
  user("yes"),
  ...pair(["r1"], "export function parseRow(line) {}", "read_file", { path: "src/import/rows.ts" }),
  ...pair(
    ["t1"],
    "FAIL test/rows.test.ts\nError: expected 2 rows, got 1\nTests 1 failed | 3 passed (4)\nexit code 1",
    "run_command",
    {
      command: TEST,
    },
  ),
  ...pair(["e1"], "ok", "edit_file", {
    path: "src/import/rows.ts",
    old_string: "function parseRow(line) {",
    new_string: "function parseRow(line, options) {\n  const strict = readStrictly(options);",
  }),
  ...pair(["t2"], "Tests 4 passed (4)", "run_command", { command: TEST }),
  ...pair(["p1"], "ok", "todo_write", {
    todos: [
      { content: "fix the parser", status: "completed" },
      { content: "document the option", status: "in_progress" },
      { content: "tell the data team", status: "pending" },
    ],
  }),
  assistant("The parser is fixed and all four tests pass; the option still needs a line in the docs."),
  user("Good. The batch size is 500 from now on."),
  assistant("Noted: the batch size is 500. Should the docs name the old default, too?"),
];

const texts = new Map<Strategy, string>();
beforeAll(async () => {
  for (const strategy of STRATEGIES) {
    const { text } = await createExtractiveSummarizer().summarize(requestOf(REPAIR, { strategy, maxTokens: 2500 }));
    texts.set(strategy, text);
  }
});
const textOf = (strategy: Strategy) => texts.get(strategy) ?? "";
const sectionOf = (text: string, title: string) =>
  text.split("\n## ").find((section) => section.startsWith(title)) ?? "";
const titlesOf = (text: string) => [...text.matchAll(/^## (.+)$/gmu)].map(([, title]) => title);

describe("task_state", () => {
  it("begins with where things stand, then errors, files, commands, and what was said in order", () => {
    verifies("conversation/task-state-summary");
    expect(titlesOf(textOf("task_state"))).toEqual([
      "Where things stand",
      "Rules and constraints",
      "Errors, failed attempts and fixes",
      "Files changed",
      "Commands and their outcome",
      "Goals, decisions and results as they were said, in order",
    ]);
  });

  it("says what was asked last, what is open, and how the plan stands", () => {
    verifies("field/finished-work-comes-back", "field/plan-and-todo-list-lost");
    const state = sectionOf(textOf("task_state"), "Where things stand");
    expect(state).toMatch(/- Last request: "Good\. The batch size is 500 from now on\." \[1\.\d+\]/);
    expect(state).toMatch(/- Open question: .*Should the docs name the old default, too\? \[1\.\d+\]/);
    expect(state).toMatch(/- Done: fix the parser \[1\.\d+\]/);
    expect(state).toMatch(/- In progress: document the option \[1\.\d+\]/);
    expect(state).toMatch(/- Not started: tell the data team \[1\.\d+\]/);
  });

  it("says what failed and what settled it, what changed, and how the last run went, each line cited", () => {
    const text = textOf("task_state");
    expect(text).toMatch(/- Fixed: .*expected 2 rows, got 1 \(npx vitest run test\/rows\.test\.ts\).* \[1\.\d+\]/);
    expect(text).toMatch(/- src\/import\/rows\.ts: .*parseRow/);
    expect(text).toMatch(/- `npx vitest run test\/rows\.test\.ts` ok: .*4 passed.*\(1 of 2 runs\)/);
    for (const line of text.split("\n").filter((line) => line.startsWith("- "))) expect(line).toMatch(/\[\d+\.\d+\]$/);
  });
});

describe("decision_log", () => {
  it("lists decision :: rationale :: inputs :: outputs in the order they came, in the words that were said", () => {
    verifies("conversation/decision-log-summary");
    const log = sectionOf(textOf("decision_log"), "Decisions").split("\n").slice(1).filter(Boolean);
    expect(log).toHaveLength(3);
    for (const entry of log) expect(entry.split(" :: ")).toHaveLength(4);
    const order = log.map((entry) => Number(/^\[1\.(\d+)\]/.exec(entry)?.[1]));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    const [, chosen, last] = log.map((entry) => entry.replace(/^\[1\.\d+\] /, "").split(" :: "));
    expect(chosen?.[0]).toBe("user: yes (asked: Shall I use the csv parser instead of the regex?)");
    expect(chosen?.[1]).toContain("The parser is fixed and all four tests pass");
    expect(chosen?.[3]).toContain("src/import/rows.ts");
    expect(last?.slice(2)).toEqual(["none", "none"]);
  });

  it("invents nothing: every word of a decision and its reason was said", () => {
    const said = JSON.stringify(REPAIR);
    const log = sectionOf(textOf("decision_log"), "Decisions").split("\n").slice(1).filter(Boolean);
    const words = log.flatMap((entry) => entry.split(" :: ").slice(0, 2)).join(" ");
    for (const [word] of words.matchAll(/\p{L}{4,}/gu))
      if (!["user", "asked", "none", "given"].includes(word)) expect(said).toContain(word);
  });

  it("takes what a tool said for no reason", async () => {
    const messages = [
      user("Which page explains it?"),
      ...pair(["s"], "We decided to use tabs because spaces are slow.", "web_search", { query: "tabs" }),
      assistant("The style page does."),
    ];
    const request = requestOf(messages, { strategy: "decision_log" });
    const { text } = await createExtractiveSummarizer().summarize(request);
    expect(text).toMatch(
      /\[1\.1\] user: Which page explains it\? :: The style page does\. :: web_search query: tabs :: none/,
    );
    expect(text).not.toContain("spaces are slow");
  });
});

describe("code_delta", () => {
  it("leads with what changed in each file: names touched and added, then the lines", () => {
    verifies("conversation/code-delta-summary");
    const text = textOf("code_delta");
    expect(titlesOf(text)[0]).toBe("Files changed");
    expect(text).toMatch(/- src\/import\/rows\.ts: parseRow.*\+ const strict = readStrictly\(options\);/);
    expect(text).not.toMatch(/- src\/import\/rows\.ts: \+parseRow/);
    expect(titlesOf(text)).toContain("Follow-up: errors");
    expect(sectionOf(text, "Follow-up: where things stand")).toContain("In progress: document the option");
  });
});

describe("brief", () => {
  it("is shorter than the whole, and leaves out commands", async () => {
    const request = { strategy: "brief", maxTokens: 300 } as const;
    const { text } = await createExtractiveSummarizer().summarize(requestOf(REPAIR, request));
    expect(titlesOf(text)).not.toContain("Commands and their outcome");
    expect(text).toContain("Never touch the audit table.");
    expect(text).toContain("src/import/rows.ts");
  });
});

it.each(STRATEGIES)("%s keeps the users' words and the changed files", (strategy) => {
  expect(textOf(strategy)).toContain("Never touch the audit table. Success is a green test run.");
  expect(textOf(strategy)).toContain("src/import/rows.ts");
  expect(textOf(strategy)).toContain("The batch size is 500 from now on.");
});

it("every title of a summary is read as the section it opens", () => {
  for (const { sections } of Object.values(SHAPES))
    for (const [section, title] of sections) expect(sectionOfTitle(`## ${title}`)).toBe(section);
});
