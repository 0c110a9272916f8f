// Calls of tools that are no shell, touch no file and keep no plan: what was asked, and what was answered.
import { describe, expect, it } from "vitest";
import { extractCalls, mergeCalls } from "../../src/facts/calls.ts";
import { extractFacts } from "../../src/facts/extract-facts.ts";
import { viewAnthropicMessage } from "../../src/providers/anthropic/messages.ts";
import { isWellFormed } from "../../src/text/well-formed.ts";
import { runThrough } from "../../src/tokens/stepwise.ts";
import { call, factMessages, type Line } from "./fact-messages.ts";

const calls = (...lines: Line[]) => runThrough(extractCalls(factMessages(lines)));

describe("calls", () => {
  it("hold name, arguments and answer in the order of the work", () => {
    expect(
      calls(
        call("book_flight", { from: "LIS", seats: 2, meals: ["veg"] }, " Booked: ABC123\n"),
        call("search_orders", "not json", "boom", true),
        call("Task", { prompt: "look\nfor leaks" }),
      ).map(({ text, answer, isError }) => [text, answer, isError]),
    ).toEqual([
      ['book_flight from: LIS, seats: 2, meals: ["veg"]', "Booked: ABC123", false],
      ["search_orders not json", "boom", true],
      ["Task prompt: look for leaks", "", false],
    ]);
  });

  it.each<[string, unknown]>([
    ["Bash", { command: "npm test" }],
    ["Edit", { file_path: "a.ts", old_string: "a", new_string: "b" }],
    ["Read", { file_path: "a.ts" }],
    ["Grep", { pattern: "x" }],
    ["Glob", { pattern: "*.ts" }],
    ["TodoWrite", { todos: [] }],
    ["update_plan", { plan: [] }],
    ["TaskCreate", { subject: "Write the tests" }],
    ["TaskUpdate", { taskId: "2", status: "completed" }],
    ["TaskList", {}],
    ["apply_patch", "*** Update File: a.ts"],
  ])("%s is told elsewhere, or is one look away", (name, input) => {
    expect(calls(call(name, input, "ok"))).toEqual([]);
  });

  it("are none where a name alone stands, and the label above an answer is not told", () => {
    const pair = (id: string, content: string) => [
      { role: "assistant", content: [{ type: "tool_use", id, name: "submit", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
    ];
    const said = [...pair("a", "OBSERVATION:\n"), ...pair("b", ""), ...pair("c", "OBSERVATION:\nnot found")];
    const inputs = said.map((message, at) => ({
      view: viewAnthropicMessage(message),
      source: { step: 1, message: at + 1 },
    }));
    const facts = extractFacts(inputs, (text) => text).calls;
    expect(facts.map(({ text, answer }) => [text, answer])).toEqual([["submit", "not found"]]);
  });

  it("tell what a user said when they refused one of any kind", () => {
    const refusal = "The user doesn't want to proceed with this tool use. They said: use pnpm";
    expect(calls(call("Bash", { command: "npm i" }, refusal, true))).toMatchObject([
      { answer: refusal, isError: true },
    ]);
    expect(calls(call("Bash", { command: "npm i" }, refusal))).toEqual([]);
  });

  it("keep beginning and end of what is long, at whole characters", () => {
    const [fact] = calls(call("ask", { text: "😀".repeat(5_000) }, `first ${"😀".repeat(50_000)} last`));
    expect(fact?.text.length).toBeLessThan(1_100);
    expect(fact?.answer).toMatch(/^first .* … .* last$/su);
    expect(fact?.answer.length).toBeLessThan(2_500);
    expect([fact?.text ?? "", fact?.answer ?? ""].every(isWellFormed)).toBe(true);
  });

  it("are carried over rounds, the newest four hundred", () => {
    const round = calls(...Array.from({ length: 300 }, (_, at) => call("ask", { at }, "ok")));
    const merged = mergeCalls(round, round);
    expect(merged).toHaveLength(400);
    expect(merged.at(-1)).toEqual(round.at(-1));
  });
});
