// Items of to-do lists, however a tool names their fields and states.

import { cutWords } from "../../language/last-sentence.ts";
import { firstString, isArguments, objectsOf, stringsOf } from "../calls/read-call.ts";
import type { PlanFact } from "../ledger.ts";

export type PlanStatus = PlanFact["items"][number]["status"];

export interface PlanItem {
  readonly text: string;
  /** `dropped`: taken off the list. */
  readonly status: PlanStatus | "dropped";
}

const LONGEST_ITEM = 300;
const MOST_ITEMS = 200;
const LIST_KEYS = [
  "todos",
  "plan",
  "items",
  "tasks",
  "steps",
  "list",
  "todo_list",
  "task_list",
  "taskList",
  "todoList",
  "newTodos",
  "checklist",
];
const TEXT_KEYS = ["content", "step", "text", "title", "task", "subject", "name", "description", "label", "activeForm"];
const STATUS_KEYS = ["status", "state", "done", "completed", "checked", "is_done", "isDone"];
const STATES: Readonly<Record<string, PlanItem["status"]>> = {
  completed: "done",
  complete: "done",
  done: "done",
  closed: "done",
  finished: "done",
  resolved: "done",
  checked: "done",
  x: "done",
  true: "done",
  "✓": "done",
  "✔": "done",
  "✅": "done",
  merged: "done",
  in_progress: "in_progress",
  inprogress: "in_progress",
  active: "in_progress",
  doing: "in_progress",
  started: "in_progress",
  working: "in_progress",
  current: "in_progress",
  running: "in_progress",
  wip: "in_progress",
  "~": "in_progress",
  ">": "in_progress",
  cancelled: "dropped",
  canceled: "dropped",
  deleted: "dropped",
  removed: "dropped",
  abandoned: "dropped",
};
const CHECK_LINE = /^\s{0,20}(?:[-*+]|\d{1,4}[.)])?\s{0,4}\[([ xX~>✓✔/-])\]\s{1,4}(\S.{0,500})$/;

/** States that say nothing known, and none, are `not_started`. */
export function statusOf(value: unknown): PlanItem["status"] {
  const word = String(typeof value === "string" || typeof value === "boolean" ? value : "")
    .trim()
    .toLowerCase();
  const name = word.replace(/[\s-]+/g, "_");
  return Object.hasOwn(STATES, name) ? (STATES[name] ?? "not_started") : "not_started";
}

/** The items of a JSON value that holds a list of them; undefined when it holds none. */
export function itemsOf(value: unknown): readonly PlanItem[] | undefined {
  const lists = isArguments(value) ? LIST_KEYS.map((key) => value[key]) : [value];
  for (const list of lists) {
    const items = listItems(list);
    if (items !== undefined) return items;
    const nested = typeof list === "string" ? toolsCheckList(list) : [];
    if (nested.length > 0) return nested;
  }
  return undefined;
}

/** An empty list is a list: everything was taken off. */
function listItems(list: unknown): readonly PlanItem[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const items = objectsOf(list).flatMap((entry): readonly PlanItem[] => {
    const text = firstString(entry, TEXT_KEYS);
    const key = STATUS_KEYS.find((name) => entry[name] !== undefined);
    return text === undefined || text.trim() === ""
      ? []
      : [{ text: itemText(text), status: statusOf(key && entry[key]) }];
  });
  const plain = stringsOf(list).flatMap(
    (text) =>
      checkItem(text, "in_progress") ??
      (text.trim() === "" ? [] : { text: itemText(text), status: "not_started" as const }),
  );
  return items.length + plain.length === 0 && list.length > 0 ? undefined : [...items, ...plain].slice(0, MOST_ITEMS);
}

/** The lines of a Markdown check list. `[-]` is an item taken off in notes, and one that is worked on in a tool's list. */
export function checkList(text: string, dash: "cancelled" | "in_progress" = "cancelled"): readonly PlanItem[] {
  return text
    .slice(0, 100_000)
    .split("\n")
    .flatMap((line) => checkItem(line, dash) ?? [])
    .slice(0, MOST_ITEMS);
}

/** The same in a tool's list. */
export function toolsCheckList(text: string): readonly PlanItem[] {
  return checkList(text, "in_progress");
}

function checkItem(line: string, dash: string): PlanItem | undefined {
  const match = CHECK_LINE.exec(line.slice(0, 600));
  if (match === null) return undefined;
  const mark = match[1] === "/" ? "~" : match[1] === "-" ? dash : (match[1] ?? "");
  return { text: itemText(match[2] ?? ""), status: statusOf(mark) };
}

export function itemText(text: string): string {
  return cutWords(text.replace(/\s+/g, " ").trim(), LONGEST_ITEM);
}
