// The command line: every command with its flags and its help. Those of the other rooms are in their folders' program.ts.
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Command } from "commander";
import { PROVIDER_FORMATS } from "../providers/format.ts";
import { READER_NAMES } from "../session-files/session-reader.ts";
import { STRATEGIES } from "../summaries/summarizer.ts";
import { figure } from "../text/figures.ts";
import { DEFAULT_WINDOW } from "../tokens/models.ts";
import { addArchiveCommands } from "./archive/program.ts";
import { addCommand, addCommands, type Commands, type FlagsOf, REQUIRED } from "./command.ts";
import { addDecisionCommands } from "./decisions/program.ts";
import { ARCHIVE, ARCHIVE_DIR, badFlag, filledText, oneOf, quoted, wholeNumber } from "./flags.ts";
import { INSTALL_COMMANDS } from "./install/program.ts";
import { addMemoryFileCommands } from "./memory-files/program.ts";
import { addObservationCommands } from "./observations/program.ts";
import { SERVER_COMMANDS } from "./servers/program.ts";
import { addSessionCommands } from "./sessions/program.ts";
import type { Terminal } from "./terminal.ts";

export function createProgram(terminal: Terminal): Command {
  const program = new Command("agent-compact")
    .description("Makes an agent's memory smaller: keeps what matters, and everything it removes can be restored.")
    .version(packageVersion(), "-V, --version", "print the version")
    .option("--json", "print one JSON object on stdout and nothing else")
    .option("--quiet", "print what was asked for, and of what was done no more than the result's path")
    .option("--config <file>", "YAML or JSON configuration file", (file: string) => filledText(file, "--config"))
    .option("--debug", "show where an error came from")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void terminal.stdout.write(text),
      writeErr: (text) => void terminal.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, "agent-compact: ")),
    })
    .exitOverride()
    .addHelpText("after", "\nExample:\n  agent-compact conversation session.jsonl\n");
  addCommands(program, terminal, CONVERSATION_COMMANDS);
  addSessionCommands(program, terminal);
  addArchiveCommands(program, terminal);
  addCommands(addCommand(program, terminal, "config", CONFIG), terminal, CONFIG_COMMANDS);
  addObservationCommands(program, terminal);
  addDecisionCommands(program, terminal);
  addMemoryFileCommands(program, terminal);
  addCommands(program, terminal, {
    ...INSTALL_COMMANDS(packageVersion()),
    hook: HOOK,
    ...SERVER_COMMANDS(packageVersion()),
  });
  addCommand(program, terminal, "completion", {
    about: "print what a shell needs to complete commands and flags",
    args: [["<shell>", SHELLS.join(", "), oneOf(SHELLS)]],
    examples: ['eval "$(agent-compact completion bash)"', "agent-compact completion fish | source"],
    run: async () => async (shell: (typeof SHELLS)[number]) =>
      void terminal.stdout.write((await import("./completion.ts")).completionScript(program, shell)),
  });
  nameOwnHelp(program, "agent-compact");
  return program;
}

/** What is wrong with a command line is explained by the help of the command it names. */
function nameOwnHelp(command: Command, line: string): void {
  command.showHelpAfterError(`  See: ${line} --help`);
  for (const each of command.commands) nameOwnHelp(each, `${line} ${each.name()}`);
}

/** package.json is two folders above the sources, and one above what is built of them. */
function packageVersion(): string {
  const places = ["../package.json", "../../package.json"].map((path) => new URL(path, import.meta.url));
  const file = readFileSync(places.find((place) => existsSync(place)) ?? "package.json", "utf8");
  return String((JSON.parse(file) as { version?: unknown }).version);
}

const SHELLS = ["bash", "zsh", "fish"] as const;
const FORMAT_NAMES = ["auto", ...PROVIDER_FORMATS, ...READER_NAMES];
const FORMAT = formatOf("input");

function formatOf(which: string) {
  return [
    "--format <name>",
    `format of the ${which}: ${FORMAT_NAMES.join(", ")}`,
    oneOf(FORMAT_NAMES),
    "auto",
  ] as const;
}

