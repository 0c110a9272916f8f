// The command line: every command with its flags and its help. Those of archive, observations, decisions and memory files
// are in their folders' program.ts. What a command does is loaded when it is asked for, so that help is there at once.
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Command, Option } from "commander";
import { PROVIDER_FORMATS } from "../providers/format.ts";
import { READER_NAMES } from "../session-files/session-reader.ts";
import { STRATEGIES } from "../summaries/summarizer.ts";
import { figure } from "../text/figures.ts";
import { DEFAULT_WINDOW } from "../tokens/models.ts";
import { addArchiveCommands } from "./archive/program.ts";
import type { ShowFlags } from "./config.ts";
import type { ConversationFlags } from "./conversation/compact.ts";
import type { ConvertFlags } from "./conversation/convert.ts";
import type { DiffFlags } from "./conversation/diff.ts";
import type { EvaluateFlags } from "./conversation/evaluate.ts";
import type { FactsFlags } from "./conversation/facts.ts";
import type { HookFlags } from "./conversation/hook.ts";
import type { InspectFlags } from "./conversation/inspect.ts";
import { addDecisionCommands } from "./decisions/program.ts";
import { badFlag, type CommonFlags, example, filledText, oneOf, quoted, wholeNumber, withArchive } from "./flags.ts";
import type { HookHost } from "./hosts.ts";
import { addInstallCommands } from "./install/program.ts";
import { addMemoryFileCommands } from "./memory-files/program.ts";
import { addObservationCommands } from "./observations/program.ts";
import { addServerCommands } from "./servers/program.ts";
import { addSessionCommands } from "./sessions/program.ts";
import type { Terminal } from "./terminal.ts";

const FORMAT_NAMES = ["auto", ...PROVIDER_FORMATS, ...READER_NAMES];

export function createProgram(terminal: Terminal): Command {
  const program = new Command("agent-compact")
    .description("Makes an agent's memory smaller: keeps what matters, and everything it removes can be restored.")
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
  addSessionCommands(program, terminal);
  addArchiveCommands(program, terminal);
  addConfigCommands(program, terminal);
  addObservationCommands(program, terminal);
  addDecisionCommands(program, terminal);
  addMemoryFileCommands(program, terminal);
  addInstallCommands(program, terminal);
  addHookCommand(program, terminal);
  addServerCommands(program, terminal);
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
    .option("--to <format>", `format of the result: ${PROVIDER_FORMATS.join(", ")}`, oneOf("--to", PROVIDER_FORMATS))
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
      const { compactConversation } = await import("./conversation/compact.ts");
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
      const { inspectConversation } = await import("./conversation/inspect.ts");
      await inspectConversation(file, self.optsWithGlobals<InspectFlags>(), terminal);
    });
}

function addFacts(program: Command, terminal: Terminal): void {
  program
    .command("facts")
    .description("show the facts that code finds in a conversation, as compaction carries them")
    .argument("<file>", "as for conversation")
    .addOption(formatOption("input"))
    .addHelpText("after", example("agent-compact facts session.jsonl", "agent-compact facts session.jsonl --json"))
    .action(async (file: string, _flags: unknown, self: Command) => {
      const { showFacts } = await import("./conversation/facts.ts");
      await showFacts(file, self.optsWithGlobals<FactsFlags>(), terminal);
    });
}

function addDiff(program: Command, terminal: Terminal): void {
  program
    .command("diff")
    .description("show what a compaction kept, shortened, summarized and put in")
    .argument("<before>", "the conversation")
    .argument("<after>", "its compaction")
    .addOption(formatOption("first"))
    .option("--model <name>", "count as this model does", filledText("--model"))
    .addHelpText("after", example("agent-compact diff session.jsonl session.compacted.json"))
    .action(async (before: string, after: string, _flags: unknown, self: Command) => {
      const { diffConversations } = await import("./conversation/diff.ts");
      await diffConversations(before, after, self.optsWithGlobals<DiffFlags>(), terminal);
    });
}

function formatOption(which: "input" | "first"): Option {
  return new Option("--format <name>", `format of the ${which}: ${FORMAT_NAMES.join(", ")}`)
    .argParser(oneOf("--format", FORMAT_NAMES))
    .default("auto");
}

function withCounting(command: Command): Command {
  return command
    .addOption(formatOption("input"))
    .option("--model <name>", "count as this model does, and use its window", filledText("--model"))
    .option(
      "--max-context-tokens <n>",
      `the model's window (${figure(DEFAULT_WINDOW)} without a model)`,
      wholeNumber("--max-context-tokens", 1),
    );
}

// The version of this package: package.json is two folders above the sources, and one above what is built of them.

function packageVersion(): string {
  const places = ["../package.json", "../../package.json"].map((path) => new URL(path, import.meta.url));
  const file = readFileSync(places.find((place) => existsSync(place)) ?? "package.json", "utf8");
  return String((JSON.parse(file) as { version?: unknown }).version);
}

