// The commands, their flags and their help. What they do is in commands/, loaded when asked for, so that help is
// there at once.
import { Command } from "commander";
import { FORMATS } from "../../from-config/formats.ts";
import { READERS } from "../../from-config/readers.ts";
import { STRATEGIES } from "../../summaries/summarizer.ts";
import type { ConversationFlags } from "../commands/conversation.ts";
import type { DiffFlags } from "../commands/diff.ts";
import type { FactsFlags } from "../commands/facts.ts";
import type { InspectFlags } from "../commands/inspect.ts";
import { filledText, oneOf, wholeNumber } from "../flags.ts";
import { packageVersion } from "../package-version.ts";
import type { Terminal } from "../terminal.ts";
import { addArchiveCommands } from "./archive-program.ts";
import { example, withArchive } from "./command-parts.ts";
import { addConfigCommands } from "./config-program.ts";
import { addConvertCommand } from "./convert-program.ts";
import { addDecisionCommands } from "./decisions-program.ts";
import { addEvaluateCommand } from "./evaluate-program.ts";
import { addHookCommand } from "./hook-program.ts";
import { addMcpCommand } from "./mcp-program.ts";
import { addMemoryFileCommands } from "./memory-files-program.ts";
import { addObservationCommands } from "./observations-program.ts";
import { addServeCommand } from "./serve-program.ts";

const FORMAT_NAMES = ["auto", ...FORMATS.map(({ name }) => name), ...READERS.map(({ name }) => name)];

export function createProgram(terminal: Terminal): Command {
  const program = new Command("agent-compact")
    .description("Makes an agent's memory smaller: nothing that matters leaves, nothing that leaves is lost.")
    .version(packageVersion(), "-V, --version", "print the version")
    .option("--json", "print one JSON object on stdout and nothing else")
    .option("--quiet", "print what was asked for, and of what was done no more than the result's path")
    .option("--config <file>", "YAML or JSON configuration file", filledText("--config"))
    .option("--debug", "show where an error came from")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, "agent-compact: ")),
    })
    .exitOverride()
    .addHelpText("after", example("agent-compact conversation session.jsonl"));
  addConversation(program, terminal);
  addInspect(program, terminal);
  addFacts(program, terminal);
  addDiff(program, terminal);
  addConvertCommand(program, terminal);
  addEvaluateCommand(program, terminal);
  addArchiveCommands(program, terminal);
  addConfigCommands(program, terminal);
  addObservationCommands(program, terminal);
  addDecisionCommands(program, terminal);
  addMemoryFileCommands(program, terminal);
  addHookCommand(program, terminal);
  addMcpCommand(program, terminal);
  addServeCommand(program, terminal);
  nameOwnHelp(program, "agent-compact");
  return program;
}

/** What is wrong with a command line is explained by the help of the command it names. */
function nameOwnHelp(command: Command, line: string): void {
  command.showHelpAfterError(`  See: ${line} --help`);
  for (const each of command.commands) nameOwnHelp(each, `${line} ${each.name()}`);
}

function addConversation(program: Command, terminal: Terminal): void {
  const command = program
    .command("conversation")
    .description("compact a conversation and write the smaller one beside it")
    .argument("<file>", "JSON, JSON Lines or session file, plain or gzip; - for stdin")
    .option(
      "--to <format>",
      `format of the result: ${FORMAT_NAMES.slice(1, FORMATS.length + 1).join(", ")}`,
      oneOf("--to", FORMAT_NAMES.slice(1, FORMATS.length + 1)),
    )
    .option("--target-tokens <n>", "tokens to come down to (a goal)", wholeNumber("--target-tokens", 1))
    .option(
      "--strategy <name>",
      `how the summary is written: ${STRATEGIES.join(", ")}`,
      oneOf("--strategy", STRATEGIES),
    )
    .option("--keep-recent-turns <n>", "turns to keep at most (6)", wholeNumber("--keep-recent-turns", 0))
    .option("--keep-tool-io-pairs <n>", "calls with their results to keep (4)", wholeNumber("--keep-tool-io-pairs", 0))
    .option("--if-needed", "compact only when the conversation is near its window's end")
    .option("--strict", "refuse damaged input instead of repairing it")
    .option("--dry-run", "print the plan, write nothing")
    .option("--out <file>", "where to write (NAME.compacted.json beside the input); - for stdout", filledText("--out"));
  withCounting(withArchive(command))
    .addHelpText(
      "after",
      example(
        "agent-compact conversation session.jsonl.gz --target-tokens 20000",
        "agent-compact conversation request.json --dry-run",
      ),
    )
    .action(async (file: string, _flags: unknown, self: Command) => {
      const { compactConversation } = await import("../commands/conversation.ts");
      await compactConversation(file, self.optsWithGlobals<ConversationFlags>(), terminal);
    });
}

function addInspect(program: Command, terminal: Terminal): void {
  const command = program
    .command("inspect")
    .description("show where a conversation's tokens are, and what a compaction would do")
    .argument("<file>", "as for conversation");
  withCounting(withArchive(command))
    .addHelpText("after", example("agent-compact inspect session.jsonl", "agent-compact inspect session.jsonl --json"))
    .action(async (file: string, _flags: unknown, self: Command) => {
      const { inspectConversation } = await import("../commands/inspect.ts");
      await inspectConversation(file, self.optsWithGlobals<InspectFlags>(), terminal);
    });
}

function addFacts(program: Command, terminal: Terminal): void {
  program
    .command("facts")
    .description("show the facts that code finds in a conversation, as compaction carries them")
    .argument("<file>", "as for conversation")
    .option(
      "--format <name>",
      `format of the input: ${FORMAT_NAMES.join(", ")}`,
      oneOf("--format", FORMAT_NAMES),
      "auto",
    )
    .addHelpText("after", example("agent-compact facts session.jsonl", "agent-compact facts session.jsonl --json"))
    .action(async (file: string, _flags: unknown, self: Command) => {
      const { showFacts } = await import("../commands/facts.ts");
      await showFacts(file, self.optsWithGlobals<FactsFlags>(), terminal);
    });
}

function addDiff(program: Command, terminal: Terminal): void {
  program
    .command("diff")
    .description("show what a compaction kept, shortened, summarized and put in")
    .argument("<before>", "the conversation")
    .argument("<after>", "its compaction")
    .option(
      "--format <name>",
      `format of the first: ${FORMAT_NAMES.join(", ")}`,
      oneOf("--format", FORMAT_NAMES),
      "auto",
    )
    .option("--model <name>", "count as this model does", filledText("--model"))
    .addHelpText("after", example("agent-compact diff session.jsonl session.compacted.json"))
    .action(async (before: string, after: string, _flags: unknown, self: Command) => {
      const { diffConversations } = await import("../commands/diff.ts");
      await diffConversations(before, after, self.optsWithGlobals<DiffFlags>(), terminal);
    });
}

function withCounting(command: Command): Command {
  return command
    .option(
      "--format <name>",
      `format of the input: ${FORMAT_NAMES.join(", ")}`,
      oneOf("--format", FORMAT_NAMES),
      "auto",
    )
    .option("--model <name>", "count as this model does, and use its window", filledText("--model"))
    .option(
      "--max-context-tokens <n>",
      "the model's window (128,000 without a model)",
      wholeNumber("--max-context-tokens", 1),
    );
}
