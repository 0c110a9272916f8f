// The latest state of plans and to-do lists that tools keep, however they name fields and states; where no tool does, of
// the check list that the assistant wrote.
import { cutWords } from "../language/sentences.ts";
import { flat } from "../text/quote.ts";
import type { Stepwise } from "../tokens/stepwise.ts";
import { type Execution, readExecutions } from "./executions.ts";
import type { FactMessage } from "./fact-message.ts";
import type { PlanFact, Source } from "./ledger.ts";
import {
  type Arguments,
  firstString,
  hasWord,
  isArguments,
  objectsOf,
  parseStructure,
  stringsOf,
  toolWords,
} from "./tool-call.ts";

type Item = PlanFact["items"][number];

type PlanItem = Omit<Item, "evidence">;

/** `stateTools`: names of further tools whose latest call or result is the state of something. */
export function* extractPlans(
  messages: readonly FactMessage[],
  stateTools: readonly string[] = [],
): Stepwise<readonly PlanFact[]> {
  const executions = readExecutions(messages);
  const tasks = taskPlan(executions);
  yield;
  const kept = [...toolPlans(executions, stateTools), ...tasks];
  // What a tool keeps is the state; a list that is written out besides only repeats it.
  return kept.length > 0 ? kept : saidCheckLists(messages);
}

const LIST_WORDS = new Set("todo todos todowrite todoread plan tasks checklist steps tracker".split(" "));
const VERBS = new Set("read write update get set list create add manage show view".split(" "));

/** A tool whose calls are told as the state of a plan. Plan mode is where one is shown. */
export function keepsPlan(name: string): boolean {
  return keepsList(name) || keepsTasks(toolWords(name));
}

function keepsList(name: string): boolean {
  const words = toolWords(name);
  return hasWord(words, LIST_WORDS) && !words.includes("mode");
}

/** One list for the tools that read and write it: `todoread`, `todowrite`. */
function listName(tool: string): string {
  const words = toolWords(tool).map((word) => word.replace(/^(todo)s?(?:read|write)?$/, "$1"));
  return words.filter((word) => !VERBS.has(word)).join(" ");
}

/** The latest state of each tool that keeps a list, in the order in which they were first used. */
function toolPlans(executions: readonly Execution[], stateTools: readonly string[]): readonly PlanFact[] {
  const plans = new Map<string, PlanFact>();
  for (const execution of executions) {
    const { name } = execution.call;
    const isNamed = stateTools.includes(name);
    if ((!isNamed && !keepsList(name)) || execution.result?.isError) continue;
    const items = listOf(execution) ?? (isNamed ? fieldsOf(execution) : undefined);
    const list = isNamed ? name : listName(name);
    if (items !== undefined) plans.set(list, nextState(plans.get(list), name, items, execution.source));
  }
  return [...plans.values()];
}

/** The whole list stands in the call; with some tools in the result. */
function listOf({ call, result }: Execution): readonly PlanItem[] | undefined {
  const asked = itemsOf(call.input) ?? nonEmpty(call.texts.flatMap((text) => checkList(text)));
  if (asked !== undefined || result === undefined) return asked;
  return itemsOf(parseStructure(result.text)) ?? nonEmpty(checkList(result.text));
}

function nonEmpty(items: readonly PlanItem[]): readonly PlanItem[] | undefined {
  return items.length === 0 ? undefined : items;
}

/** A state that is no list, of a tool that the configuration names: its fields, one an item. */
function fieldsOf({ call, result }: Execution): readonly PlanItem[] | undefined {
  const answered = parseStructure(result?.text ?? "");
  const fields = Object.entries((isArguments(answered) ? answered : call.input) ?? { "": result?.text ?? "" });
  const items = fields.map(([key, value]): PlanItem => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const stated = stateOf(value);
    return {
      text: itemText(key === "" ? text : `${key}: ${text}`),
      status: stated.state === undefined ? stated.status : "in_progress",
    };
  });
  return nonEmpty(items.filter(({ text }) => text !== ""));
}

/** What shows a state is the first message that gave it. */
function nextState(known: PlanFact | undefined, from: string, items: readonly PlanItem[], source: Source): PlanFact {
  const before = new Map((known?.items ?? []).map((item) => [item.text, item]));
  const onList = items.filter(({ status }) => status !== "dropped");
  const next = onList.map((item): Item => {
    const same = before.get(item.text);
    return { ...item, evidence: same?.status === item.status ? (same.evidence ?? source) : source };
  });
  return { kind: "plan", from: known?.from ?? from, items: next, source };
}

const SAID = "check list";
/** A single line with a box is a choice that is offered, or an item that is quoted. */
const FEWEST = 2;

