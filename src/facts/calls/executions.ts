// Puts each tool call together with its result and with what the assistant said before it. Ids may repeat within
// a conversation: a result belongs to the latest call of its id that still waits for one.
import type { FactCall, FactMessage, FactResult } from "../fact-message.ts";
import type { Source } from "../ledger.ts";

export interface Execution {
  readonly call: FactCall;
  readonly source: Source;
  /** Undefined while the call is running, or when its result is not in the stretch. */
  readonly result: FactResult | undefined;
  readonly resultSource: Source | undefined;
  /** The assistant's last words before the call, since the user spoke; "" when there are none. */
  readonly said: string;
}

type OpenExecution = { -readonly [Key in keyof Execution]: Execution[Key] };

export function readExecutions(messages: readonly FactMessage[]): readonly Execution[] {
  const executions: OpenExecution[] = [];
  const waiting = new Map<string, OpenExecution>();
  let said = "";
  for (const { spoken, calls, results, source } of messages) {
    for (const { author, text } of spoken) {
      if (author === "assistant") said = text;
      else if (author === "user") said = "";
    }
    for (const result of results) {
      const execution = waiting.get(result.callId);
      if (execution === undefined) continue;
      waiting.delete(result.callId);
      execution.result = result;
      execution.resultSource = source;
    }
    for (const call of calls) {
      const execution: OpenExecution = { call, source, result: undefined, resultSource: undefined, said };
      executions.push(execution);
      waiting.set(call.callId, execution);
    }
  }
  return executions;
}
