// The block `decisions` of a configuration file: where the log is, when the cycle runs, and which policy governs which
// decisions. What a policy means is decisions/levels.ts.
import * as z from "zod/mini";
import { AGE_BASES, DEFAULT_DECISION_POLICY, isDefaultName } from "../decisions/levels.ts";
import { withoutUndefined } from "../text/json-values.ts";
import { checkedTogether, key, listOf, oneOf, strict, text, whole, yesOrNo } from "./schema-parts.ts";

/** Every night at three, local time. */
export const DEFAULT_SCHEDULE = "0 3 * * *";
/** Switches the schedule off. */
export const NO_SCHEDULE = "off";

const LONGEST_AGE_DAYS = 36_500;
const MOST_DECISIONS = 100;
const rules = DEFAULT_DECISION_POLICY;
const age = () => whole(1, LONGEST_AGE_DAYS);

const SCHEDULE_EXPECTED = 'must be a cron pattern of five fields, as "0 3 * * *", or off';
const schedule = z
  .string(SCHEDULE_EXPECTED)
  .check(z.refine((pattern) => pattern === NO_SCHEDULE || isSchedule(pattern), SCHEDULE_EXPECTED));

const policyKeys = {
  enabled: key(yesOrNo, "false: decisions stay full at any age.", { default: rules.isEnabled }),
  thresholds: z.optional(
    strict({
      full: key(age(), "Whole days at which a decision is shown as a summary.", { default: rules.thresholds.full }),
      summary: key(age(), "At which it is one line of a digest.", { default: rules.thresholds.summary }),
      digest: key(age(), "At which it counts in wisdom alone.", { default: rules.thresholds.digest }),
    }),
  ),
  ageBasis: key(oneOf(AGE_BASES), "Whether age counts from the decision or from its review.", {
    default: rules.ageBasis,
  }),
  minDecisions: key(whole(1, MOST_DECISIONS), "Reviewed decisions of a category below which no wisdom is drawn.", {
    default: rules.minDecisions,
  }),
  preserveStakes: key(listOf(text, "stakes"), "Decisions with one of these stakes stay full.", {
    default: rules.preserveStakes,
    example: ["critical"],
  }),
  preserveTags: key(listOf(text, "tags"), "Decisions with one of these tags stay full.", {
    default: rules.preserveTags,
  }),
};

const policiesSchema = z.record(
  z.string(),
  strict({
    agent: key(text, "Only decisions that this agent recorded."),
    category: key(text, "Only decisions of this category."),
    ...policyKeys,
  }),
  "must hold policy names, each with agent or category and the keys that differ",
);

const decisionsBlock = strict({
  dir: key(text, "The decision log as a folder of YAML records, from the working directory.", {
    note: "decisions, where that folder is",
    example: "decisions",
  }),
  db: key(text, "The decision log as a SQLite file, instead of a folder. ~ is the home folder.", {
    note: "~/.agent-compact/decisions.db, where no folder is",
    example: "~/.agent-compact/decisions.db",
  }),
  schedule: key(schedule, "When `serve` runs the cycle: a cron pattern in local time, or off.", {
    default: DEFAULT_SCHEDULE,
  }),
  policy: z.optional(strict(policyKeys)),
  policies: z.optional(policiesSchema),
});
type WrittenDecisions = z.infer<typeof decisionsBlock>;
type WrittenPolicies = NonNullable<WrittenDecisions["policies"]>;
type WrittenThresholds = NonNullable<WrittenPolicies[string]["thresholds"]>;

export const decisionsSchema = checkedTogether(decisionsBlock, faultsBetween);

interface Fault {
  readonly path: readonly string[];
  readonly message: string;
}

/** Keys that are right alone and wrong together. */
function faultsBetween({ dir, db, policy, policies = {} }: WrittenDecisions): readonly Fault[] {
  const base = policy?.thresholds ?? {};
  return [
    ...(dir !== undefined && db !== undefined ? [{ path: ["db"], message: "cannot stand beside dir: keep one" }] : []),
    ...fallingThresholds(["policy"], base),
    ...Object.entries(policies).flatMap(([name, { thresholds }]) =>
      thresholds === undefined
        ? []
        : fallingThresholds(["policies", name], { ...base, ...withoutUndefined(thresholds) }),
    ),
    ...misplacedPolicies(policies),
  ];
}

function fallingThresholds(path: readonly string[], given: WrittenThresholds): readonly Fault[] {
  const { full, summary, digest } = { ...rules.thresholds, ...withoutUndefined(given) };
  if (full < summary && summary < digest) return [];
  const message = `must rise: full ${full}, summary ${summary}, digest ${digest}`;
  return [{ path: [...path, "thresholds"], message }];
}

function misplacedPolicies(policies: WrittenPolicies): readonly Fault[] {
  const places = new Map<string, string>();
  return Object.entries(policies).flatMap(([name, { agent, category }]) => {
    const path = ["policies", name];
    if (isDefaultName(name)) return [{ path, message: "is the name of what governs the rest: take another" }];
    if (agent === undefined && category === undefined) return [{ path, message: "must name an agent or a category" }];
    const place = JSON.stringify([agent, category]);
    const other = places.get(place);
    if (other !== undefined) return [{ path, message: `governs the same decisions as ${other}: keep one` }];
    places.set(place, name);
    return [];
  });
}

/** Read without being started. Croner takes nicknames, dates and patterns with seconds, too: no cycle is meant to run so often. */
async function isSchedule(pattern: string): Promise<boolean> {
  if (pattern.trim().split(/\s+/).length !== 5) return false;
  const { Cron } = await import("croner");
  try {
    return new Cron(pattern, { paused: true, mode: "5-part" }).nextRun() !== null;
  } catch {
    return false;
  }
}

// The block `memory_files` of a configuration file: where the workspace is, which of its files are memory and notes, and how
// large the memory may be. What `auto` finds is in workspace.ts.

/** Kilobytes; a file of 64 MB is not read. */
const MOST_MEMORY_KB = 65_536;

const memoryKb = whole(1, MOST_MEMORY_KB);

export const memoryFilesSchema = strict({
  workspace: key(
    text,
    "The folder that MEMORY.md stands in, from the working directory, or auto. ~ is the home folder.",
    {
      note: "this folder if it holds memory files, else auto: MG_WORKSPACE, OPENCLAW_WORKSPACE, ~/.openclaw/workspace, ~/workspace/agent/workspace",
      example: "~/.openclaw/workspace",
    },
  ),
  memoryFile: key(text, "The memory: a Markdown file, or a folder of them, from the workspace.", {
    note: "the first that is there of MEMORY.md, CLAUDE.md, AGENTS.md, memory-bank/, memories/",
    example: "CLAUDE.md",
  }),
  notesGlob: key(text, "Which files are notes: a pattern from the workspace.", {
    note: "memory/YYYY-MM-DD.md and memory/YYYY-MM-DD-slug.md",
    example: "notes/**/*.md",
  }),
  maxMemoryKb: key(memoryKb, "Kilobytes of 1,024 bytes that the main memory file may have.", {
    note: "5 on the command line, 15 for the MCP tool and in code",
    example: 15,
  }),
});