function saidCheckLists(messages: readonly FactMessage[]): readonly PlanFact[] {
  let plan: PlanFact | undefined;
  for (const { spoken, source } of messages) {
    for (const { author, text } of spoken) {
      const items = author === "assistant" ? checkList(text, "dropped") : [];
      if (items.length >= FEWEST) plan = nextState(plan, SAID, items, source);
    }
  }
  return plan === undefined ? [] : [plan];
}

const LONGEST_ITEM = 300;
const MOST_ITEMS = 200;
const LIST_KEYS = /^(?:plan|items|list|steps|checklist|(?:new|task|todo)?_?(?:todos|tasks|list))$/i;
const TEXT_KEYS = ["content", "step", "text", "title", "task", "subject", "name", "description"];
const STATUS_KEYS = ["status", "state", "done", "completed"];
const DONE = /^(?:[x✓✔✅]|true|done|completed?|closed|finished|resolved|merged)$/i;
const WORKED_ON = /^(?:[~>/]|in[ _-]?progress|active|doing|started|current|running)$/i;
const DROPPED = /^(?:cancell?ed|deleted|removed|abandoned)$/i;
const NOT_STARTED = /^(?:undefined|null|false|pending|to[ _-]?do|open|not[ _-]?started)?$/i;
const LONGEST_STATE = 30;
const CHECK_LINE = /^\s{0,20}(?:[-*+]|\d{1,4}[.)])?\s{0,4}\[([ xX~>✓✔/-])\]\s{1,4}(\S.{0,500})$/;

/** A word that says nothing known is told as it is: what it means is for whoever reads it. */
function stateOf(value: unknown): Pick<Item, "status" | "state"> {
  const word = String(value).trim();
  if (DONE.test(word)) return { status: "done" };
  if (WORKED_ON.test(word)) return { status: "in_progress" };
  if (DROPPED.test(word)) return { status: "dropped" };
  return { status: "not_started", ...(NOT_STARTED.test(word) ? {} : { state: cutWords(word, LONGEST_STATE) }) };
}

/** The items of a JSON value that holds a list of them; undefined when it holds none. An empty list is a list. */
function itemsOf(value: unknown): readonly PlanItem[] | undefined {
  const lists = isArguments(value)
    ? Object.entries(value).flatMap(([key, entry]) => (LIST_KEYS.test(key) ? [entry] : []))
    : [value];
  const list = lists.find(Array.isArray);
  if (list === undefined) return undefined;
  const items = [...objectsOf(list).flatMap(itemOf), ...stringsOf(list).flatMap(plainItem)];
  return items.length === 0 && list.length > 0 ? undefined : items.slice(0, MOST_ITEMS);
}

function itemOf(entry: Arguments): readonly PlanItem[] {
  const text = itemText(firstString(entry, TEXT_KEYS) ?? "");
  const status = STATUS_KEYS.map((key) => entry[key]).find((value) => value !== undefined);
  return text === "" ? [] : [{ text, ...stateOf(status) }];
}

function plainItem(text: string): readonly PlanItem[] {
  const checked = checkList(text);
  return checked.length > 0 || text.trim() === "" ? checked : [{ text: itemText(text), status: "not_started" }];
}

/** The lines of a Markdown check list. `[-]` is worked on in a tool's list, and taken off in notes. */
function checkList(text: string, dash: PlanItem["status"] = "in_progress"): readonly PlanItem[] {
  const lines = text.includes("] ") ? text.slice(0, 100_000).split("\n") : [];
  const items = lines.flatMap((line): readonly PlanItem[] => {
    const [, mark, said = ""] = CHECK_LINE.exec(line.slice(0, 600)) ?? [];
    if (mark === undefined) return [];
    return [{ text: itemText(said), ...(mark === "-" ? { status: dash } : stateOf(mark)) }];
  });
  return items.slice(0, MOST_ITEMS);
}

function itemText(text: string): string {
  return cutWords(flat(text), LONGEST_ITEM);
}

// Lists that are kept task by task: one call creates a task, others change it by its id. The id stays in the item's
// text, because the agent needs it for the next change, and later rounds find the task by it.

