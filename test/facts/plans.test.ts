import { describe, expect, it } from "vitest";
import { EMPTY_LEDGER, type PlanFact } from "../../src/facts/ledger.ts";
import { extractPlans, mergePlans } from "../../src/facts/plans.ts";
import { writeRecord } from "../../src/summaries/record.ts";
import { runThrough } from "../../src/tokens/stepwise.ts";
import { verifies } from "../requirements/verifies.ts";
import { call, edit, factMessages, type Line, says, user } from "./fact-messages.ts";

const plans = (lines: readonly Line[], stateTools: readonly string[] = []) =>
  runThrough(extractPlans(factMessages(lines), stateTools));
const items = (lines: readonly Line[], stateTools: readonly string[] = []) =>
  plans(lines, stateTools)[0]?.items.map(({ status, text }) => `${status} ${text}`);
const work = edit("a.ts", "a", "b");

describe("to-do tools", () => {
  it.each<[string, unknown, string | undefined]>([
    [
      "TodoWrite",
      {
        todos: [
          { content: "A", status: "completed", activeForm: "Doing A" },
          { content: "B", status: "in_progress" },
          { content: "C", status: "pending" },
        ],
      },
      "ok",
    ],
    [
      "todo_write",
      {
        todos: [
          { id: "1", content: "A", status: "done" },
          { content: "B", status: "in-progress" },
          { content: "C", status: "open" },
        ],
      },
      undefined,
    ],
    [
      "update_plan",
      {
        explanation: "x",
        plan: [
          { step: "A", status: "completed" },
          { step: "B", status: "in_progress" },
          { step: "C", status: "pending" },
        ],
      },
      "Plan updated",
    ],
    [
      "write_todos",
      {
        todos: [
          { description: "A", status: "completed" },
          { description: "B", status: "in_progress" },
          { description: "C", status: "pending" },
          { description: "D", status: "cancelled" },
        ],
      },
      "ok",
    ],
    [
      "todowrite",
      {
        todos: [
          { title: "A", done: true },
          { title: "B", status: "doing" },
          { title: "C", done: false },
        ],
      },
      "ok",
    ],
    [
      "manage_todo_list",
      {
        todoList: [
          { title: "A", status: "completed" },
          { title: "B", status: "in_progress" },
          { title: "C", status: "not-started" },
        ],
      },
      "ok",
    ],
    ["update_plan", { markdown: "# Plan\n- [x] A\n- [~] B\n- [ ] C\n" }, "ok"],
    ["update_todo_list", { todos: "[x] A\n[-] B\n[ ] C" }, "ok"],
    ["todo", "- [x] A\n* [>] B\n1. [ ] C", "ok"],
    [
      "todo_list",
      { action: "read" },
      '[{"content":"A","status":"completed"},{"content":"B","status":"in_progress"},{"content":"C","status":"pending"}]',
    ],
    ["todoread", {}, "Todos:\n- [x] A\n- [~] B\n- [ ] C"],
  ])("%s %j", (name, input, output) => {
    expect(items([call(name, input, output)])).toEqual(["done A", "in_progress B", "not_started C"]);
    expect(plans([call(name, input, output)])[0]?.from).toBe(name);
  });

  it.each<[string, unknown, string | undefined]>([
    ["TodoWrite", { todos: "none" }, "ok"],
    ["TodoWrite", { todos: [1, null, { content: 7 }] }, "ok"],
    ["TodoWrite", "not json", "ok"],
    ["TodoWrite", { todos: [{ content: "A", status: "pending" }] }, undefined],
    ["Write", { path: "plan.md", content: "- [x] A\n- [ ] B" }, "ok"],
    ["Read", { path: "todo.md" }, "- [x] A\n- [ ] B"],
  ])("%s %j makes no list of what is none", (name, input, output) => {
    const isList = output === undefined;
    expect(plans([call(name, input, output)])).toHaveLength(isList ? 1 : 0);
  });

  it("a failed call changes nothing, an emptied list is empty", () => {
    const list = call("TodoWrite", { todos: [{ content: "A", status: "pending" }] }, "ok");
    expect(items([list, call("TodoWrite", { todos: [] }, "invalid", true)])).toEqual(["not_started A"]);
    expect(items([list, call("TodoWrite", { todos: [] }, "ok")])).toEqual([]);
  });

  it("the last of five states stands after eighty other messages, each status with the message that first showed it", () => {
    const state = (done: number) =>
      call(
        "todo_write",
        {
          todos: Array.from({ length: 7 }, (_, at) => ({
            content: `Item ${at + 1}`,
            status: at < done ? "completed" : at === done ? "in_progress" : "pending",
          })),
        },
        "ok",
      );
    const filler = Array.from({ length: 80 }, (_, at) =>
      at % 2 === 0 ? user(`question ${at}`) : says(`answer ${at}`),
    );
    const [plan, ...others] = plans([...[0, 1, 2, 3, 4].map(state), ...filler]);
    expect(others).toEqual([]);
    expect(plan?.source).toEqual({ step: 1, message: 9 });
    expect(plan?.items.map(({ text, status, evidence }) => [text, status, evidence?.message])).toEqual([
      ["Item 1", "done", 3],
      ["Item 2", "done", 5],
      ["Item 3", "done", 7],
      ["Item 4", "done", 9],
      ["Item 5", "in_progress", 9],
      ["Item 6", "not_started", 1],
      ["Item 7", "not_started", 1],
    ]);
  });

  it("takes the state of a tool that the configuration names, list or not", () => {
    const board = call(
      "board_sync",
      { cards: 2 },
      '{"items":[{"name":"A","state":"closed"},{"name":"B","state":"open"}]}',
    );
    expect(plans([board])).toEqual([]);
    expect(items([board], ["board_sync"])).toEqual(["done A", "not_started B"]);
    expect(items([call("set_state", { stage: "review", build: "done" }, "ok")], ["set_state"])).toEqual([
      "in_progress stage: review",
      "done build: done",
    ]);
  });
});

