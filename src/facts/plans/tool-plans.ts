// The latest state of each tool that keeps a list: to-do tools by their name, and those that the configuration
// names. The whole list stands in the call; with some tools in the result.
import { isArguments, parseStructure } from "../calls/argument-values.ts";
import type { Execution } from "../calls/executions.ts";
import { hasWord, toolWords } from "../calls/tool-names.ts";
import type { PlanFact, Source } from "../ledger.ts";
import { itemsOf, itemText, type PlanItem, statusOf, toolsCheckList } from "./plan-items.ts";

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
export function toolPlans(executions: readonly Execution[], stateTools: readonly string[]): readonly PlanFact[] {
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
export function listName(tool: string): string {
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
