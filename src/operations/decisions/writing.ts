// The CSTP methods that write: recordDecision, reviewDecision, setPreserve, compact.
import * as z from "zod";
import { compactDecisions } from "../../decisions/compaction/compact-decisions.ts";
import { OUTCOMES, REVIEWED } from "../../decisions/decision.ts";
import { type RecordRequest, recordDecision } from "../../decisions/record-decision.ts";
import { type ReviewRequest, reviewDecision, setPreserve } from "../../decisions/review-decision.ts";
import { DAY_MS, isoTime } from "../../time.ts";
import { defineOperation, optionsOf } from "./context.ts";
import {
  agent,
  anId,
  aText,
  category,
  decisionId,
  faultsRest,
  filled,
  ignoredResult,
  LONGEST_NAME,
  levelCounts,
  levelResult,
  list,
  share,
  texts,
} from "./schemas.ts";

const LONGEST_TEXT = 20_000;
const LONGEST_LINE = 2000;
const MOST_ITEMS = 100;
/** Keys and values of any kind, kept as they were sent. */
const anything = () => z.record(z.string(), z.unknown());

const reason = z.union(
  [
    z.object({
      type: aText(LONGEST_NAME).optional(),
      text: filled(LONGEST_LINE),
      strength: share().optional(),
      confidence: share().optional(),
    }),
    filled(LONGEST_LINE),
  ],
  "must be a text, or {type, text, strength} with a strength from 0 to 1",
);

const bridge = z.object(
  {
    structure: aText(LONGEST_LINE).optional(),
    function: aText(LONGEST_LINE).optional(),
    tolerance: texts(MOST_ITEMS, LONGEST_LINE).optional(),
    enforcement: texts(MOST_ITEMS, LONGEST_LINE).optional(),
    prevention: texts(MOST_ITEMS, LONGEST_LINE).optional(),
  },
  "must be {structure, function}",
);

const related = z.union(
  [
    z.object({
      id: anId(),
      summary: aText(LONGEST_LINE).optional(),
      distance: z.number().optional(),
      type: aText(LONGEST_NAME).optional(),
    }),
    anId(),
  ],
  "must be an id, or {id, type}",
);

const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).max(MOST_ITEMS);

const nearWordings = (field: string) =>
  list(z.object({ text: z.string(), decisions: z.int() }))
    .optional()
    .describe(`How the log words what may be the same as ${field}: in the same words they count together in wisdom`);