describe("tasks kept by id", () => {
  const create = (id: number, subject: string) =>
    call("TaskCreate", { subject, description: "x" }, `Task #${id} created successfully: ${subject}`);
  const update = (id: string, status: string) =>
    call("TaskUpdate", { taskId: id, status }, `Updated task #${id} status`);

  it("are one list, with their ids", () => {
    expect(
      items([
        create(1, "A"),
        create(2, "B"),
        create(3, "C"),
        update("1", "completed"),
        update("2", "in_progress"),
        update("3", "deleted"),
      ]),
    ).toEqual(["done #1 A", "in_progress #2 B"]);
    expect(items([call("TaskList", {}, "#1 [completed] A\n#2 [pending] B\n")])).toEqual([
      "done #1 A",
      "not_started #2 B",
    ]);
    expect(
      items([
        call("create_task", { title: "A" }, '{"id":"t-1","status":"open"}'),
        call("complete_task", { id: "t-1" }, "ok"),
      ]),
    ).toEqual(["done #t-1 A"]);
  });

  it("are changed by later rounds that know only the id", () => {
    const first = runThrough(extractPlans(factMessages([create(1, "A"), create(2, "B")], 1)));
    const second = runThrough(extractPlans(factMessages([update("2", "completed"), create(3, "C")], 2)));
    expect(mergePlans(first, second)).toMatchObject([
      {
        items: [
          { text: "#1 A", status: "not_started" },
          { text: "#2 B", status: "done", evidence: { step: 2, message: 1 } },
          { text: "#3 C" },
        ],
      },
    ]);
  });
});

