// Which commands were run, how often, and how the newest run went. Runs that differ only in where their output went
// are one command, shown as it was written last.

import { runThrough, type Stepwise } from "../../tokens/turns/stepwise.ts";
import { firstString } from "../calls/argument-values.ts";
import { type Execution, readExecutions } from "../calls/executions.ts";
import { scriptOf } from "../calls/shell-calls.ts";
import { toolWords } from "../calls/tool-names.ts";
import { commandKey, commandText } from "../commands/command-text.ts";
import { isRejected, readOutcome } from "../commands/outcome.ts";
import type { FactCall, FactMessage } from "../fact-message.ts";
import type { CommandFact } from "../ledger.ts";

/** Tools that run one thing and have no script for it: `run_tests {path}`. */
const RUN = new Set(["run", "execute"]);
const RUN_SUBJECT = new Set(["test", "tests", "lint", "linter", "build", "check", "checks", "typecheck", "command"]);

export function extractCommands(messages: readonly FactMessage[]): readonly CommandFact[] {
  return runThrough(extractCommandsStepwise(messages));
}

export function* extractCommandsStepwise(messages: readonly FactMessage[]): Stepwise<readonly CommandFact[]> {
  const commands = new Map<string, CommandFact>();
  for (const execution of readExecutions(messages)) {
    const command = commandOf(execution.call);
    if (command === undefined || isRejected(execution)) continue;
    recordCommand(commands, factOf(command, execution));
    yield;
  }
  return [...commands.values()];
}

export function mergeCommands(earlier: readonly CommandFact[], later: readonly CommandFact[]): readonly CommandFact[] {
  const commands = new Map<string, CommandFact>();
  for (const fact of [...earlier, ...later]) recordCommand(commands, fact);
  return [...commands.values()];
}

/** The text of the command that a call runs, as the ledger shows it; undefined for any other call. */
export function commandOf(call: FactCall): string | undefined {
  const script = scriptOf(call);
  if (script !== undefined) return commandText(script);
  const words = toolWords(call.name);
  if (!words.some((word) => RUN.has(word)) || !words.some((word) => RUN_SUBJECT.has(word))) return undefined;
  const subject = firstString(call.input, ["path", "file", "target", "filter", "pattern", "name"]) ?? "";
  return commandText(`${call.name.slice(0, 100)} ${subject}`.trim());
}

function factOf(command: string, execution: Execution): CommandFact {
  const { outcome, detail } = readOutcome(command, execution);
  return {
    kind: "command",
    command,
    outcome,
    ...(detail === undefined ? {} : { detail }),
    runs: 1,
    source: execution.source,
  };
}

/** The newest outcome that is known wins; what ran last stands last. */
function recordCommand(commands: Map<string, CommandFact>, fact: CommandFact): void {
  const key = commandKey(fact.command);
  const known = commands.get(key);
  commands.delete(key);
  commands.set(key, { ...fact, runs: fact.runs + (known?.runs ?? 0) });
}
