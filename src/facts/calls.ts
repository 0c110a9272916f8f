// Calls of tools that are no shell, touch no file and keep no plan: bookings, searches, other agents. What they were
// asked and what they answered is often the work itself.
import { headTail } from "../text/quote.ts";
import type { Stepwise } from "../tokens/stepwise.ts";
import { type Execution, readExecutions } from "./executions.ts";
import type { FactMessage } from "./fact-message.ts";
import { fileOperations } from "./files.ts";
import type { CallFact } from "./ledger.ts";
import { keepsPlan } from "./plans.ts";
import { hasWord, isRefusal, scriptOf, toolWords } from "./tool-call.ts";

const LONGEST_ARGUMENTS = { head: 200, tail: 100 };
const LONGEST_ANSWER = { head: 1_600, tail: 800 };
/** Carried over all rounds: the newest. */
const MOST_CALLS = 400;
/** Tools that look at the code: what they show is one call away. */
const LOOKING = new Set("read grep glob ls tree cat open view".split(" "));

export function* extractCalls(messages: readonly FactMessage[]): Stepwise<readonly CallFact[]> {
  const found: CallFact[] = [];
  for (const execution of readExecutions(messages)) {
    const fact = factOf(execution);
    if (fact !== undefined) found.push(fact);
    yield;
  }
  return found.slice(-MOST_CALLS);
}

export function mergeCalls(earlier: readonly CallFact[], later: readonly CallFact[]): readonly CallFact[] {
  return [...earlier, ...later].slice(-MOST_CALLS);
}

function factOf({ call, result, source }: Execution): CallFact | undefined {
  const words = toolWords(call.name);
  const isElsewhere =
    scriptOf(call) !== undefined || fileOperations(call).length > 0 || keepsPlan(call.name) || hasWord(words, LOOKING);
  // A call that was refused says what the user or the host said instead.
  if (isElsewhere && !(result?.isError === true && isRefusal(result.text))) return undefined;
  const values =
    call.input === undefined ? call.texts : Object.entries(call.input).map(([key, value]) => argument(key, value));
  const text =
    `${call.name.slice(0, 100)} ${shorten(values.join(", ").replace(/\s+/gu, " "), LONGEST_ARGUMENTS)}`.trim();
  const answer = shorten(result?.text.trim() ?? "", LONGEST_ANSWER);
  // The name of a tool alone says nothing.
  if (values.length === 0 && answer === "") return undefined;
  return {
    kind: "call",
    text,
    answer,
    isError: result?.isError ?? false,
    source,
  };
}

function argument(key: string, value: unknown): string {
  return `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`;
}

function shorten(text: string, { head, tail }: { readonly head: number; readonly tail: number }): string {
  const cut = headTail(text, head, tail);
  return cut.omitted === 0 ? text : `${cut.head} … ${cut.tail}`;
}
