// What each strategy writes from a session whose course is known.
import { describe, expect, it } from "vitest";
import { bench, pair, summaryOf, system, user } from "../conversation/support.ts";
import { verifies } from "../requirements/verifies.ts";

const say = (content: string) => ({ role: "assistant", content });
const filler = (n: number) => [
  user(`how is part ${n}?`),
  say(`Part ${n} looks fine to me. ${"Nothing special to add here. ".repeat(30)}`),
];

/** A small repair with everything a summary must know. */
const session = () => [
  system("You are a coding assistant."),
  user("The importer drops rows with quotes. Never touch the audit table. Success is a green test run."),
  say("I see two ways. I'll use the csv parser instead of the regex because quotes may span lines."),
  ...pair(["r1"], "export function parseRow(line) {}", "read_file", { path: "src/import/rows.ts" }),
  ...pair(
    ["t1"],
    "FAIL test/rows.test.ts\nError: expected 2 rows, got 1\nTests 1 failed | 3 passed (4)\nexit code 1",
    "run_command",
    { command: "npx vitest run test/rows.test.ts" },
  ),
  ...pair(["e1"], "ok", "edit_file", {
    path: "src/import/rows.ts",
    old_string: "function parseRow(line) {",
    new_string: "function parseRow(line, options) {",
  }),
  ...pair(["t2"], "Tests 4 passed (4)", "run_command", { command: "npx vitest run test/rows.test.ts" }),
  ...pair(["p1"], "ok", "todo_write", {
    todos: [
      { content: "fix the parser", status: "completed" },
      { content: "document the option", status: "in_progress" },
      { content: "tell the data team", status: "pending" },
    ],
  }),
  say("The parser is fixed and all four tests pass; the option still needs a line in the docs."),
  user("Good. The batch size is 500 from now on."),
  say("Noted: the batch size is 500."),
  ...Array.from({ length: 20 }, (_, n) => filler(n)).flat(),
];

async function write(strategy: "task_state" | "decision_log" | "code_delta" | "brief"): Promise<string> {
  const { manager } = bench({ policy: { strategy, keepToolIoPairs: 0 } });
  const messages = [...session(), ...pair(["last"], "ok", "list_files", { path: "." })];
  return summaryOf(await manager.manualCompact("s", messages)) ?? "";
}

describe("task_state", () => {
  it("has goals, constraints, decisions with their reason, state, files, errors and values, each line cited", async () => {
    verifies("conversation/task-state-summary");
    const text = await write("task_state");
    expect(text).toContain("The importer drops rows with quotes. Never touch the audit table.");
    expect(text).toMatch(/- must not: "Never touch the audit table\.?" \[1\.2\]/);
    expect(text).toMatch(/\[1\.3\].*csv parser.* :: .*quotes may span lines/);
    expect(text).toMatch(/- done: fix the parser/);
    expect(text).toMatch(/- in progress: document the option/);
    expect(text).toMatch(/- not started: tell the data team/);
    expect(text).toMatch(/- src\/import\/rows\.ts: .*parseRow.*\[1\.\d+\]/);
    expect(text).toMatch(/- fixed .*expected 2 rows, got 1/);
    expect(text).toMatch(/`npx vitest run test\/rows\.test\.ts` ok: .*4 passed/);
    const lines = text.split("\n").filter((line) => line.startsWith("- "));
    for (const line of lines) expect(line).toMatch(/\[\d+\.\d+(, \d+\.\d+)*\]/);
  });

  it("marks finished work as done, and states what is in progress apart from it", async () => {
    verifies("field/finished-work-comes-back", "field/plan-and-todo-list-lost");
    const text = await write("task_state");
    expect(text).toContain("work it lists as done is done");
    const plan = text.slice(
      text.indexOf("## State of the plan"),
      text.indexOf("##", text.indexOf("## State of the plan") + 4),
    );
    expect(plan.match(/^- /gm)).toHaveLength(3);
  });
});

describe("decision_log", () => {
  it("lists decisions as decision :: rationale :: inputs :: outputs, in the order they were made", async () => {
    verifies("conversation/decision-log-summary");
    const text = await write("decision_log");
    const log = text.slice(text.indexOf("## Decisions"), text.indexOf("##", text.indexOf("## Decisions") + 4));
    const entries = log.split("\n").filter((line) => /^\[\d+\.\d+\]/.test(line));
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries) expect(entry.split(" :: ").length).toBeGreaterThanOrEqual(4);
    const order = entries.map((entry) => Number(/^\[1\.(\d+)\]/.exec(entry)?.[1]));
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });
});

describe("code_delta", () => {
  it("leads with what changed in each file, and why", async () => {
    verifies("conversation/code-delta-summary");
    const text = await write("code_delta");
    expect(text.indexOf("## Files changed")).toBeGreaterThan(0);
    expect(text.indexOf("## Files changed")).toBeLessThan(text.indexOf("## Goals and requests"));
    expect(text).toMatch(/- src\/import\/rows\.ts: .*touched .*parseRow/);
    expect(text).toMatch(/## Follow-up: plan/);
  });
});

describe("every strategy", () => {
  it.each(["task_state", "decision_log", "code_delta", "brief"] as const)(
    "%s keeps the users' words and the changed files",
    async (strategy) => {
      const text = await write(strategy);
      expect(text).toContain("Never touch the audit table. Success is a green test run.");
      expect(text).toContain("src/import/rows.ts");
      expect(text).toContain("The batch size is 500 from now on.");
    },
  );
});
