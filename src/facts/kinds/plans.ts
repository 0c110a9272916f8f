// The latest state of plans and to-do lists that tools keep; where none does, of the check list that the assistant wrote.

import { runThrough, type Stepwise } from "../../tokens/turns/stepwise.ts";
import { hasWord, isArguments, parseStructure, toolWords } from "../calls/read-call.ts";
import { type Execution, type FactMessage, readExecutions } from "../fact-message.ts";
import type { PlanFact, Source } from "../ledger.ts";
import { checkList, itemsOf, itemText, type PlanItem, statusOf, toolsCheckList } from "../plans/plan-items.ts";
import { TASK_LIST, taskPlan } from "../plans/task-tools.ts";

/** `stateTools`: names of further tools whose latest call or result is the state of something. */
export function* extractPlansStepwise(
  messages: readonly FactMessage[],
  stateTools: readonly string[] = [],
): Stepwise<readonly PlanFact[]> {
  const executions = readExecutions(messages);
  const tasks = taskPlan(executions);
  yield;
  const kept = [...toolPlans(executions, stateTools), ...(tasks === undefined ? [] : [tasks])];
  // What a tool keeps is the state; a list that is written out besides only repeats it.
  return kept.length > 0 ? kept : saidCheckLists(messages);
}

// The latest state of each tool that keeps a list: to-do tools by their name, and those that the configuration
// names. The whole list stands in the call; with some tools in the result.

type Item = PlanFact["items"][number];

const LIST_WORDS = new Set([
  "todo",
  "todos",
  "todowrite",
  "todoread",
  "plan",
  "tasks",
  "checklist",
  "steps",
  "tracker",
]);

const VERBS = new Set("read write update get set list create add manage show view".split(" "));

/** In the order in which the tools were first used. */
function toolPlans(executions: readonly Execution[], stateTools: readonly string[]): readonly PlanFact[] {
  const plans = new Map<string, PlanFact>();
  for (const execution of executions) {
    const { name } = execution.call;
    const isNamed = stateTools.includes(name);
    if ((!isNamed && !keepsList(name)) || execution.result?.isError) continue;
    const items = listOf(execution) ?? (isNamed ? fieldsOf(execution) : undefined);
    if (items === undefined) continue;
    const list = isNamed ? name : listName(name);
    plans.set(list, nextState(plans.get(list), name, items, execution.source));
  }
  return [...plans.values()];
}

/** Plan mode is where a plan is shown, not kept. */
function keepsList(name: string): boolean {
  const words = toolWords(name);
  return hasWord(words, LIST_WORDS) && !words.includes("mode");
}

/** A tool whose calls are told as the state of a plan. */
export function keepsPlan(name: string): boolean {
  return keepsList(name) || toolWords(name).some((word) => word === "tasks");
}

/** One list for the tools that read and write it: `todoread`, `todowrite`. */
function listName(tool: string): string {
  const words = toolWords(tool).map((word) => word.replace(/^(todo)s?(?:read|write)?$/, "$1"));
  return words.filter((word) => !VERBS.has(word)).join(" ");
}

function listOf({ call, result }: Execution): readonly PlanItem[] | undefined {
  const asked =
    call.input === undefined
      ? nonEmpty(toolsCheckList(call.texts[0] ?? ""))
      : (itemsOf(call.input) ?? nonEmpty(call.texts.flatMap(toolsCheckList)));
  if (asked !== undefined) return asked;
  if (result === undefined) return undefined;
  return itemsOf(parseStructure(result.text)) ?? nonEmpty(toolsCheckList(result.text));
}

function nonEmpty(items: readonly PlanItem[]): readonly PlanItem[] | undefined {
  return items.length === 0 ? undefined : items;
}

/** A state that is no list, of a tool that the configuration names: its fields, one an item. */
function fieldsOf({ call, result }: Execution): readonly PlanItem[] | undefined {
  const answered = parseStructure(result?.text ?? "");
  const state = isArguments(answered) ? answered : call.input;
  if (state === undefined)
    return nonEmpty(
      [{ text: itemText(result?.text ?? ""), status: "in_progress" as const }].filter(({ text }) => text !== ""),
    );
  const items = Object.entries(state).map(([key, value]): PlanItem => {
    const status = statusOf(value);
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return { text: itemText(`${key}: ${text}`), status: status === "not_started" ? "in_progress" : status };
  });
  return nonEmpty(items);
}

/** What shows a state is the first message that gave it. */
export function nextState(
  known: PlanFact | undefined,
  from: string,
  items: readonly PlanItem[],
  source: Source,
): PlanFact {
  const before = new Map((known?.items ?? []).map((item) => [item.text, item]));
  const next = items.flatMap(({ text, status }): readonly Item[] => {
    if (status === "dropped") return [];
    const same = before.get(text);
    return [{ text, status, evidence: same?.status === status ? (same.evidence ?? source) : source }];
  });
  return { kind: "plan", from: known?.from ?? from, items: next, source };
}

// Check lists that the assistant wrote out in its words: the latest state, item by item. One in a file is what the
// file says.

const FROM = "check list";
/** A single line with a box is a choice that is offered, or an item that is quoted. */
const FEWEST = 2;

function saidCheckLists(messages: readonly FactMessage[]): readonly PlanFact[] {
  let plan: PlanFact | undefined;
  for (const { spoken, source } of messages) {
    for (const { author, text } of spoken) {
      const items = author === "assistant" && text.includes("] ") ? checkList(text) : [];
      if (items.length >= FEWEST) plan = nextState(plan, FROM, items, source);
    }
  }
  return plan === undefined ? [] : [plan];
}

// Carries plans over a round. The newest state of a tool stands for all before it; tasks kept by id are brought up to
// date one by one, because a later round names only those that changed.

export function mergePlans(earlier: readonly PlanFact[], later: readonly PlanFact[]): readonly PlanFact[] {
  const plans = [...earlier];
  for (const plan of later) {
    const at = plans.findIndex(({ from }) => from === plan.from || listName(from) === listName(plan.from));
    const known = plans[at];
    if (known === undefined) plans.push(plan);
    else plans[at] = plan.from === TASK_LIST ? { ...plan, items: overlaid(known.items, plan.items) } : plan;
  }
  return plans;
}

function overlaid(known: readonly Item[], changes: readonly Item[]): readonly Item[] {
  const items = new Map(known.map((item) => [itemKey(item.text), item]));
  for (const change of changes) {
    const key = itemKey(change.text);
    const before = items.get(key);
    items.set(key, before !== undefined && change.text === key ? { ...change, text: before.text } : change);
  }
  return [...items.values()];
}

/** The id that a task's text opens with; one of an earlier round may be nothing else. */
function itemKey(text: string): string {
  return /^#[\w-]{1,60}/.exec(text)?.[0] ?? text;
}

export const extractPlans = (messages: readonly FactMessage[], stateTools: readonly string[] = []) =>
  runThrough(extractPlansStepwise(messages, stateTools));
