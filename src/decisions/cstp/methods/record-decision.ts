// `cstp.recordDecision`: adds a decision to the log.
import * as z from "zod";
import { DAY_MS, isoTime } from "../../../time.ts";
import { type RecordRequest, recordDecision } from "../../recording/record-decision.ts";
import { defineMethod } from "../method.ts";
import { anId, aText, filled, LONGEST_NAME, oneOf, share, texts, wholeNumber, yesOrNo } from "../parameters/kinds.ts";
import { ignoredResult, levelResult, list } from "../results/served.ts";
import { optionsOf } from "./options.ts";

const LONGEST_TEXT = 20_000;
const LONGEST_LINE = 2000;
const MOST = 100;
/** Keys and values of any kind, kept as they were sent. */
const anything = () => z.record(z.string(), z.unknown(), "must be an object");

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
    tolerance: texts(MOST, LONGEST_LINE).optional(),
    enforcement: texts(MOST, LONGEST_LINE).optional(),
    prevention: texts(MOST, LONGEST_LINE).optional(),
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

const listOf = <Item extends z.ZodType>(item: Item, what: string) =>
  z.array(item, `must be a list of ${what}`).max(MOST, `must have at most ${MOST} items`);

export const recordDecisionMethod = defineMethod({
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
    stakes: oneOf(["low", "medium", "high", "critical"]).optional().describe("What hangs on it"),
    context: aText(LONGEST_TEXT).optional().describe("The situation in which it was taken"),
    reasons: listOf(reason, "reasons")
      .optional()
      .describe("Why: {type, text, strength} each; type is analysis, pattern, empirical, constraint, ..."),
    tags: texts(MOST, LONGEST_NAME).optional().describe("Words to group it by"),
    pattern: aText(LONGEST_LINE).optional().describe("The rule it follows, in a few words: wisdom is made of these"),
    bridge: bridge.optional().describe("What it is (structure) and what it is for (function)"),
    supersedes: texts(MOST, LONGEST_NAME).optional().describe("Ids of decisions that it takes the place of"),
    relatedTo: listOf(related, "ids")
      .optional()
      .describe("Decisions it has to do with: ids, or {id, type}; the type supersedes is as the parameter"),
    deliberation: anything().optional().describe("Inputs and steps that led to it"),
    trace: listOf(z.unknown(), "steps").optional().describe("Steps of reasoning"),
    preDecision: z.unknown().optional().describe("What was looked at before it was taken; kept, not used"),
    kpiIndicators: texts(MOST, LONGEST_LINE).optional().describe("Figures by which it is to be judged"),
    mentalState: aText(LONGEST_NAME).optional().describe("In what state of mind it was taken; kept, not used"),
    reviewBy: aText(LONGEST_NAME).optional().describe("Date by which it is to be reviewed"),
    reviewIn: z
      .string("must be a text")
      .regex(/^\d{1,4}\s?[hdwm]$/i, "must be a time like 24h, 7d, 2w or 1m")
      .optional()
      .describe("The same from now on: 24h, 7d, 2w, 1m"),
    preserve: yesOrNo().optional().describe("true: never compacted"),
    recordedBy: aText(LONGEST_NAME)
      .optional()
      .describe("Who decided; whoever the token stands for, where tokens are set"),
    project: aText(LONGEST_NAME).optional().describe("Project it belongs to; kept, not used"),
    feature: aText(LONGEST_NAME).optional().describe("Feature it belongs to; kept, not used"),
    pr: wholeNumber().optional().describe("Number of the pull request; kept, not used"),
    file: aText(LONGEST_LINE).optional().describe("File it is about; kept, not used"),
    line: wholeNumber().optional().describe("Line of that file; kept, not used"),
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
    ignored: ignoredResult,
  }),
  hints: { isReadOnly: false, isDestructive: false, isIdempotent: false },
  run: async ({ recordedBy, reviewIn, ...params }, context) => {
    const options = optionsOf(context);
    const agent = context.agent === "" ? recordedBy : context.agent;
    const reviewBy = params.reviewBy ?? (reviewIn === undefined ? undefined : dayIn(reviewIn, options.now));
    // What a client sent as JSON is JSON.
    const request = { ...params, reviewBy, agent } as RecordRequest;
    const { id, status, date, compactionLevel, supersedes } = await recordDecision(
      await context.log(),
      request,
      options,
    );
    return { success: true as const, id, status, timestamp: date, compactionLevel, ...(supersedes && { supersedes }) };
  },
});

const UNIT_DAYS: Readonly<Record<string, number>> = { h: 1 / 24, d: 1, w: 7, m: 30 };

function dayIn(time: string, now: number): string {
  const days = Number.parseInt(time, 10) * (UNIT_DAYS[time.slice(-1).toLowerCase()] ?? 1);
  return isoTime(now + days * DAY_MS).slice(0, 10);
}
