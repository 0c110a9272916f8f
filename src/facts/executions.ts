// Puts each tool call together with its result and with what the assistant said before it. Ids may repeat within a
// conversation: a result belongs to the latest call of its id that still waits for one. A script that calls tools is
// the calls in it.
import { NAMED_ID } from "../providers/units.ts";
import { callOf, type FactCall, type FactMessage, type FactResult } from "./fact-message.ts";
import type { Source } from "./ledger.ts";
import { readScriptCalls } from "./script-calls.ts";
import { parseStructure, toolWords } from "./tool-call.ts";

export interface Execution {
  readonly call: FactCall;
  readonly source: Source;
  /** Undefined while the call is running, or when its result is not in the stretch. */
  readonly result: FactResult | undefined;
  readonly resultSource: Source | undefined;
}

type OpenExecution = { -readonly [Key in keyof Execution]: Execution[Key] };

/** Files, commands, errors, plans and calls all ask for the same ones. */
const READ = new WeakMap<readonly FactMessage[], readonly Execution[]>();

export function readExecutions(messages: readonly FactMessage[]): readonly Execution[] {
  const known = READ.get(messages) ?? pairUp(messages);
  READ.set(messages, known);
  return known;
}

function pairUp(messages: readonly FactMessage[]): readonly Execution[] {
  const executions: OpenExecution[] = [];
  /** Of the latest message that used the id; calls without ids share one. */
  const waiting = new Map<string, OpenExecution[]>();
  for (const { calls, results, source } of messages) {
    // A tool that the provider runs itself is called and answered in one message.
    for (const call of calls) {
      const execution: OpenExecution = { call, source, result: undefined, resultSource: undefined };
      executions.push(execution);
      for (const id of new Set([call.callId, `${NAMED_ID}${call.name}`])) {
        const open = waiting.get(id);
        if (open?.[0]?.source === source) open.push(execution);
        else waiting.set(id, [execution]);
      }
    }
    for (const result of results) {
      const execution = waiting.get(result.callId)?.find((open) => open.result === undefined);
      if (execution === undefined) continue;
      execution.result = result;
      execution.resultSource = source;
    }
  }
  return withoutWaiting(executions).flatMap(callsWithin);
}

// A host gives back what a call has printed so far, and the rest when it is asked again.

const STILL_RUNS = /^(?:.{0,200}\n){0,3}(?:script|process) running with (?:cell|session) id (\S{1,60})/i;

/** What was waited for is the result of the call that began it. */
function withoutWaiting(executions: readonly OpenExecution[]): readonly Execution[] {
  const running = new Map<string, OpenExecution>();
  return executions.filter((execution) => {
    const { call, result, resultSource } = execution;
    const begun = running.get(String(call.input?.cell_id ?? call.input?.session_id ?? ""));
    // What is typed into a program is a step of its own.
    const isWaiting = begun !== undefined && (call.input?.chars ?? "") === "";
    if (isWaiting && result !== undefined) Object.assign(begun, { result, resultSource });
    const id = STILL_RUNS.exec(result?.text.slice(0, 1_000) ?? "")?.[1];
    if (id !== undefined && !isWaiting) running.set(id, execution);
    return !isWaiting;
  });
}

// Hosts whose model has one tool that runs a script, and the other tools as functions in it.

const RUNS_SCRIPTS = /^(?:exec|execute|run|eval|code|script|js|javascript|repl)$/;
const SCRIPT_KEYS = ["input", "code", "source", "script", "javascript", "js"];
/** What such a tool says of the script, above what the script itself gave back. */
const HEAD = /^Script (completed|failed|terminated|running\b.{0,80})\n(?:Wall time .{0,80}\n)?(?:Output:\n?)?/;

function callsWithin(execution: Execution): readonly Execution[] {
  const { call, result } = execution;
  const within = scriptOf(call).flatMap((script) =>
    readScriptCalls(script).map(({ name, input }) => callOf(call.callId, name, input)),
  );
  if (within.length === 0) return [execution];
  const results = result === undefined ? [] : resultsOf(result, within.length);
  return within.map((inner, at) => ({ ...execution, call: inner, result: results[at] }));
}

function scriptOf({ name, input, texts }: FactCall): readonly string[] {
  if (!toolWords(name).some((word) => RUNS_SCRIPTS.test(word))) return [];
  if (input === undefined) return texts;
  return SCRIPT_KEYS.map((key) => input[key]).filter((value) => typeof value === "string");
}

/** Which call gave what, where the pieces tell it; else it is taken for what the last one gave, and nothing is known of the others. */
function resultsOf(result: FactResult, count: number): readonly (FactResult | undefined)[] {
  const [first = "", ...others] = result.pieces ?? [result.text];
  const status = HEAD.exec(first)?.[1] ?? "";
  if (status.startsWith("running")) return [];
  const rest = first.replace(HEAD, "");
  const pieces = rest === "" && others.length > 0 ? others : [rest, ...others];
  const give = (text: string): FactResult => ({
    callId: result.callId,
    text,
    isError: result.isError || status === "failed" || status === "terminated",
  });
  const all = give(pieces.join("\n"));
  if (all.isError || count === 1) return Array.from({ length: count }, () => all);
  const told = pieces.length === count ? pieces : listedIn(pieces);
  if (told.length === count) return told.map(give);
  return [...Array.from({ length: count - 1 }, () => undefined), all];
}

/** All results as one list. */
function listedIn(pieces: readonly string[]): readonly string[] {
  const list = pieces.length === 1 ? parseStructure(pieces[0] ?? "") : undefined;
  return Array.isArray(list) ? list.map((entry) => (typeof entry === "string" ? entry : JSON.stringify(entry))) : [];
}
