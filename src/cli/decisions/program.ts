// The commands over a decision log, their flags and their help.
import type { Command } from "commander";
import { LEVELS, OUTCOMES } from "../../decisions/decision.ts";
import { badFlag, DEFAULT_DECISION_DATABASE, example, filledText, oneOf, quoted, wholeNumber } from "../flags.ts";
import type { Terminal } from "../terminal.ts";
import type { CompactFlags } from "./compact.ts";
import type { ImportFlags } from "./import.ts";
import type { ListFlags } from "./list.ts";
import type { DecisionFlags } from "./open-decisions.ts";
import type { PreserveFlags, RecordFlags, ReviewFlags } from "./record.ts";
import type { WisdomFlags } from "./wisdom.ts";

const COMMAND = "agent-compact decisions";
const FORMATS = ["auto", "cstp", "madr", "issues"];

export function addDecisionCommands(program: Command, terminal: Terminal): void {
  const decisions = program
    .command("decisions")
    .description("look into a log of decisions: new ones whole, old ones as summary, digest and wisdom")
    .addHelpText("after", example(`${COMMAND} import docs/adr --db decisions.db`, `${COMMAND} list --db decisions.db`));
  addList(decisions, terminal);
  addGet(decisions, terminal);
  addWisdom(decisions, terminal);
  addCalibration(decisions, terminal);
  addRecord(decisions, terminal);
  addReview(decisions, terminal);
  addPreserve(decisions, terminal);
  addCompact(decisions, terminal);
  addImport(decisions, terminal);
}

function addList(decisions: Command, terminal: Terminal): void {
  withFilter(decisions.command("list").description("the decisions, each at the level of its age"))
    .option("--level <level>", `only this level: ${LEVELS.join(", ")}`, oneOf("--level", LEVELS))
    .option("--limit <n>", "most decisions to show (50)", wholeNumber("--limit", 1))
    .option("--no-preserved", "leave out what is preserved")
    .option("--lines", "all as one line each, whatever their age")
    .option("--cursor <text>", "the next page, as the last one names it", filledText("--cursor"))
    .addHelpText("after", example(`${COMMAND} list`, `${COMMAND} list --level digest --category tooling`))
    .action(async (_flags: unknown, self: Command) => {
      const { listDecisions } = await import("./list.ts");
      await listDecisions(self.optsWithGlobals<ListFlags>(), terminal);
    });
}

function addGet(decisions: Command, terminal: Terminal): void {
  withLog(decisions.command("get").description("one decision as it was recorded, with its level and why"))
    .argument("<id>", "its id, or at least 4 characters of its beginning")
    .addHelpText("after", example(`${COMMAND} get 5c1e07a2`))
    .action(async (id: string, _flags: unknown, self: Command) => {
      const { showDecision } = await import("./get.ts");
      await showDecision(id, self.optsWithGlobals<DecisionFlags>(), terminal);
    });
}

function addWisdom(decisions: Command, terminal: Terminal): void {
  withFilter(decisions.command("wisdom").description("what the oldest decisions taught, by category"))
    .option("--min-decisions <n>", "categories with fewer are left out (5)", wholeNumber("--min-decisions", 1))
    .option("--format <name>", "form of --json: spec, structured (spec)", oneOf("--format", ["spec", "structured"]))
    .addHelpText("after", example(`${COMMAND} wisdom`, `${COMMAND} wisdom --category architecture --json`))
    .action(async (_flags: unknown, self: Command) => {
      const { showWisdom } = await import("./wisdom.ts");
      await showWisdom(self.optsWithGlobals<WisdomFlags>(), terminal);
    });
}

function addCalibration(decisions: Command, terminal: Terminal): void {
  withFilter(decisions.command("calibration").description("how confidence compares with what came of the decisions"))
    .addHelpText("after", example(`${COMMAND} calibration`))
    .action(async (_flags: unknown, self: Command) => {
      const { showCalibration } = await import("./wisdom.ts");
      await showCalibration(self.optsWithGlobals<WisdomFlags>(), terminal);
    });
}

function addRecord(decisions: Command, terminal: Terminal): void {
  withLog(decisions.command("record").description("write a decision down"))
    .argument("<text>", "what was decided")
    .requiredOption("--category <name>", "architecture, process, integration, tooling, ...", filledText("--category"))
    .requiredOption("--confidence <share>", "how sure, from 0 to 1", shareOfOne("--confidence"))
    .option("--stakes <name>", `what hangs on it: ${STAKES.join(", ")}`, oneOf("--stakes", STAKES))
    .option("--reason <type:text>", "a reason, such as empirical:TEXT; may be repeated", eachFilled("--reason"))
    .option("--context <text>", "what it was about", filledText("--context"))
    .option("--pattern <text>", "the rule it follows", filledText("--pattern"))
    .option("--tag <name>", "may be repeated", eachFilled("--tag"))
    .option("--supersedes <id>", "the decision whose place it takes; may be repeated", eachFilled("--supersedes"))
    .option("--agent <name>", "who decided", filledText("--agent"))
    .option("--preserve", "never show it shorter")
    .addHelpText(
      "after",
      example(
        `${COMMAND} record "Use Postgres for the ledger" --category architecture --confidence 0.8 \\`,
        `  --reason "empirical:Three load tests passed" --pattern "Boring technology first"`,
      ),
    )
    .action(async (text: string, _flags: unknown, self: Command) => {
      const { recordOne } = await import("./record.ts");
      await recordOne(text, self.optsWithGlobals<RecordFlags>(), terminal);
    });
}