export const recordDecisionMethod = defineOperation({
  name: "cstp.recordDecision",
  description:
    "Adds a decision to the log, with why it was taken and how sure you are. Call it when you have decided, and " +
    "cstp.reviewDecision when it is known what came of it.",
  params: z.object({
    decision: filled(LONGEST_TEXT).describe("What was decided, in a sentence or two"),
    category: filled(LONGEST_NAME).describe("architecture, process, integration, tooling, security, or one of yours"),
    summary: aText(LONGEST_TEXT).optional().describe("The same in short, where decision is long"),
    id: aText(LONGEST_NAME)
      .optional()
      .describe("Id of your own: sent twice, the second is refused, so it is recorded once; made up when left out"),
    confidence: share().optional().describe("How sure, 0 to 1"),
    stakes: z.enum(["low", "medium", "high", "critical"]).optional().describe("What hangs on it"),
    context: aText(LONGEST_TEXT).optional().describe("The situation in which it was taken"),
    reasons: listOf(reason)
      .optional()
      .describe("Why: {type, text, strength} each; type is analysis, pattern, empirical, constraint, ..."),
    tags: texts(MOST_ITEMS, LONGEST_NAME).optional().describe("Words to group it by"),
    pattern: aText(LONGEST_LINE).optional().describe("The rule it follows, in a few words: wisdom is made of these"),
    bridge: bridge.optional().describe("What it is (structure) and what it is for (function)"),
    supersedes: texts(MOST_ITEMS, LONGEST_NAME).optional().describe("Ids of decisions that it takes the place of"),
    relatedTo: listOf(related)
      .optional()
      .describe("Decisions it has to do with: ids, or {id, type}; the type supersedes is as the parameter"),
    deliberation: anything().optional().describe("Inputs and steps that led to it"),
    trace: listOf(z.unknown()).optional().describe("Steps of reasoning"),
    preDecision: z.unknown().optional().describe("What was looked at before it was taken; kept, not used"),
    kpiIndicators: texts(MOST_ITEMS, LONGEST_LINE).optional().describe("Figures by which it is to be judged"),
    mentalState: aText(LONGEST_NAME).optional().describe("In what state of mind it was taken; kept, not used"),
    reviewBy: aText(LONGEST_NAME).optional().describe("Date by which it is to be reviewed"),
    reviewIn: z
      .string()
      .regex(/^\d{1,4}\s?[hdwm]$/i, "must be a time like 24h, 7d, 2w or 1m")
      .optional()
      .describe("The same from now on: 24h, 7d, 2w, 1m"),
    preserve: z.boolean().optional().describe("true: never compacted"),
    recordedBy: aText(LONGEST_NAME)
      .optional()
      .describe("Who decided; whoever the token stands for, where tokens are set"),
    project: aText(LONGEST_NAME).optional().describe("Project it belongs to; kept, not used"),
    feature: aText(LONGEST_NAME).optional().describe("Feature it belongs to; kept, not used"),
    pr: z.int().optional().describe("Number of the pull request; kept, not used"),
    file: aText(LONGEST_LINE).optional().describe("File it is about; kept, not used"),
    line: z.int().optional().describe("Line of that file; kept, not used"),
    commit: aText(LONGEST_NAME).optional().describe("Commit that carried it out; kept, not used"),
  }),
  exact: ["preserve"],
  result: z.object({
    success: z.literal(true).describe("What fails is an error"),
    id: z.string().describe("Of the new decision"),
    status: z.literal("pending").describe("Until it is reviewed"),
    timestamp: z.string().describe("When it was recorded: ISO 8601, UTC"),
    compactionLevel: levelResult.describe("How lists show it now"),
    supersedes: list(z.string()).optional().describe("Whole ids of the decisions that are superseded from now on"),
    nearWordings: nearWordings("pattern"),
    ignored: ignoredResult,
  }),
  hints: { isReadOnly: false, isDestructive: false, isIdempotent: false },
  run: async ({ recordedBy, reviewIn, ...params }, context) => {
    const options = optionsOf(context);
    const agent = context.agent === "" ? recordedBy : context.agent;
    const reviewBy = params.reviewBy ?? (reviewIn === undefined ? undefined : dayIn(reviewIn, options.now));
    // What a client sent as JSON is JSON.
    const request = { ...params, reviewBy, agent } as RecordRequest;
    const { date: timestamp, record: _, ...answer } = await recordDecision(await context.log(), request, options);
    return { success: true as const, timestamp, ...answer };
  },
});

const UNIT_DAYS: Readonly<Record<string, number>> = { h: 1 / 24, d: 1, w: 7, m: 30 };

function dayIn(time: string, now: number): string {
  const days = Number.parseInt(time, 10) * (UNIT_DAYS[time.slice(-1).toLowerCase()] ?? 1);
  return isoTime(now + days * DAY_MS).slice(0, 10);
}

