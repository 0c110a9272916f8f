// The commands over a memory store, their flags and their help.
import type { Command } from "commander";
import { STRATEGIES } from "../../summaries/summarizer.ts";
import { addCommand, addCommands, type Commands, type FlagsOf } from "../command.ts";
import { DEFAULT_DATABASE, days, oneOf, wholeNumber } from "../flags.ts";
import type { Terminal } from "../terminal.ts";

const COMMAND = "agent-compact observations";

export function addObservationCommands(program: Command, terminal: Terminal): void {
  const observations = addCommand(program, terminal, "observations", {
    about: "look into an agent's memory store, and compact what is stale",
    examples: [`${COMMAND} stale --older-than 30`, `${COMMAND} compact --dry-run`],
  });
  addCommands(observations, terminal, COMMANDS);
}

const DATABASE = ["--db <file>", `the memory database (${DEFAULT_DATABASE})`] as const;
const PROJECT = ["--project <name>", "only this project"] as const;
const WHICH = [
  DATABASE,
  PROJECT,
  ["--scope <scope>", "only project or personal rows", oneOf(["project", "personal"])],
  ["--namespace <name>", "only this namespace"],
] as const;
const AGE = ["--older-than <days>", "age in days (30)", days] as const;

const STALE = [...WHICH, AGE, ["--limit <n>", "most rows to list (50)"]] as const;
export type StaleFlags = FlagsOf<typeof STALE>;

const COMPACT = [
  ...WHICH,
  AGE,
  ["--dry-run", "print the plan, change nothing"],
  ["--plan-out <file>", "write the plan to a file, change nothing"],
  ["--plan <file>", "carry out this plan"],
  ["--strategy <name>", `how summaries are written: ${STRATEGIES.join(", ")}`, oneOf(STRATEGIES)],
  ["--summary-title <text>", "title of what replaces the named rows"],
  ["--summary-content <text>", "its text"],
  ["--summary-file <file>", "a file that holds its text; - for stdin"],
] as const;
export type CompactFlags = FlagsOf<typeof COMPACT>;

const RESTORE = [DATABASE, ["--summary <id>", "bring back everything this row stands for", wholeNumber(1)]] as const;
export type RestoreFlags = FlagsOf<typeof RESTORE>;

const SEARCH = [
  ...WHICH,
  ["--type <type>", "only this type"],
  ["--compacted", "look among compacted and deleted rows"],
  ["--limit <n>", "most rows to show (20)"],
] as const;
export type SearchFlags = FlagsOf<typeof SEARCH>;

const IMPORT = [DATABASE, ["--redact", "store <REDACTED> for what looks like a secret"]] as const;
export type ImportFlags = FlagsOf<typeof IMPORT>;

const EXPORT = [DATABASE, PROJECT, ["--out <file>", "where to write (stdout)"]] as const;
export type ExportFlags = FlagsOf<typeof EXPORT>;

const COMMANDS: Commands = {
  stale: {
    about: "list what is old enough to be compacted",
    flags: STALE,
    examples: [`${COMMAND} stale --older-than 90 --project shop`],
    run: async () => (await import("./stale.ts")).listStale,
  },
  compact: {
    about: "compact stale rows that say the same or share a topic, or those that are named",
    args: [["[ids...]", "rows to compact; without any, groups are proposed"]],
    flags: COMPACT,
    examples: [
      `${COMMAND} compact --older-than 30 --dry-run`,
      `${COMMAND} compact 12 15 --summary-title "Cache notes" --summary-file notes.md`,
    ],
    run: async () => (await import("./compact.ts")).compactStale,
  },
  restore: {
    about: "bring compacted rows back, exactly as they were",
    args: [["[ids...]", "rows to bring back"]],
    flags: RESTORE,
    examples: [`${COMMAND} restore --summary 40`, `${COMMAND} restore 12 15`],
    run: async () => (await import("./rows.ts")).restoreRows,
  },
  search: {
    about: "find rows by their words",
    args: [["<words...>", "all must occur"]],
    flags: SEARCH,
    examples: [`${COMMAND} search rate limit`, `${COMMAND} search rate limit --compacted`],
    run: async () => (await import("./rows.ts")).searchRows,
  },
  show: {
    about: "one row whole, compacted or not",
    args: [["<id>", "the row's number"]],
    flags: [DATABASE],
    examples: [`${COMMAND} show 12`],
    run: async () => (await import("./rows.ts")).showRow,
  },
  stats: {
    about: "count what the store holds",
    flags: [DATABASE],
    examples: [`${COMMAND} stats --db memory.db`],
    run: async () => (await import("./rows.ts")).showStats,
  },
  import: {
    about: "add rows of exports, knowledge graphs or JSON Lines; twice adds nothing",
    args: [["<files...>", "plain or gzip; - for stdin"]],
    flags: IMPORT,
    examples: [`${COMMAND} import export.json.gz --db memory.db`],
    run: async () => (await import("./import-export.ts")).importFiles,
  },
  export: {
    about: "write everything, deleted rows too, as one JSON object",
    flags: EXPORT,
    examples: [`${COMMAND} export --out memory.json`],
    run: async () => (await import("./import-export.ts")).exportStore,
  },
};
