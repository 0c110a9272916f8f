// The command that measures compaction on one's own sessions, its flags and its help.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import type { EvaluateFlags } from "../commands/evaluate.ts";
import { badFlag, quoted } from "../flags.ts";
import type { Terminal } from "../terminal.ts";
import { example } from "./command-parts.ts";

const MOST_PERCENT = 90;
const MOST_TARGETS = 6;

export function addEvaluateCommand(program: Command, terminal: Terminal): void {
  program
    .command("evaluate")
    .description("measure on your own sessions what survives compaction, beside trimming to the same size")
    .argument("[path]", "a session file, as for conversation, or a folder of them; - for stdin")
    .option("--targets <list>", "sizes to compact to, in percent of the tokens (5,10)", percents, [5, 10])
    .option("--model <name...>", "models that write, answer and grade questions, after showing what that costs")
    .option("--yes", "ask the models without asking you first")
    .addHelpText(
      "after",
      example(
        "agent-compact evaluate session.jsonl",
        "agent-compact evaluate ~/.claude/projects/my-project --targets 5,10,20 --json",
        "agent-compact evaluate session.jsonl --model gpt-4o-mini",
      ),
    )
    .action(async (given: string | undefined, _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<EvaluateFlags>();
      const { path, model } = pathOf(given, flags.model, terminal);
      const { evaluateSessions } = await import("../commands/evaluate.ts");
      await evaluateSessions(path, { ...flags, ...(model === undefined ? {} : { model }) }, terminal);
    });
}

/** `--model` takes all words behind it, so a path that stands there is the last of them. */
function pathOf(given: string | undefined, model: readonly string[] | undefined, { cwd }: Terminal) {
  if (given !== undefined) return { path: given, model };
  const last = model?.at(-1);
  if (last !== undefined && (model?.length ?? 0) > 1 && existsSync(resolve(cwd, last)))
    return { path: last, model: model?.slice(0, -1) };
  throw badFlag("No session was named.", "Give a session file or a folder: agent-compact evaluate session.jsonl");
}

function percents(value: string): readonly number[] {
  const words = value.split(",").map((word) => word.trim().replace(/\s*%$/u, ""));
  const numbers = words.map((word) => (/^\d{1,2}$/u.test(word) ? Number(word) : Number.NaN));
  const isGood = numbers.every((number) => number >= 1 && number <= MOST_PERCENT) && numbers.length <= MOST_TARGETS;
  if (isGood) return [...new Set(numbers)].sort((a, b) => a - b);
  throw badFlag(
    `--targets must be up to ${MOST_TARGETS} whole numbers from 1 to ${MOST_PERCENT}, as 5,10, not ${quoted(value)}.`,
  );
}
