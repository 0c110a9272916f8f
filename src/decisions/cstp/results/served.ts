// The form of what clients are served of decisions: serving/served.ts as schemas, for those who ask for a form in advance.
import { z } from "zod";
import { LEVELS, OUTCOMES } from "../../decision.ts";
import { AGE_BASES } from "../../levels/policy.ts";

/** A list that nothing changes. */
export const list = <Item extends z.ZodType>(item: Item) => z.array(item).readonly();

export const levelResult = z.enum(LEVELS);

export const levelCounts = z.object({ full: z.int(), summary: z.int(), digest: z.int(), wisdom: z.int() });

/** Records that are not served as they should be. */
export const faultsResult = list(
  z.object({
    id: z.string().describe("Of the record; the file's name where it has none"),
    code: z.enum(["UNREADABLE_DATE", "UNREADABLE_PRESERVE", "UNREADABLE_RECORD", "DUPLICATE_ID"]),
    message: z.string(),
  }),
);

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
  id: z.string(),
  level: levelResult.describe("How it is shown here"),
  decision: z.string().optional().describe("What was decided; at full and summary"),
  category: z.string(),
  date: z.string().optional().describe("YYYY-MM-DD, UTC"),
  preserved: z.literal(true).optional(),
  superseded: z.literal(true).optional().describe("Not in force any more"),
  supersededBy: z.string().optional(),
  outcome: z.enum(OUTCOMES).optional(),
  confidence: z.number().optional(),
  actualConfidence: z.number().optional().describe("1 for success, 0.5 for partial, else 0"),
  bridge: bridge.optional(),
  pattern: z.string().optional(),
  stakes: z.string().optional(),
  summary: z.string().optional(),
  summarySource: z.enum(["llm", "extractive"]).optional(),
  oneLine: z.string().optional().describe("At digest, in place of the decision"),
  status: z.string().optional(),
  agent: z.string().optional(),
  context: z.string().optional(),
  reasons: list(reason).optional(),
  tags: list(z.string()).optional(),
  deliberation: z.unknown().optional(),
  trace: z.unknown().optional(),
  actualResult: z.string().optional(),
  lessons: z.string().optional(),
  supersedes: list(z.string()).optional(),
});

export const servedPolicy = z.object({
  name: z.string(),
  agent: z.string().optional(),
  category: z.string().optional(),
  enabled: z.boolean(),
  thresholds: z.object({ full: z.number(), summary: z.number(), digest: z.number() }),
  ageBasis: z.enum(AGE_BASES),
  preserveRules: z.object({ stakes: list(z.string()), tags: list(z.string()) }),
  minDecisions: z.number(),
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
  errors: faultsResult.optional().describe("Records that are not served as they should be"),
  errorsTotal: z.int().optional().describe("Their whole number, where not all are listed"),
};

export const served = list(servedDecision);