const TASK_LIST = "tasks";
const ID_KEYS = ["taskId", "task_id", "id"];
const SUBJECT_KEYS = ["subject", "title", "name", "content", "description"];
const CREATING = new Set(["create", "add", "new"]);
const CHANGING = new Set(["update", "complete", "set", "finish", "delete"]);
const STATED_ID =
  /(?:task|#)\s{0,3}#?([\w-]{1,40})\b.{0,20}\b(?:created|added)|\b(?:created|added)\b.{0,20}(?:task|#)\s{0,3}#?([\w-]{1,40})/i;
const LISTED = /^\s{0,8}#([\w-]{1,40})\.? \[([\w ]{1,20})\] (.{1,400})$/;

/** Whoever is given a task, a subagent for one, keeps none. */
function keepsTasks(words: readonly string[]): boolean {
  const isOfTasks = words.includes("task") || words.includes("tasks");
  return isOfTasks && (hasWord(words, CREATING) || hasWord(words, CHANGING) || words.includes("list"));
}

/** None when no task tool was used. Tasks of earlier rounds are known by their id alone. */
function taskPlan(executions: readonly Execution[]): readonly PlanFact[] {
  const items = new Map<string, Item>();
  let source: Source | undefined;
  for (const execution of executions) {
    const words = toolWords(execution.call.name);
    if (!keepsTasks(words) || execution.result?.isError) continue;
    if (changeTasks(items, words, execution)) source = execution.source;
  }
  return source === undefined ? [] : [{ kind: "plan", from: TASK_LIST, items: [...items.values()], source }];
}

function changeTasks(items: Map<string, Item>, words: readonly string[], execution: Execution): boolean {
  const { call, source, result } = execution;
  if (hasWord(words, CREATING)) {
    const subject = firstString(call.input, SUBJECT_KEYS);
    const id = createdId(execution);
    if (subject === undefined || id === undefined) return false;
    items.set(id, { text: itemText(`#${id} ${subject}`), status: "not_started", evidence: source });
    return true;
  }
  if (hasWord(words, CHANGING)) return updateTask(items, words, execution);
  const lines = words.includes("list") ? (result?.text ?? "").slice(0, 50_000).split("\n") : [];
  const listed = lines.flatMap((line) => [LISTED.exec(line.slice(0, 500)) ?? []].filter(({ length }) => length > 0));
  for (const [, id = "", state = "", subject = ""] of listed) {
    const stated = stateOf(state);
    if (stated.status !== "dropped" && items.get(id)?.status !== stated.status)
      items.set(id, { text: itemText(`#${id} ${subject}`), ...stated, evidence: source });
  }
  return listed.length > 0;
}

function updateTask(items: Map<string, Item>, words: readonly string[], { call, source }: Execution): boolean {
  const id = idOf(call.input);
  if (id === undefined) return false;
  const known = items.get(id);
  const subject = firstString(call.input, SUBJECT_KEYS.slice(0, 3));
  const text = subject === undefined ? (known?.text ?? `#${id}`) : itemText(`#${id} ${subject}`);
  const verb = words.includes("delete") ? "deleted" : words.includes("complete") ? "completed" : undefined;
  const stated = call.input?.status ?? verb;
  if (stated !== undefined) change(items, id, { text, ...stateOf(stated), evidence: source });
  else if (known !== undefined) items.set(id, { ...known, text });
  return stated !== undefined || known !== undefined;
}

/** A task that is taken off leaves the list, unless it was done; of one that only an earlier round knows, that it left is noted. */
function change(items: Map<string, Item>, key: string, next: Item): void {
  const known = items.get(key);
  if (known === undefined || next.status !== "dropped") items.set(key, next);
  else if (known.status !== "done") items.delete(key);
}

/** The id stands in the answer; some tools are given it. */
function createdId({ call, result }: Execution): string | undefined {
  const answer = parseStructure(result?.text ?? "");
  const task = isArguments(answer) && isArguments(answer.task) ? answer.task : answer;
  const given = idOf(call.input) ?? (isArguments(task) ? idOf(task) : undefined);
  const stated = STATED_ID.exec(result?.text.slice(0, 300) ?? "");
  return given ?? stated?.[1] ?? stated?.[2];
}

function idOf(input: Arguments | undefined): string | undefined {
  const id = ID_KEYS.map((key) => input?.[key]).find((value) => typeof value === "string" || typeof value === "number");
  return id === undefined || id === "" ? undefined : String(id).slice(0, 60);
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
  const kept = plans.filter(({ from }) => from !== SAID);
  return kept.length > 0 ? kept : plans;
}

function overlaid(known: readonly Item[], changes: readonly Item[]): readonly Item[] {
  const items = new Map(known.map((item) => [itemKey(item.text), item]));
  for (const next of changes) {
    const key = itemKey(next.text);
    const before = items.get(key);
    change(items, key, before !== undefined && next.text === key ? { ...next, text: before.text } : next);
  }
  return [...items.values()];
}

/** The id that a task's text opens with; one of an earlier round may be nothing else. */
function itemKey(text: string): string {
  return /^#[\w-]{1,60}/.exec(text)?.[0] ?? text;
}