export const reviewDecisionMethod = defineOperation({
  name: "cstp.reviewDecision",
  description:
    "Says what came of a decision. From then on it counts in calibration and wisdom, and is shown shorter as it ages. A " +
    "later review takes the place of an earlier one.",
  params: z.object({
    decisionId: decisionId(),
    outcome: z.enum(OUTCOMES).describe("What came of it"),
    actualResult: aText(LONGEST_TEXT).optional().describe("What happened"),
    lessons: aText(LONGEST_TEXT).optional().describe("What to do, or not to do, next time"),
    pattern: aText(LONGEST_LINE)
      .optional()
      .describe("The rule it followed, in the log's words where it was recorded in others; as recorded when left out"),
    notes: aText(LONGEST_TEXT).optional().describe("Anything else about the review"),
    affectedKpis: z.unknown().optional().describe("Figures that it moved, and how; kept, not used"),
    reviewedBy: aText(LONGEST_NAME)
      .optional()
      .describe("Who reviewed; whoever the token stands for, where tokens are set"),
  }),
  result: z.object({
    success: z.literal(true).describe("What fails is an error"),
    id: z.string().describe("The whole id"),
    status: z.literal(REVIEWED).describe("From now on"),
    outcome: z.enum(OUTCOMES).describe("As it was sent"),
    reviewedAt: z.string().describe("ISO 8601, UTC"),
    compactionLevel: levelResult.describe("Now that it is reviewed"),
    replaced: z
      .record(z.string(), z.unknown())
      .readonly()
      .optional()
      .describe(
        "What this review took the place of (a review, a pattern), as the record had it; nothing else keeps it",
      ),
    nearWordings: nearWordings("lessons or pattern"),
    ignored: ignoredResult,
  }),
  hints: { isReadOnly: false, isDestructive: true, isIdempotent: false },
  run: async ({ decisionId: id, reviewedBy, ...review }, context) => {
    const agent = context.agent === "" ? reviewedBy : context.agent;
    // What a client sent as JSON is JSON.
    const request = { id, ...review, agent } as ReviewRequest;
    const answer = await reviewDecision(await context.log(), request, optionsOf(context));
    return { success: true as const, ...answer };
  },
});

export const setPreserveMethod = defineOperation({
  name: "cstp.setPreserve",
  description:
    "Marks a decision as never to be compacted, or takes the mark away. Takes effect at once; an unknown id is an answer " +
    "without success, not an error.",
  params: z.object({
    decisionId: decisionId(),
    preserve: z.boolean().optional().describe("true marks it, false takes the mark away; true when left out"),
  }),
  /** A text that is taken for true would keep for good what somebody meant to let go. */
  exact: ["preserve"],
  result: z.object({
    success: z.boolean().describe("False where no decision has the id"),
    decisionId: z.string().describe("The whole id; as it was sent where no decision has it"),
    preserve: z.boolean().describe("As it was sent"),
    error: z.string().optional().describe("Why it was no success"),
    ignored: ignoredResult,
  }),
  hints: { isReadOnly: false, isDestructive: false, isIdempotent: true },
  run: async ({ decisionId: id, preserve = true }, context) =>
    setPreserve(await context.log(), { id, preserve }, optionsOf(context)),
});

const runSchema = z.object({
  id: z.string(),
  started_at: z.string(),
  finished_at: z.string(),
  trigger: z.string().describe("schedule, or who asked"),
  total: z.int(),
  preserved: z.int(),
  levels: levelCounts,
  changed: z.int(),
  texts: z.object({ llm: z.int(), extractive: z.int(), failed: z.int() }),
});

export const compactMethod = defineOperation({
  name: "cstp.compact",
  description:
    "Runs a compaction cycle: looks at every decision, writes the texts of those that became a summary or a line, and tells " +
    "which levels changed. Records stay as they are. With dryRun it only says what would change.",
  params: z.object({
    category: category(),
    agent: agent(),
    dryRun: z.boolean().optional().describe("true writes nothing; false when left out"),
  }),
  result: z.object({
    compacted: z.int().describe("Decisions looked at, full ones included"),
    preserved: z.int().describe("Of them, those that are preserved"),
    levels: levelCounts.describe("How many of them are at each level"),
    dryRun: z.boolean().describe("True where nothing was written"),
    changed: z
      .array(z.object({ id: z.string(), from: levelResult, to: levelResult }))
      .readonly()
      .describe("Decisions with another level than after the last cycle; at most 100"),
    changedTotal: z.int().describe("All of them"),
    run: runSchema.optional().describe("As the log keeps it; absent for a dry run"),
    ...faultsRest,
    warning: z.string().optional().describe("Why texts were left to code: the model failed again and again"),
    ignored: ignoredResult,
  }),
  hints: { isReadOnly: false, isDestructive: false, isIdempotent: true },
  run: async (params, context) => {
    const { texts, signal, now, agent: caller } = context;
    const request = { ...params, trigger: caller === "" ? undefined : caller };
    return compactDecisions(await context.log(), request, { ...optionsOf(context), texts, signal, clock: now });
  },
});