const TO = ["--to <format>", `format of the result: ${PROVIDER_FORMATS.join(", ")}`, oneOf(PROVIDER_FORMATS)] as const;
const FILE = ["<file>", "as for conversation"] as const;
const COUNTING = [
  FORMAT,
  ["--model <name>", "count as this model does, and use its window"],
  ["--max-context-tokens <n>", `the model's window (${figure(DEFAULT_WINDOW)} without a model)`],
] as const;

const CONVERSATION = [
  TO,
  ["--target-tokens <n>", "tokens to come down to (a goal)"],
  ["--strategy <name>", `how the summary is written: ${STRATEGIES.join(", ")}`, oneOf(STRATEGIES)],
  ["--keep-recent-turns <n>", "turns to keep at most (6)", wholeNumber(0)],
  ["--keep-tool-io-pairs <n>", "calls with their results to keep (4)", wholeNumber(0)],
  ["--if-needed", "compact only when the conversation is near its window's end"],
  ["--strict", "refuse damaged input instead of repairing it"],
  ["--dry-run", "print the plan, write nothing"],
  ["--out <file>", "where to write (NAME.compacted.json beside the input); - for stdout"],
  ...ARCHIVE,
  ...COUNTING,
] as const;
export type ConversationFlags = FlagsOf<typeof CONVERSATION>;

const INSPECT = [...ARCHIVE, ...COUNTING] as const;
export type InspectFlags = FlagsOf<typeof INSPECT>;

const FACTS = [FORMAT] as const;
export type FactsFlags = FlagsOf<typeof FACTS>;

const DIFF = [formatOf("first"), ["--model <name>", "count as this model does"]] as const;
export type DiffFlags = FlagsOf<typeof DIFF>;

const CONVERT = [
  [...TO, REQUIRED],
  FORMAT,
  ["--out <file>", "where to write (NAME.FORMAT.json beside the input); - for stdout"],
] as const;
export type ConvertFlags = FlagsOf<typeof CONVERT>;

const EVALUATE = [
  ["--targets <list>", "sizes to compact to, in percent of the tokens (5,10)", percents, [5, 10]],
  ["--model <name...>", "models that write, answer and grade questions, after showing what that costs"],
  ["--yes", "ask the models without asking you first"],
] as const;
export type EvaluateFlags = FlagsOf<typeof EVALUATE>;

const CONVERSATION_COMMANDS: Commands = {
  conversation: {
    about: "compact a conversation and write the smaller one beside it",
    args: [["<file>", "JSON, JSON Lines or session file, plain or gzip; - for stdin"]],
    flags: CONVERSATION,
    examples: [
      "agent-compact conversation session.jsonl.gz --target-tokens 20000",
      "agent-compact conversation request.json --dry-run",
    ],
    run: async () => (await import("./conversation/compact.ts")).compactConversation,
  },
  inspect: {
    about: "show where a conversation's tokens are, and what a compaction would do",
    args: [FILE],
    flags: INSPECT,
    examples: ["agent-compact inspect session.jsonl", "agent-compact inspect session.jsonl --json"],
    run: async () => (await import("./conversation/inspect.ts")).inspectConversation,
  },
  facts: {
    about: "show the facts that code finds in a conversation, as compaction carries them",
    args: [FILE],
    flags: FACTS,
    examples: ["agent-compact facts session.jsonl", "agent-compact facts session.jsonl --json"],
    run: async () => (await import("./conversation/facts.ts")).showFacts,
  },
  diff: {
    about: "show what a compaction kept, shortened, summarized and put in",
    args: [
      ["<before>", "the conversation"],
      ["<after>", "its compaction"],
    ],
    flags: DIFF,
    examples: ["agent-compact diff session.jsonl session.compacted.json"],
    run: async () => (await import("./conversation/diff.ts")).diffConversations,
  },
  convert: {
    about: "write a conversation as another provider's messages",
    args: [FILE],
    flags: CONVERT,
    examples: [
      "agent-compact convert session.jsonl --to openai-chat",
      "agent-compact convert request.json --to anthropic --out - | jq .system",
    ],
    run: async () => (await import("./conversation/convert.ts")).convertFile,
  },
  evaluate: {
    about: "measure on your own sessions what survives compaction, beside trimming to the same size",
    args: [["[path]", "a session file, as for conversation, or a folder of them; - for stdin"]],
    flags: EVALUATE,
    examples: [
      "agent-compact evaluate session.jsonl",
      "agent-compact evaluate ~/.claude/projects/my-project --targets 5,10,20 --json",
      "agent-compact evaluate session.jsonl --model gpt-4o-mini",
    ],
    run: async () => {
      const { evaluateSessions } = await import("./conversation/evaluate.ts");
      return (given: string | undefined, flags: EvaluateFlags, terminal: Terminal) => {
        const { path, model } = pathOf(given, flags.model, terminal);
        return evaluateSessions(path, { ...flags, ...(model === undefined ? {} : { model }) }, terminal);
      };
    },
  },
};