describe("a task that was taken off", () => {
  const create = (id: number, subject: string) =>
    call("TaskCreate", { subject }, `Task #${id} created successfully: ${subject}`);
  const update = (id: string, status: string) => call("TaskUpdate", { taskId: id, status }, "Updated");
  const rounds = (...all: Line[][]) =>
    all
      .map((lines, at) => runThrough(extractPlans(factMessages(lines, at + 1))))
      .reduce(mergePlans, [])
      .flatMap((plan) => plan.items.map(({ status, text }) => `${status} ${text}`));

  it("in a later round is not told as done, and one that was done stays done", () => {
    expect(rounds([create(1, "Write a plugin"), create(2, "B")], [update("1", "deleted")])).toEqual([
      "not_started #2 B",
    ]);
    const done = [create(1, "A"), update("1", "completed")];
    expect(rounds([...done, update("1", "deleted")])).toEqual(["done #1 A"]);
    expect(rounds(done, [update("1", "deleted")])).toEqual(["done #1 A"]);
  });

  it("is told by the list's own word where that is none of the known ones", () => {
    const todos = [
      { content: "A", status: "skipped" },
      { content: "B", status: "pending" },
    ];
    expect(plans([call("TodoWrite", { todos }, "ok")])[0]?.items).toMatchObject([
      { text: "A", state: "skipped" },
      { text: "B", status: "not_started" },
    ]);
    const { text } = runThrough(
      writeRecord({
        ledger: { ...EMPTY_LEDGER, plans: plans([call("TodoWrite", { todos }, "ok")]) },
        strategy: "task_state",
        room: 500,
        count: (words) => words.length / 4,
        header: [],
      }),
    );
    expect(text).toContain("- Skipped: A [1.1]\n- Not started: B [1.1]");
  });
});

describe("over rounds", () => {
  it("the newest state of a tool wins over rounds", () => {
    const round = (status: string, step: number) =>
      runThrough(extractPlans(factMessages([call("TodoWrite", { todos: [{ content: "A", status }] }, "ok")], step)));
    expect(mergePlans(round("pending", 1), round("completed", 2))).toMatchObject([
      { from: "TodoWrite", items: [{ status: "done" }], source: { step: 2 } },
    ]);
  });

  it.each(["update_plan", "TodoWrite", "manage_todo_list"])(
    "what %s says stands for the list that was announced before, whatever round it comes in",
    (tool) => {
      verifies("fault/plan-told-twice");
      const said = runThrough(
        extractPlans(factMessages([says("- [ ] Add limits\n- [ ] Wire them\n- [ ] Add tests")], 1)),
      );
      const items = ["Add limits", "Wire them", "Add tests"].map((content) => ({ content, status: "completed" }));
      const kept = runThrough(extractPlans(factMessages([call(tool, { todos: items }, "ok")], 2)));
      expect(mergePlans(said, kept).flatMap((plan) => plan.items.map(({ status }) => status))).toEqual([
        "done",
        "done",
        "done",
      ]);
      expect(mergePlans(kept, said)).toEqual(kept);
    },
  );

  it("reading and writing tools keep one list", () => {
    const written = call("todowrite", { todos: [{ content: "A", status: "pending" }] }, "ok");
    const read = call("todoread", {}, '[{"content":"A","status":"completed"}]');
    expect(plans([written, read])).toMatchObject([{ from: "todowrite", items: [{ status: "done" }] }]);
    const [first, second] = [
      runThrough(extractPlans(factMessages([written], 1))),
      runThrough(extractPlans(factMessages([read], 2))),
    ];
    expect(mergePlans(first, second)).toMatchObject([{ items: [{ status: "done" }] }]);
  });
});

describe("hostile input", () => {
  it("takes linear time, and nothing throws", () => {
    for (const unit of [
      "1. a\n",
      "1",
      "phase 1 ",
      "phase 1, 2, 3",
      "- [x] a\n",
      "[",
      "*",
      "- ",
      ", 1",
      " and 1",
      "done ",
      ". ",
      "\n",
    ]) {
      const text = unit.repeat(600_000 / unit.length);
      plans([says(text), user(text), call("TodoWrite", text, text), call("update_plan", { plan: text }, text), work]);
    }
    for (const input of [
      null,
      7,
      [],
      { todos: { a: 1 } },
      { plan: [[[]]] },
      { taskId: {} },
      { items: Array(10_000).fill({ text: "x" }) },
    ])
      for (const name of ["TodoWrite", "TaskCreate", "TaskUpdate", "update_plan", "__proto__", ""])
        plans([call(name, input, "{")], ["__proto__"]);
  });

  it("carries thousands of tasks over a round in seconds", () => {
    const round = (step: number): PlanFact => ({
      kind: "plan",
      from: "tasks",
      items: Array.from({ length: 8_000 }, (_, at) => ({
        text: `#${step * 10_000 + at} do it`,
        status: "not_started",
      })),
      source: { step, message: 1 },
    });
    const start = performance.now();
    expect(mergePlans([round(1)], [round(2)])[0]?.items).toHaveLength(16_000);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});
