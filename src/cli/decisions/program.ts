// The commands over a decision log, their flags and their help.
import type { Command } from "commander";
import { LEVELS, OUTCOMES } from "../../decisions/decision.ts";
import { addCommand, addCommands, type Commands, type FlagsOf, REQUIRED } from "../command.ts";
import { badFlag, DEFAULT_DECISION_DATABASE, filledText, oneOf, type Parser, quoted } from "../flags.ts";
import type { Terminal } from "../terminal.ts";

const COMMAND = "agent-compact decisions";
const FORMATS = ["auto", "cstp", "madr", "issues"];
const STAKES = ["low", "medium", "high", "critical"] as const;

export function addDecisionCommands(program: Command, terminal: Terminal): void {
  const decisions = addCommand(program, terminal, "decisions", {
    about: "look into a log of decisions: new ones whole, old ones as summary, digest and wisdom",
    examples: [`${COMMAND} import docs/adr --db decisions.db`, `${COMMAND} list --db decisions.db`],
  });
  addCommands(decisions, terminal, COMMANDS);
}

/** 0 to 1, in decimals. `80` and `80%` are refused, with what was probably meant. */
const shareOfOne: Parser<number> = (value, flag) => {
  const text = value.trim();
  const number = /^(?:\d{1,3}(?:\.\d{0,15})?|\.\d{1,15})$/.test(text) ? Number(text) : Number.NaN;
  if (number >= 0 && number <= 1) return number;
  const percent = /^(\d{1,3})\s?%?$/.exec(text)?.[1];
  const meant = percent !== undefined && Number(percent) <= 100 ? ` For ${percent} %: ${Number(percent) / 100}.` : "";
  throw badFlag(`${flag} must be a number from 0 to 1, not ${quoted(value)}.${meant}`);
};

/** A flag that may be given several times. */
const eachFilled: Parser<readonly string[]> = (value, flag, before) => [
  ...((before as readonly string[] | undefined) ?? []),
  filledText(value, flag),
];

const LOG = [
  ["--decisions <dir>", "folder of YAML records (./decisions if it exists)"],
  ["--db <file>", `or a database (${DEFAULT_DECISION_DATABASE})`],
] as const;
const WHICH = [
  ["--category <name>", "only this category"],
  ["--agent <name>", "only decisions of this agent"],
] as const;
const ID = ["<id>", "its id, or at least 4 characters of its beginning"] as const;

const LIST = [
  ...LOG,
  ...WHICH,
  ["--level <level>", `only this level: ${LEVELS.join(", ")}`, oneOf(LEVELS)],
  ["--limit <n>", "most decisions to show (50)"],
  ["--no-preserved", "leave out what is preserved"],
  ["--lines", "all as one line each, whatever their age"],
  ["--cursor <text>", "the next page, as the last one names it"],
] as const;
export type ListFlags = FlagsOf<typeof LIST>;

const WISDOM = [
  ...LOG,
  ...WHICH,
  ["--min-decisions <n>", "categories with fewer are left out (5)"],
  ["--format <name>", "form of --json: spec, structured (spec)", oneOf(["spec", "structured"])],
] as const;
export type WisdomFlags = FlagsOf<typeof WISDOM>;

const CALIBRATION = [...LOG, ...WHICH] as const;
export type CalibrationFlags = FlagsOf<typeof CALIBRATION>;

const RECORD = [
  ...LOG,
  ["--category <name>", "architecture, process, integration, tooling, ...", filledText, REQUIRED],
  ["--confidence <share>", "how sure, from 0 to 1", shareOfOne, REQUIRED],
  ["--stakes <name>", `what hangs on it: ${STAKES.join(", ")}`, oneOf(STAKES)],
  ["--reason <type:text>", "a reason, such as empirical:TEXT; may be repeated", eachFilled],
  ["--context <text>", "what it was about"],
  ["--pattern <text>", "the rule it follows"],
  ["--tag <name>", "may be repeated", eachFilled],
  ["--supersedes <id>", "the decision whose place it takes; may be repeated", eachFilled],
  ["--agent <name>", "who decided"],
  ["--preserve", "never show it shorter"],
] as const;
export type RecordFlags = FlagsOf<typeof RECORD>;

