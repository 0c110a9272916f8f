// Lists that are kept task by task: one call creates a task, others change it by its id. The id stays in the item's
// text, because the agent needs it for the next change, and later rounds find the task by it.
import { firstString, isArguments, parseStructure, toolWords } from "../calls/read-call.ts";
import type { Execution } from "../fact-message.ts";
import type { PlanFact } from "../ledger.ts";
import { itemText, statusOf } from "./plan-items.ts";

type Item = PlanFact["items"][number];

export const TASK_LIST = "tasks";
const ID_KEYS = ["taskId", "task_id", "id"];
const SUBJECT_KEYS = ["subject", "title", "name", "content", "description"];
const CREATING = new Set(["create", "add", "new"]);
const CHANGING = new Set(["update", "complete", "set", "finish", "delete"]);
const STATED_ID =
  /(?:task|#)\s{0,3}#?([\w-]{1,40})\b.{0,20}\b(?:created|added)|\b(?:created|added)\b.{0,20}(?:task|#)\s{0,3}#?([\w-]{1,40})/i;
const LISTED = /^\s{0,8}#([\w-]{1,40})\.? \[([\w ]{1,20})\] (.{1,400})$/;

/** Undefined when no task tool was used. Tasks of earlier rounds are known by their id alone. */
export function taskPlan(executions: readonly Execution[]): PlanFact | undefined {
  const items = new Map<string, Item>();
  let source: PlanFact["source"] | undefined;
  for (const execution of executions) {
    const words = toolWords(execution.call.name);
    if (!words.some((word) => word === "task" || word === "tasks") || execution.result?.isError) continue;
    const changed = changeTask(items, words, execution);
    if (changed) source = execution.source;
  }
  return source === undefined ? undefined : { kind: "plan", from: TASK_LIST, items: [...items.values()], source };
}

function changeTask(items: Map<string, Item>, words: readonly string[], execution: Execution): boolean {
  const { call, source, result } = execution;
  if (words.some((word) => CREATING.has(word))) {
    const subject = firstString(call.input, SUBJECT_KEYS);
    const id = idOf(execution);
    if (subject === undefined || id === undefined) return false;
    items.set(id, { text: itemText(`#${id} ${subject}`), status: "not_started", evidence: source });
    return true;
  }
  if (words.some((word) => CHANGING.has(word))) return updateTask(items, execution);
  return words.includes("list") && result !== undefined && readList(items, result.text, source);
}

function updateTask(items: Map<string, Item>, { call, source }: Execution): boolean {
  const id = idText(ID_KEYS.map((key) => call.input?.[key]).find((value) => value !== undefined));
  if (id === undefined) return false;
  const known = items.get(id);
  const subject = firstString(call.input, SUBJECT_KEYS.slice(0, 3));
  const text = subject === undefined ? (known?.text ?? `#${id}`) : itemText(`#${id} ${subject}`);
  const stated =
    call.input?.status ??
    (/complete|finish/i.test(call.name) ? "completed" : /delete/i.test(call.name) ? "deleted" : undefined);
  if (stated === undefined) {
    if (known !== undefined) items.set(id, { ...known, text });
    return known !== undefined;
  }
  const status = statusOf(stated);
  // A task of an earlier round that is taken off is not open any more.
  if (status === "dropped" && known === undefined) items.set(id, { text, status: "done", evidence: source });
  else if (status === "dropped") items.delete(id);
  else items.set(id, { text, status, evidence: source });
  return true;
}

function readList(items: Map<string, Item>, text: string, source: PlanFact["source"]): boolean {
  const listed = text
    .slice(0, 50_000)
    .split("\n")
    .flatMap((line) => LISTED.exec(line.slice(0, 500)) ?? []);
  for (let at = 0; at + 3 < listed.length; at += 4) {
    const [id = "", state = "", subject = ""] = listed.slice(at + 1, at + 4);
    const status = statusOf(state);
    const known = items.get(id);
    if (status !== "dropped" && known?.status !== status)
      items.set(id, { text: itemText(`#${id} ${subject}`), status, evidence: source });
  }
  return listed.length > 0;
}

/** The id stands in the answer; some tools are given it. */
function idOf({ call, result }: Execution): string | undefined {
  const given = idText(call.input?.id ?? call.input?.taskId);
  if (given !== undefined || result === undefined) return given;
  const answer = parseStructure(result.text);
  const task = isArguments(answer) && isArguments(answer.task) ? answer.task : answer;
  if (isArguments(task)) return idText(task.id ?? task.taskId ?? task.task_id);
  const stated = STATED_ID.exec(result.text.slice(0, 300));
  return stated?.[1] ?? stated?.[2];
}

function idText(value: unknown): string | undefined {
  return (typeof value === "string" && value !== "" && value.length <= 60) || typeof value === "number"
    ? String(value)
    : undefined;
}
