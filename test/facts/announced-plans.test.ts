import { describe, expect, it } from "vitest";
import { extractPlans, mergePlans } from "../../src/facts/kinds/plans.ts";
import { call, edit, factMessages, type Line, says, user } from "./fact-messages.ts";

const plans = (lines: readonly Line[]) => extractPlans(factMessages(lines));
const items = (lines: readonly Line[]) => plans(lines)[0]?.items.map(({ status, text }) => `${status} ${text}`);
const work = edit("a.ts", "a", "b");

const announced = says(
  "Here is my plan:\n\n1. Add the column\n2. Backfill the rows\n   - in batches\n3. Switch the readers",
);

describe("steps that the assistant announced", () => {
  it("in phases: done and confirmed, done, half done", () => {
    const lines = [
      user("Move the ledger to the new schema."),
      says(
        "I will do this in three phases.\n\n**Phase 1:** create the tables\n**Phase 2:** backfill the rows\n**Phase 3:** switch the readers",
      ),
      says("I will now do phase 1."),
      work,
      says("Phase 1 is done."),
      user("Good, phase 1 is confirmed."),
      says("I will now do phase 2."),
      edit("b.sql", "a", "b"),
      says("Phase 2 is done. Now phase 3."),
      edit("c.ts", "a", "b"),
      user("How far are you?"),
    ];
    const [plan] = plans(lines);
    expect(plan?.from).toBe("announced");
    expect(plan?.items.map(({ text, status, evidence }) => [text, status, evidence?.message])).toEqual([
      ["Phase 1: create the tables", "done", 7],
      ["Phase 2: backfill the rows", "done", 11],
      ["Phase 3: switch the readers", "in_progress", 11],
    ]);
    // The same, one phase announced at a time, and nobody says that phase 2 is done: going on shows it.
    const single = [
      says("Phase 1: create the tables"),
      work,
      user("phase 1 looks good"),
      says("Phase 2: backfill the rows"),
      says("Starting phase 2."),
      work,
      says("Phase 3: switch the readers"),
      says("Moving on to phase 3."),
      work,
    ];
    expect(items(single)).toEqual([
      "done Phase 1: create the tables",
      "done Phase 2: backfill the rows",
      "in_progress Phase 3: switch the readers",
    ]);
  });

  it("is not started before any work, in progress with it", () => {
    expect(items([announced])).toEqual([
      "not_started 1. Add the column",
      "not_started 2. Backfill the rows",
      "not_started 3. Switch the readers",
    ]);
    expect(items([announced, call("Read", { file_path: "a.ts" }, "x")])?.[0]).toBe("not_started 1. Add the column");
    expect(items([announced, edit("a.ts", "a", "b")])?.slice(0, 2)).toEqual([
      "in_progress 1. Add the column",
      "not_started 2. Backfill the rows",
    ]);
  });

  it.each<[string, readonly string[]]>([
    ["Step 1 is done.", ["done", "not_started", "not_started"]],
    ["Step 1 is done, now step 2.", ["done", "in_progress", "not_started"]],
    ["Steps 1 and 2 are complete.", ["done", "done", "not_started"]],
    ["Steps 1-3 are done.", ["done", "done", "done"]],
    ["✅ Step 1", ["done", "not_started", "not_started"]],
    ["All steps are done.", ["done", "done", "done"]],
    ["The migration is complete.", ["done", "done", "done"]],
    ["Step 1 is not done yet.", ["in_progress", "not_started", "not_started"]],
    ["Step 1 is half done.", ["in_progress", "not_started", "not_started"]],
    ["Once step 1 is done I go on.", ["in_progress", "not_started", "not_started"]],
    ["Shall I start step 2?", ["in_progress", "not_started", "not_started"]],
  ])("after work, %j", (text, expected) => {
    expect(plans([announced, work, says(text)])[0]?.items.map(({ status }) => status)).toEqual(expected);
  });

  it("is not done by the assistant's word alone", () => {
    expect(items([announced, says("Step 1 is done.")])?.[0]).toBe("not_started 1. Add the column");
    expect(items([announced, user("Step 1 is done, I did it.")])?.[0]).toBe("done 1. Add the column");
  });

  it.each([
    "I found two problems:\n1. The lock is missing\n2. The test is flaky",
    "What I changed:\n1. Added a lock\n2. Fixed the test",
    "You have two options:\n1. Keep it\n2. Drop it",
    "Before I start, two questions for the plan:\n1. Which port?\n2. Which host?",
    "1. alone",
    "Plan:\n2. second\n3. third",
    "To reproduce the plan's bug you can:\n1. Start the app\n2. Click",
  ])("is no list of other things: %j", (text) => {
    expect(plans([says(text), work])).toEqual([]);
  });

  it("comes from a plan that was shown for approval, and never from tools or users", () => {
    expect(
      items([
        call(
          "ExitPlanMode",
          { plan: "# Plan\n\n1. Add the column\n2. Backfill\n3. Switch\n\n## Verification\n1. Run tests\n2. Look" },
          "approved",
        ),
      ]),
    ).toEqual(["not_started 1. Add the column", "not_started 2. Backfill", "not_started 3. Switch"]);
    expect(
      plans([user("My plan:\n1. Add\n2. Remove"), call("Read", { path: "a" }, "Plan:\n1. Add\n2. Remove")]),
    ).toEqual([]);
  });

  it("is not told twice when a tool keeps it, and forgotten when nobody speaks of it", () => {
    const list = call("TodoWrite", { todos: [{ content: "Add", status: "pending" }] }, "ok");
    expect(plans([announced, list]).map(({ from }) => from)).toEqual(["TodoWrite"]);
    const questions = Array.from({ length: 5 }, (_, at) => [user(`question ${at}`), says("answer")]).flat();
    expect(plans([announced, work, ...questions])).toEqual([]);
  });

  it("is brought up to date over rounds", () => {
    const round = (lines: readonly Line[], step: number) => extractPlans(factMessages(lines, step));
    const first = round([says("Phase 1: create\nPhase 2: fill\nPhase 3: switch"), says("Starting phase 1."), work], 1);
    const second = round([work, says("Phase 1 is done."), user("ok"), says("Now phase 2."), work], 2);
    const merged = mergePlans(first, second);
    expect(merged).toHaveLength(1);
    expect(merged[0]?.items.map(({ status, text }) => `${status} ${text}`)).toEqual([
      "done Phase 1: create",
      "in_progress Phase 2: fill",
      "not_started Phase 3: switch",
    ]);
    const again = round([says("My plan, once more:\nPhase 1: create\nPhase 2: fill\nPhase 3: tell the users")], 3);
    expect(mergePlans(merged, again)[0]?.items.map(({ status, text }) => `${status} ${text}`)).toEqual([
      "done Phase 1: create",
      "in_progress Phase 2: fill",
      "not_started Phase 3: tell the users",
    ]);
    expect(mergePlans([], round([says("Phase 7 is done.")], 1))).toEqual([]);
  });
});