function addReview(decisions: Command, terminal: Terminal): void {
  withLog(decisions.command("review").description("write down what came of a decision"))
    .argument("<id>", "its id, or at least 4 characters of its beginning")
    .requiredOption("--outcome <name>", OUTCOMES.join(", "), oneOf("--outcome", OUTCOMES))
    .option("--result <text>", "what happened", filledText("--result"))
    .option("--lessons <text>", "what was learned", filledText("--lessons"))
    .option("--pattern <text>", "the rule it followed, worded otherwise than recorded", filledText("--pattern"))
    .option("--notes <text>", "about the review", filledText("--notes"))
    .option("--agent <name>", "who reviewed it", filledText("--agent"))
    .addHelpText("after", example(`${COMMAND} review 5c1e07a2 --outcome success --lessons "Measure first"`))
    .action(async (id: string, _flags: unknown, self: Command) => {
      const { reviewOne } = await import("./record.ts");
      await reviewOne(id, self.optsWithGlobals<ReviewFlags>(), terminal);
    });
}

function addPreserve(decisions: Command, terminal: Terminal): void {
  withLog(decisions.command("preserve").description("show a decision in full at any age"))
    .argument("<id>", "its id, or at least 4 characters of its beginning")
    .option("--off", "let it be shown shorter again")
    .addHelpText("after", example(`${COMMAND} preserve 5c1e07a2`, `${COMMAND} preserve 5c1e07a2 --off`))
    .action(async (id: string, _flags: unknown, self: Command) => {
      const { preserveOne } = await import("./record.ts");
      await preserveOne(id, self.optsWithGlobals<PreserveFlags>(), terminal);
    });
}

function addCompact(decisions: Command, terminal: Terminal): void {
  withLog(decisions.command("compact").description("run a cycle: note the levels, write the texts that are due"))
    .option("--category <name>", "only this category", filledText("--category"))
    .option("--agent <name>", "only decisions of this agent", filledText("--agent"))
    .option("--dry-run", "print the plan, change nothing")
    .option("--plan-out <file>", "write the plan to a file, change nothing", filledText("--plan-out"))
    .option("--plan <file>", "carry out this plan", filledText("--plan"))
    .addHelpText("after", example(`${COMMAND} compact --dry-run`, `${COMMAND} compact`))
    .action(async (_flags: unknown, self: Command) => {
      const { compactLog } = await import("./compact.ts");
      await compactLog(self.optsWithGlobals<CompactFlags>(), terminal);
    });
}

function addImport(decisions: Command, terminal: Terminal): void {
  withLog(
    decisions.command("import").description("add decision records, ADRs in Markdown or issues; twice adds nothing"),
  )
    .argument("<files...>", "files and folders, plain or gzip")
    .option("--format <name>", `what they are: ${FORMATS.join(", ")}`, oneOf("--format", FORMATS), "auto")
    .addHelpText(
      "after",
      example(`${COMMAND} import docs/adr --db decisions.db`, `${COMMAND} import issues.jsonl.gz --db decisions.db`),
    )
    .action(async (files: string[], _flags: unknown, self: Command) => {
      const { importFiles } = await import("./import.ts");
      await importFiles(files, self.optsWithGlobals<ImportFlags>(), terminal);
    });
}

function withLog(command: Command): Command {
  return command
    .option("--decisions <dir>", "folder of YAML records (./decisions if it exists)", filledText("--decisions"))
    .option("--db <file>", `or a database (${DEFAULT_DECISION_DATABASE})`, filledText("--db"));
}

function withFilter(command: Command): Command {
  return withLog(command)
    .option("--category <name>", "only this category", filledText("--category"))
    .option("--agent <name>", "only decisions of this agent", filledText("--agent"));
}

// Values of flags that only the commands over a decision log have.

const STAKES = ["low", "medium", "high", "critical"];

/** A parser for commander: 0 to 1, in decimals. `80` and `80%` are refused, with what was probably meant. */
function shareOfOne(flag: string): (value: string) => number {
  return (value) => {
    const text = value.trim();
    const number = /^(?:\d{1,3}(?:\.\d{0,15})?|\.\d{1,15})$/.test(text) ? Number(text) : Number.NaN;
    if (number >= 0 && number <= 1) return number;
    const percent = /^(\d{1,3})\s?%?$/.exec(text)?.[1];
    const meant = percent !== undefined && Number(percent) <= 100 ? ` For ${percent} %: ${Number(percent) / 100}.` : "";
    throw badFlag(`${flag} must be a number from 0 to 1, not ${quoted(value)}.${meant}`);
  };
}

/** A flag that may be given several times. */
function eachFilled(flag: string): (value: string, before: readonly string[] | undefined) => readonly string[] {
  const filled = filledText(flag);
  return (value, before = []) => [...before, filled(value)];
}
