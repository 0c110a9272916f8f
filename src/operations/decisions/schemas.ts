// Schemas of what methods take and answer. Each message of a parameter completes the sentence that starts with its name.
import * as z from "zod";
import { LEVELS, OUTCOMES } from "../../decisions/decision.ts";
import { AGE_BASES } from "../../decisions/levels.ts";

/** Nothing that leads out of a folder or breaks a line. */
function isId(text: string): boolean {
  return /^[^\p{C}/\\]{1,200}$/u.test(text) && !text.includes("..");
}

export const aText = (most: number) => z.string().max(most);

export const filled = (most: number) => aText(most).regex(/\S/, "is required");

/** Not a pattern of the schema: not everybody who reads schemas reads such patterns. */
export const anId = () =>
  z.string().refine(isId, "must be an id of at most 200 characters, without slashes and line breaks");

export function share() {
  const message = "must be a number from 0 to 1";
  return z.number(message).min(0, message).max(1, message);
}

export const texts = (most: number, longest: number) => z.array(aText(longest)).max(most).readonly();

export const LONGEST_NAME = 200;

/** What several methods take. */
export const category = () => aText(LONGEST_NAME).optional().describe("Only this category; all when left out");
export const agent = () => aText(LONGEST_NAME).optional().describe("Only what this agent recorded; all when left out");
export const decisionId = () =>
  anId().describe("Id of the decision, or its first characters, four or more, where only one begins so");

// The form of what clients are served of decisions: decisions/serving/served.ts as schemas, for those who ask for a form in advance.

/** A list that nothing changes. */
export const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();

export const levelResult = z.enum(LEVELS);

export const levelCounts = z.object({
  full: z.int().describe("Shown whole"),
  summary: z.int().describe("Shown with why and what came of it"),
  digest: z.int().describe("Shown as one line"),
  wisdom: z.int().describe("Counted only"),
});

export const faultsResult = list(
  z.object({
    id: z.string().describe("Of the record; the file's name where it has none"),
    code: z
      .enum(["UNREADABLE_DATE", "UNREADABLE_PRESERVE", "UNREADABLE_RECORD", "DUPLICATE_ID"])
      .describe("Of the first two it is served in full, of the others not at all"),
    message: z.string().describe("What is wrong, in a sentence"),
  }),
);

export const faultsRest = {
  errors: faultsResult.optional().describe("Records that are not served as they should be"),
  errorsTotal: z.int().optional().describe("Their whole number, where not all are listed"),
};

/** Of a method that writes. */
export const ignoredResult = list(z.string())
  .optional()
  .describe("Names of what was sent and is no parameter, so it was not kept; absent where there is nothing");

const bridge = z.object({
  structure: z.string(),
  function: z.string(),
  tolerance: list(z.string()).optional(),
  enforcement: list(z.string()).optional(),
  prevention: list(z.string()).optional(),
});

const reason = z.object({
  type: z.string(),
  text: z.string(),
  strength: z.number().optional(),
  confidence: z.number().optional(),
});

export const servedDecision = z.object({
  id: z.string().describe("Whole"),
  level: levelResult.describe("How it is shown here"),
  decision: z.string().optional().describe("What was decided; at full and summary"),
  category: z.string().describe("uncategorized where it has none"),
  date: z.string().optional().describe("YYYY-MM-DD, UTC"),
  preserved: z.literal(true).optional().describe("By its mark or by a policy"),
  superseded: z.literal(true).optional().describe("Not in force any more"),
  supersededBy: z.string().optional().describe("Id of what is in force instead, where the log knows it"),
  outcome: z.enum(OUTCOMES).optional().describe("What came of it"),
  confidence: z.number().optional().describe("How sure it was, 0 to 1"),
  actualConfidence: z.number().optional().describe("1 for success, 0.5 for partial, else 0"),
  bridge: bridge.optional().describe("What it is and what it is for; the rest of it at full"),
  pattern: z.string().optional().describe("The rule it follows; at full and summary"),
  stakes: z.string().optional().describe("What hangs on it; at full and summary"),
  summary: z.string().optional().describe("At summary: why, what came of it, what was learned"),
  summarySource: z.enum(["llm", "extractive"]).optional().describe("Who wrote the summary: a model or code"),
  oneLine: z.string().optional().describe("At digest, in place of the decision"),
  status: z.string().optional().describe("As recorded: pending, reviewed; this and what follows at full"),
  agent: z.string().optional().describe("Who recorded it"),
  context: z.string().optional().describe("The situation in which it was taken"),
  reasons: list(reason).optional().describe("Why"),
  tags: list(z.string()).optional().describe("As recorded"),
  deliberation: z.unknown().optional().describe("As recorded"),
  trace: z.unknown().optional().describe("As recorded"),
  actualResult: z.string().optional().describe("What happened"),
  lessons: z.string().optional().describe("What to do, or not to do, next time"),
  supersedes: list(z.string()).optional().describe("Ids of decisions that it takes the place of"),
});

export const servedPolicy = z.object({
  name: z.string().describe("As configured; default for what is built in"),
  agent: z.string().optional().describe("Whose decisions it is of; all when absent"),
  category: z.string().optional().describe("Which category it is of; all when absent"),
  enabled: z.boolean().describe("false keeps everything full"),
  thresholds: z
    .object({ full: z.number(), summary: z.number(), digest: z.number() })
    .describe("Days at which each level ends"),
  ageBasis: z.enum(AGE_BASES).describe("From when days count"),
  preserveRules: z
    .object({ stakes: list(z.string()), tags: list(z.string()) })
    .describe("What is preserved without a mark of its own"),
  minDecisions: z.number().describe("Decisions that a category of wisdom needs"),
});

/** All keys of an answer but `decisions`. */
export const servedRest = {
  digests: list(z.object({ category: z.string(), count: z.int(), ids: list(z.string()) })).describe(
    "Those of the decisions that are digests, by category",
  ),
  total: z.int().describe("Decisions in this answer"),
  levels: levelCounts.describe("All that the filter admits, whatever the limit"),
  leftOut: z
    .object({ byLimit: z.int(), before: z.int(), wisdom: z.int(), otherLevels: z.int() })
    .describe(
      "What the filter admits and this answer does not hold: on later pages, on earlier ones, in wisdom, of other levels",
    ),
  nextCursor: z.string().optional().describe("Give it as cursor for the next page; absent on the last"),
  policy: servedPolicy.describe("The policy that governs what was asked for"),
  otherPolicies: list(servedPolicy).optional().describe("Policies that may govern some of it instead"),
  ...faultsRest,
};

export const served = list(servedDecision);
