// The commands over a memory store, their flags and their help.
import type { Command } from "commander";
import { STRATEGIES } from "../../summaries/summarizer.ts";
import { DEFAULT_DATABASE, days, example, filledText, oneOf, wholeNumber } from "../flags.ts";
import type { Terminal } from "../terminal.ts";
import type { CompactFlags } from "./compact.ts";
import type { ExportFlags, ImportFlags } from "./import-export.ts";
import type { StoreFlags } from "./open-store.ts";
import type { RestoreFlags, SearchFlags } from "./rows.ts";
import type { StaleFlags } from "./stale.ts";

const COMMAND = "agent-compact observations";

export function addObservationCommands(program: Command, terminal: Terminal): void {
  const observations = program
    .command("observations")
    .description("look into an agent's memory store, and compact what is stale")
    .addHelpText("after", example(`${COMMAND} stale --older-than 30`, `${COMMAND} compact --dry-run`));
  addStale(observations, terminal);
  addCompact(observations, terminal);
  addRestore(observations, terminal);
  addSearch(observations, terminal);
  addShow(observations, terminal);
  addStats(observations, terminal);
  addTransfer(observations, terminal);
}

function addStale(observations: Command, terminal: Terminal): void {
  withAge(withFilter(observations.command("stale").description("list what is old enough to be compacted")))
    .option("--limit <n>", "most rows to list (50)", wholeNumber("--limit", 1))
    .addHelpText("after", example(`${COMMAND} stale --older-than 90 --project shop`))
    .action(async (_flags: unknown, self: Command) => {
      const { listStale } = await import("./stale.ts");
      await listStale(self.optsWithGlobals<StaleFlags>(), terminal);
    });
}

function addCompact(observations: Command, terminal: Terminal): void {
  const command = observations
    .command("compact")
    .description("compact stale rows that say the same or share a topic, or those that are named")
    .argument("[ids...]", "rows to compact; without any, groups are proposed");
  withAge(withFilter(command))
    .option("--dry-run", "print the plan, change nothing")
    .option("--plan-out <file>", "write the plan to a file, change nothing", filledText("--plan-out"))
    .option("--plan <file>", "carry out this plan", filledText("--plan"))
    .option("--strategy <name>", `how summaries are written: ${STRATEGIES.join(", ")}`, oneOf("--strategy", STRATEGIES))
    .option("--summary-title <text>", "title of what replaces the named rows", filledText("--summary-title"))
    .option("--summary-content <text>", "its text", filledText("--summary-content"))
    .option("--summary-file <file>", "a file that holds its text; - for stdin", filledText("--summary-file"))
    .addHelpText(
      "after",
      example(
        `${COMMAND} compact --older-than 30 --dry-run`,
        `${COMMAND} compact 12 15 --summary-title "Cache notes" --summary-file notes.md`,
      ),
    )
    .action(async (ids: string[], _flags: unknown, self: Command) => {
      const { compactStale } = await import("./compact.ts");
      await compactStale(ids, self.optsWithGlobals<CompactFlags>(), terminal);
    });
}

function addRestore(observations: Command, terminal: Terminal): void {
  withDatabase(
    observations
      .command("restore")
      .description("bring compacted rows back, exactly as they were")
      .argument("[ids...]", "rows to bring back"),
  )
    .option("--summary <id>", "bring back everything this row stands for", wholeNumber("--summary", 1))
    .addHelpText("after", example(`${COMMAND} restore --summary 40`, `${COMMAND} restore 12 15`))
    .action(async (ids: string[], _flags: unknown, self: Command) => {
      const { restoreRows } = await import("./rows.ts");
      await restoreRows(ids, self.optsWithGlobals<RestoreFlags>(), terminal);
    });
}

function addSearch(observations: Command, terminal: Terminal): void {
  withFilter(
    observations.command("search").description("find rows by their words").argument("<words...>", "all must occur"),
  )
    .option("--type <type>", "only this type", filledText("--type"))
    .option("--compacted", "look among compacted and deleted rows")
    .option("--limit <n>", "most rows to show (20)", wholeNumber("--limit", 1))
    .addHelpText("after", example(`${COMMAND} search rate limit`, `${COMMAND} search rate limit --compacted`))
    .action(async (words: string[], _flags: unknown, self: Command) => {
      const { searchRows } = await import("./rows.ts");
      await searchRows(words, self.optsWithGlobals<SearchFlags>(), terminal);
    });
}

function addShow(observations: Command, terminal: Terminal): void {
  withDatabase(
    observations.command("show").description("one row whole, compacted or not").argument("<id>", "the row's number"),
  )
    .addHelpText("after", example(`${COMMAND} show 12`))
    .action(async (id: string, _flags: unknown, self: Command) => {
      const { showRow } = await import("./rows.ts");
      await showRow(id, self.optsWithGlobals<StoreFlags>(), terminal);
    });
}

function addStats(observations: Command, terminal: Terminal): void {
  withDatabase(observations.command("stats").description("count what the store holds"))
    .addHelpText("after", example(`${COMMAND} stats --db memory.db`))
    .action(async (_flags: unknown, self: Command) => {
      const { showStats } = await import("./rows.ts");
      await showStats(self.optsWithGlobals<StoreFlags>(), terminal);
    });
}

function addTransfer(observations: Command, terminal: Terminal): void {
  withDatabase(
    observations
      .command("import")
      .description("add rows of exports, knowledge graphs or JSON Lines; twice adds nothing")
      .argument("<files...>", "plain or gzip; - for stdin"),
  )
    .option("--redact", "store <REDACTED> for what looks like a secret")
    .addHelpText("after", example(`${COMMAND} import export.json.gz --db memory.db`))
    .action(async (files: string[], _flags: unknown, self: Command) => {
      const { importFiles } = await import("./import-export.ts");
      await importFiles(files, self.optsWithGlobals<ImportFlags>(), terminal);
    });
  withDatabase(observations.command("export").description("write everything, deleted rows too, as one JSON object"))
    .option("--project <name>", "only this project", filledText("--project"))
    .option("--out <file>", "where to write (stdout)", filledText("--out"))
    .addHelpText("after", example(`${COMMAND} export --out memory.json`))
    .action(async (_flags: unknown, self: Command) => {
      const { exportStore } = await import("./import-export.ts");
      await exportStore(self.optsWithGlobals<ExportFlags>(), terminal);
    });
}

function withDatabase(command: Command): Command {
  return command.option("--db <file>", `the memory database (${DEFAULT_DATABASE})`, filledText("--db"));
}

function withFilter(command: Command): Command {
  return withDatabase(command)
    .option("--project <name>", "only this project", filledText("--project"))
    .option("--scope <scope>", "only project or personal rows", oneOf("--scope", ["project", "personal"]))
    .option("--namespace <name>", "only this namespace", filledText("--namespace"));
}

function withAge(command: Command): Command {
  return command.option("--older-than <days>", "age in days (30)", days("--older-than"));
}