const REVIEW = [
  ...LOG,
  ["--outcome <name>", OUTCOMES.join(", "), oneOf(OUTCOMES), REQUIRED],
  ["--result <text>", "what happened"],
  ["--lessons <text>", "what was learned"],
  ["--pattern <text>", "the rule it followed, worded otherwise than recorded"],
  ["--notes <text>", "about the review"],
  ["--agent <name>", "who reviewed it"],
] as const;
export type ReviewFlags = FlagsOf<typeof REVIEW>;

const PRESERVE = [...LOG, ["--off", "let it be shown shorter again"]] as const;
export type PreserveFlags = FlagsOf<typeof PRESERVE>;

const COMPACT = [
  ...LOG,
  ...WHICH,
  ["--dry-run", "print the plan, change nothing"],
  ["--plan-out <file>", "write the plan to a file, change nothing"],
  ["--plan <file>", "carry out this plan"],
] as const;
export type CompactFlags = FlagsOf<typeof COMPACT>;

const IMPORT = [...LOG, ["--format <name>", `what they are: ${FORMATS.join(", ")}`, oneOf(FORMATS), "auto"]] as const;
export type ImportFlags = FlagsOf<typeof IMPORT>;

const COMMANDS: Commands = {
  list: {
    about: "the decisions, each at the level of its age",
    flags: LIST,
    examples: [`${COMMAND} list`, `${COMMAND} list --level digest --category tooling`],
    run: async () => (await import("./list.ts")).listDecisions,
  },
  get: {
    about: "one decision as it was recorded, with its level and why",
    args: [ID],
    flags: LOG,
    examples: [`${COMMAND} get 5c1e07a2`],
    run: async () => (await import("./get.ts")).showDecision,
  },
  wisdom: {
    about: "what the oldest decisions taught, by category",
    flags: WISDOM,
    examples: [`${COMMAND} wisdom`, `${COMMAND} wisdom --category architecture --json`],
    run: async () => (await import("./wisdom.ts")).showWisdom,
  },
  calibration: {
    about: "how confidence compares with what came of the decisions",
    flags: CALIBRATION,
    examples: [`${COMMAND} calibration`],
    run: async () => (await import("./wisdom.ts")).showCalibration,
  },
  record: {
    about: "write a decision down",
    args: [["<text>", "what was decided"]],
    flags: RECORD,
    examples: [
      `${COMMAND} record "Use Postgres for the ledger" --category architecture --confidence 0.8 \\`,
      `  --reason "empirical:Three load tests passed" --pattern "Boring technology first"`,
    ],
    run: async () => (await import("./record.ts")).recordOne,
  },
  review: {
    about: "write down what came of a decision",
    args: [ID],
    flags: REVIEW,
    examples: [`${COMMAND} review 5c1e07a2 --outcome success --lessons "Measure first"`],
    run: async () => (await import("./record.ts")).reviewOne,
  },
  preserve: {
    about: "show a decision in full at any age",
    args: [ID],
    flags: PRESERVE,
    examples: [`${COMMAND} preserve 5c1e07a2`, `${COMMAND} preserve 5c1e07a2 --off`],
    run: async () => (await import("./record.ts")).preserveOne,
  },
  compact: {
    about: "run a cycle: note the levels, write the texts that are due",
    flags: COMPACT,
    examples: [`${COMMAND} compact --dry-run`, `${COMMAND} compact`],
    run: async () => (await import("./compact.ts")).compactLog,
  },
  import: {
    about: "add decision records, ADRs in Markdown or issues; twice adds nothing",
    args: [["<files...>", "files and folders, plain or gzip"]],
    flags: IMPORT,
    examples: [`${COMMAND} import docs/adr --db decisions.db`, `${COMMAND} import issues.jsonl.gz --db decisions.db`],
    run: async () => (await import("./import.ts")).importFiles,
  },
};