// The command that writes a conversation in another provider's messages, its flags and its help.

function addConvertCommand(program: Command, terminal: Terminal): void {
  program
    .command("convert")
    .description("write a conversation as another provider's messages")
    .argument("<file>", "as for conversation")
    .requiredOption(
      "--to <format>",
      `format of the result: ${PROVIDER_FORMATS.join(", ")}`,
      oneOf("--to", PROVIDER_FORMATS),
    )
    .addOption(formatOption("input"))
    .option("--out <file>", "where to write (NAME.FORMAT.json beside the input); - for stdout", filledText("--out"))
    .addHelpText(
      "after",
      example(
        "agent-compact convert session.jsonl --to openai-chat",
        "agent-compact convert request.json --to anthropic --out - | jq .system",
      ),
    )
    .action(async (file: string, _flags: unknown, self: Command) => {
      const { convertFile } = await import("./conversation/convert.ts");
      await convertFile(file, self.optsWithGlobals<ConvertFlags>(), terminal);
    });
}

// The command that measures compaction on one's own sessions, its flags and its help.

const MOST_PERCENT = 90;
const MOST_TARGETS = 6;

function addEvaluateCommand(program: Command, terminal: Terminal): void {
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
      const { evaluateSessions } = await import("./conversation/evaluate.ts");
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

// The command that hosts call, its flags and its help.

const HOOK_HOSTS: readonly HookHost[] = ["claude-code", "codex", "gemini-cli"];

function addHookCommand(program: Command, terminal: Terminal): void {
  program
    .command("hook")
    .description("archive a session before Claude Code, Codex or Gemini CLI compacts it, and give the facts back after")
    .option(
      "--print <host>",
      `print the settings for ${HOOK_HOSTS.slice(0, -1).join(", ")} or ${HOOK_HOSTS.at(-1)}`,
      oneOf("--print", HOOK_HOSTS),
    )
    .option("--archive-dir <dir>", "the archive's folder (.compact/archive)", filledText("--archive-dir"))
    .addHelpText("after", HOOK_EVENTS + example("agent-compact hook --print claude-code"))
    .action(async (_flags: unknown, self: Command) => {
      const { runHook } = await import("./conversation/hook.ts");
      await runHook(self.optsWithGlobals<HookFlags>(), terminal);
    });
}

const HOOK_EVENTS = `
The host calls it with an event's JSON on stdin: PreCompact (Gemini CLI: PreCompress) archives, SessionStart after a compaction prints the record,
any other event does nothing. Whatever fails exits with 1, which never stops a host.
`;

// The configuration's commands, their flags and their help.

const CONFIG_COMMAND = "agent-compact config";

function addConfigCommands(program: Command, terminal: Terminal): void {
  const config = program
    .command("config")
    .description("show, check or begin the configuration")
    .addHelpText("after", example(`${CONFIG_COMMAND} show`));
  config
    .command("show")
    .description("every value in effect, and where it comes from")
    .option("--model <name>", "as it is for this model", filledText("--model"))
    .addHelpText("after", example(`${CONFIG_COMMAND} show`, `${CONFIG_COMMAND} show --model gpt-4o-mini --json`))
    .action(async (_flags: unknown, self: Command) => {
      const { showConfig } = await import("./config.ts");
      await showConfig(self.optsWithGlobals<ShowFlags>(), terminal);
    });
  config
    .command("validate")
    .description("check the file and the variables; exit 2 when something is wrong")
    .argument("[file]", "the one that would be found when left out")
    .addHelpText("after", example(`${CONFIG_COMMAND} validate`, `${CONFIG_COMMAND} validate compact.yaml --json`))
    .action(async (file: string | undefined, _flags: unknown, self: Command) => {
      const { validateConfig } = await import("./config.ts");
      await validateConfig(file, self.optsWithGlobals<CommonFlags>(), terminal);
    });
  addSchemaAndInit(config, terminal);
}

function addSchemaAndInit(config: Command, terminal: Terminal): void {
  config
    .command("schema")
    .description("print the JSON Schema of the file, for editors")
    .addHelpText("after", example(`${CONFIG_COMMAND} schema > compact.schema.json`))
    .action(async () => {
      const { printSchema } = await import("./config.ts");
      printSchema(terminal);
    });
  config
    .command("init")
    .description("write a commented file; one that is there is never replaced")
    .argument("[file]", "where to write (compact.yaml); - for stdout")
    .addHelpText("after", example(`${CONFIG_COMMAND} init`, `${CONFIG_COMMAND} init - | less`))
    .action(async (file: string | undefined, _flags: unknown, self: Command) => {
      const { initConfig } = await import("./config.ts");
      await initConfig(file, self.optsWithGlobals<CommonFlags>(), terminal);
    });
}
