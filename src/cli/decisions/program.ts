// The commands over a decision log, their flags and their help.
import type { Command } from "commander";
import { LEVELS, OUTCOMES } from "../../decisions/decision.ts";
import { addCommand, addCommands, type Commands, type Flag } from "../command.ts";
import { badFlag, DEFAULT_DECISION_DATABASE, filledText, oneOf, type Parser, quoted } from "../flags.ts";
import type { Terminal } from "../terminal.ts";

const COMMAND = "agent-compact decisions";
const FORMATS = ["auto", "cstp", "madr", "issues"];
const STAKES = ["low", "medium", "high", "critical"];

export function addDecisionCommands(program: Command, terminal: Terminal): void {
  const decisions = addCommand(program, terminal, "decisions", {
    about: "look into a log of decisions: new ones whole, old ones as summary, digest and wisdom",
    examples: [`${COMMAND} import docs/adr --db decisions.db`, `${COMMAND} list --db decisions.db`],
  });
  addCommands(decisions, terminal, COMMANDS);
}

/** 0 to 1, in decimals. `80` and `80%` are refused, with what was probably meant. */
const shareOfOne: Parser = (value, flag) => {
  const text = value.trim();
  const number = /^(?:\d{1,3}(?:\.\d{0,15})?|\.\d{1,15})$/.test(text) ? Number(text) : Number.NaN;
  if (number >= 0 && number <= 1) return number;
  const percent = /^(\d{1,3})\s?%?$/.exec(text)?.[1];
  const meant = percent !== undefined && Number(percent) <= 100 ? ` For ${percent} %: ${Number(percent) / 100}.` : "";
  throw badFlag(`${flag} must be a number from 0 to 1, not ${quoted(value)}.${meant}`);
};

/** A flag that may be given several times. */
const eachFilled: Parser = (value, flag, before) => [
  ...((before as readonly unknown[] | undefined) ?? []),
  filledText(value, flag),
];

const LOG: readonly Flag[] = [
  ["--decisions <dir>", "folder of YAML records (./decisions if it exists)"],
  ["--db <file>", `or a database (${DEFAULT_DECISION_DATABASE})`],
];
const WHICH: readonly Flag[] = [
  ["--category <name>", "only this category"],
  ["--agent <name>", "only decisions of this agent"],
];
const ID = ["<id>", "its id, or at least 4 characters of its beginning"] as const;

const COMMANDS: Commands = {
  list: {
    about: "the decisions, each at the level of its age",
    flags: [
      ...LOG,
      ...WHICH,
      ["--level <level>", `only this level: ${LEVELS.join(", ")}`, oneOf(LEVELS)],
      ["--limit <n>", "most decisions to show (50)"],
      ["--no-preserved", "leave out what is preserved"],
      ["--lines", "all as one line each, whatever their age"],
      ["--cursor <text>", "the next page, as the last one names it"],
    ],
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
    flags: [
      ...LOG,
      ...WHICH,
      ["--min-decisions <n>", "categories with fewer are left out (5)"],
      ["--format <name>", "form of --json: spec, structured (spec)", oneOf(["spec", "structured"])],
    ],
    examples: [`${COMMAND} wisdom`, `${COMMAND} wisdom --category architecture --json`],
    run: async () => (await import("./wisdom.ts")).showWisdom,
  },
  calibration: {
    about: "how confidence compares with what came of the decisions",
    flags: [...LOG, ...WHICH],
    examples: [`${COMMAND} calibration`],
    run: async () => (await import("./wisdom.ts")).showCalibration,
  },
  record: {
    about: "write a decision down",
    args: [["<text>", "what was decided"]],
    required: ["--category", "--confidence"],
    flags: [
      ...LOG,
      ["--category <name>", "architecture, process, integration, tooling, ..."],
      ["--confidence <share>", "how sure, from 0 to 1", shareOfOne],
      ["--stakes <name>", `what hangs on it: ${STAKES.join(", ")}`, oneOf(STAKES)],
      ["--reason <type:text>", "a reason, such as empirical:TEXT; may be repeated", eachFilled],
      ["--context <text>", "what it was about"],
      ["--pattern <text>", "the rule it follows"],
      ["--tag <name>", "may be repeated", eachFilled],
      ["--supersedes <id>", "the decision whose place it takes; may be repeated", eachFilled],
      ["--agent <name>", "who decided"],
      ["--preserve", "never show it shorter"],
    ],
    examples: [
      `${COMMAND} record "Use Postgres for the ledger" --category architecture --confidence 0.8 \\`,
      `  --reason "empirical:Three load tests passed" --pattern "Boring technology first"`,
    ],
    run: async () => (await import("./record.ts")).recordOne,
  },
  review: {
    about: "write down what came of a decision",
    args: [ID],
    required: ["--outcome"],
    flags: [
      ...LOG,
      ["--outcome <name>", OUTCOMES.join(", "), oneOf(OUTCOMES)],
      ["--result <text>", "what happened"],
      ["--lessons <text>", "what was learned"],
      ["--pattern <text>", "the rule it followed, worded otherwise than recorded"],
      ["--notes <text>", "about the review"],
      ["--agent <name>", "who reviewed it"],
    ],
    examples: [`${COMMAND} review 5c1e07a2 --outcome success --lessons "Measure first"`],
    run: async () => (await import("./record.ts")).reviewOne,
  },
  preserve: {
    about: "show a decision in full at any age",
    args: [ID],
    flags: [...LOG, ["--off", "let it be shown shorter again"]],
    examples: [`${COMMAND} preserve 5c1e07a2`, `${COMMAND} preserve 5c1e07a2 --off`],
    run: async () => (await import("./record.ts")).preserveOne,
  },
  compact: {
    about: "run a cycle: note the levels, write the texts that are due",
    flags: [
      ...LOG,
      ...WHICH,
      ["--dry-run", "print the plan, change nothing"],
      ["--plan-out <file>", "write the plan to a file, change nothing"],
      ["--plan <file>", "carry out this plan"],
    ],
    examples: [`${COMMAND} compact --dry-run`, `${COMMAND} compact`],
    run: async () => (await import("./compact.ts")).compactLog,
  },
  import: {
    about: "add decision records, ADRs in Markdown or issues; twice adds nothing",
    args: [["<files...>", "files and folders, plain or gzip"]],
    flags: [...LOG, ["--format <name>", `what they are: ${FORMATS.join(", ")}`, oneOf(FORMATS), "auto"]],
    examples: [`${COMMAND} import docs/adr --db decisions.db`, `${COMMAND} import issues.jsonl.gz --db decisions.db`],
    run: async () => (await import("./import.ts")).importFiles,
  },
};