/** `--model` takes all words behind it, so a path that stands there is the last of them. */
function pathOf(given: string | undefined, model: readonly string[] | undefined, { cwd }: Terminal) {
  if (given !== undefined) return { path: given, model };
  const last = model?.at(-1);
  if (last !== undefined && (model?.length ?? 0) > 1 && existsSync(resolve(cwd, last)))
    return { path: last, model: model?.slice(0, -1) };
  throw badFlag("No session was named.", "Give a session file or a folder: agent-compact evaluate session.jsonl");
}

const MOST_PERCENT = 90;
const MOST_TARGETS = 6;

function percents(value: string, flag: string): readonly number[] {
  const words = value.split(",").map((word) => word.trim().replace(/\s*%$/u, ""));
  const numbers = words.map((word) => (/^\d{1,2}$/u.test(word) ? Number(word) : Number.NaN));
  const isGood = numbers.every((number) => number >= 1 && number <= MOST_PERCENT) && numbers.length <= MOST_TARGETS;
  if (isGood) return [...new Set(numbers)].sort((a, b) => a - b);
  throw badFlag(
    `${flag} must be up to ${MOST_TARGETS} whole numbers from 1 to ${MOST_PERCENT}, as 5,10, not ${quoted(value)}.`,
  );
}

const HOOK_HOSTS = ["claude-code", "codex", "gemini-cli"] as const;

const HOOK_FLAGS = [
  [
    "--print <host>",
    `print the settings for ${HOOK_HOSTS.slice(0, -1).join(", ")} or ${HOOK_HOSTS.at(-1)}`,
    oneOf(HOOK_HOSTS),
  ],
  ARCHIVE_DIR,
] as const;
export type HookFlags = FlagsOf<typeof HOOK_FLAGS>;

const HOOK: Commands[string] = {
  about: "archive a session before Claude Code, Codex or Gemini CLI compacts it, and give the facts back after",
  flags: HOOK_FLAGS,
  note: `
The host calls it with an event's JSON on stdin: PreCompact (Gemini CLI: PreCompress) archives, SessionStart after a compaction prints the record,
any other event does nothing. Whatever fails exits with 1, which never stops a host.
`,
  examples: ["agent-compact hook --print claude-code"],
  run: async () => (await import("./conversation/hook.ts")).runHook,
};

const CONFIG = { about: "show, check or begin the configuration", examples: ["agent-compact config show"] };

const SHOW = [["--model <name>", "as it is for this model"]] as const;
export type ShowFlags = FlagsOf<typeof SHOW>;

const CONFIG_COMMANDS: Commands = {
  show: {
    about: "every value in effect, and where it comes from",
    flags: SHOW,
    examples: ["agent-compact config show", "agent-compact config show --model gpt-4o-mini --json"],
    run: async () => (await import("./config.ts")).showConfig,
  },
  validate: {
    about: "check the file and the variables; exit 2 when something is wrong",
    args: [["[file]", "the one that would be found when left out"]],
    examples: ["agent-compact config validate", "agent-compact config validate compact.yaml --json"],
    run: async () => (await import("./config.ts")).validateConfig,
  },
  schema: {
    about: "print the JSON Schema of the file, for editors",
    examples: ["agent-compact config schema > compact.schema.json"],
    run: async () => (await import("./config.ts")).printSchema,
  },
  init: {
    about: "write a commented file; one that is there is never replaced",
    args: [["[file]", "where to write (compact.yaml); - for stdout"]],
    examples: ["agent-compact config init", "agent-compact config init - | less"],
    run: async () => (await import("./config.ts")).initConfig,
  },
};
