// `cstp.getWisdom`: what the old decisions of each category taught, in one of two forms.
import * as z from "zod";
import { getWisdom } from "../../wisdom/get-wisdom.ts";
import { specForm } from "../../wisdom/spec-form.ts";
import { structuredForm } from "../../wisdom/structured-form.ts";
import { defineMethod } from "../method.ts";
import { agent, category, oneOf, wholeNumber } from "../parameters/kinds.ts";
import { faultsResult, list, servedPolicy } from "../results/served.ts";
import { optionsOf } from "./options.ts";

const principle = z.object({
  text: z.string(),
  confirmations: z.int(),
  contradictions: z.int(),
  exampleIds: list(z.string()),
  contradictingIds: list(z.string()).optional(),
});

const failureMode = z.object({
  text: z.string(),
  failures: z.int(),
  decisions: z.int(),
  exampleIds: list(z.string()),
});

const categoryWisdom = z.object({
  category: z.string(),
  decisions: z.int(),
  success_rate: z.number().optional(),
  key_principles: list(z.string()).optional().describe("text (3 confirmations)"),
  common_failure_mode: z.string().optional().describe("text (4 failures)"),
  successRate: z.number().optional(),
  keyPrinciples: list(principle).optional(),
  commonFailureMode: z.string().optional(),
  failureModes: list(failureMode).optional(),
  avgConfidence: z.number().optional(),
  brierScore: z.number().optional(),
  calibrationGap: z.number().optional(),
});

export const getWisdomMethod = defineMethod({
  name: "cstp.getWisdom",
  description:
    "Gives for each category what its reviewed decisions of wisdom's age taught: success rate, principles with their " +
    "confirmations, the most frequent way to fail. Call it before a decision of that category.",
  params: z.object({
    category: category(),
    agent: agent(),
    minDecisions: wholeNumber()
      .optional()
      .describe("Categories with fewer such decisions are left out, 1 to 100; the policy's, 5, when left out"),
    format: oneOf(["spec", "structured"])
      .optional()
      .describe("spec, the default: snake_case with sentences; structured: camelCase with counts and ids"),
  }),
  result: z.object({
    wisdom: list(categoryWisdom).describe("By category; snake_case keys in the form spec, the others in structured"),
    total_decisions: z
      .int()
      .optional()
      .describe("Reviewed decisions of wisdom's age, left-out categories included; spec"),
    categories_analyzed: z.int().optional().describe("Categories in wisdom; spec"),
    totalDecisions: z.int().optional().describe("As total_decisions; structured"),
    categoriesAnalyzed: z.int().optional().describe("As categories_analyzed; structured"),
    crossCategory: list(principle.extend({ categories: list(z.string()) }))
      .optional()
      .describe("Principles confirmed in several categories; structured"),
    policy: servedPolicy.optional().describe("The policy that governs what was asked for; structured"),
    otherPolicies: list(servedPolicy).optional().describe("Policies that may govern some of it instead; structured"),
    errors: faultsResult.optional().describe("Records that are not served as they should be"),
    errorsTotal: z.int().optional().describe("Their whole number, where not all are listed"),
  }),
  hints: { isReadOnly: true, isDestructive: false, isIdempotent: true },
  run: async ({ format, ...params }, context) => {
    const wisdom = await getWisdom(await context.log(), params, optionsOf(context));
    return format === "structured" ? structuredForm(wisdom) : specForm(wisdom);
  },
});
