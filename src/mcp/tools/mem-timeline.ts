// The tool `mem_timeline`: one row among its neighbours of the same session. Where they do not all fit, the farthest are
// left out, so there are no pages.
import * as z from "zod";
import type { Observation } from "../../observations/observation.ts";
import { type MemoryTimeline, memoryTimeline } from "../../observations/reading/memory-overview.ts";
import { type AnswerLimit, answerLimit, largestWithin, tooSmall } from "../answer.ts";
import { SUMMARY_FOOTER } from "../page-text.ts";
import * as parameters from "../parameters.ts";
import { defineTool, type ToolAnswer } from "../tool.ts";
import { bodyOf, bounded, longestOf, nameOf, rowOutput, rowRecord, type ShownRow, titleOf } from "./row-view.ts";

const INDENT = "    ";

const timelineInput = z.object({
  observation_id: z.number().describe("The observation in the middle"),
  before: z.number().optional().describe("Observations before it: 5 by default, 100 at most"),
  after: z.number().optional().describe("Observations after it: 5 by default, 100 at most"),
  detail_level: parameters.detailLevel.optional(),
  max_tokens: parameters.maxTokens.optional(),
});

const timelineOutput = z.object({
  session: z.object({ id: z.string(), project: z.string().nullable(), started_at: z.string().nullable() }),
  total: z.int().describe("Live observations of the session"),
  observation: rowOutput,
  before: z.array(rowOutput).describe("By id"),
  after: z.array(rowOutput),
  left_out: z.object({ before: z.int(), after: z.int() }).optional().describe("For which max_tokens left no room"),
});

export const memTimeline = defineTool({
  name: "mem_timeline",
  title: "Timeline around an observation",
  description:
    "What was saved just before and after an observation in the same session. Call it to understand how something " +
    "found by mem_search came about.",
  params: timelineInput,
  result: timelineOutput,
  hints: { isReadOnly: true, isDestructive: false, isIdempotent: true },
  async run({ detail_level: level = "standard", ...asked }, context) {
    const timeline = await memoryTimeline(await context.store(), {
      observationId: asked.observation_id,
      before: asked.before,
      after: asked.after,
    });
    return fitTimeline(timeline, level, answerLimit(asked.max_tokens, context));
  },
});

/** The neighbours leave first, the farthest before the nearer; then the row itself is shown in part. */
function fitTimeline(timeline: MemoryTimeline, level: parameters.DetailLevel, limit: AnswerLimit): ToolAnswer {
  const target: ShownRow = { observation: timeline.observation };
  const neighbours = timeline.before.length + timeline.after.length;
  const withNeighbours = (nearest: number) => timelineAnswer(timeline, { target, nearest, level });
  const withPart = (units: number) => timelineAnswer(timeline, { target: { ...target, units }, nearest: 0, level });
  const found =
    largestWithin(0, neighbours, withNeighbours, limit) ?? largestWithin(0, longestOf(target), withPart, limit);
  if (found === undefined) throw tooSmall(withPart(0), limit);
  return found.answer;
}

interface Shown {
  readonly target: ShownRow;
  /** How many of the neighbours are shown, the nearest of both sides. */
  readonly nearest: number;
  readonly level: parameters.DetailLevel;
}

function timelineAnswer(timeline: MemoryTimeline, { target, nearest, level }: Shown): ToolAnswer {
  const { session, observation, total } = timeline;
  const [earlier, later] = nearestOf(timeline, nearest);
  const leftOut = { before: timeline.before.length - earlier.length, after: timeline.after.length - later.length };
  const structured: z.infer<typeof timelineOutput> = {
    session: {
      id: bounded(observation.session_id),
      project: session === undefined ? null : bounded(session.project),
      started_at: session === undefined ? null : bounded(session.started_at),
    },
    total,
    observation: rowRecord(target, targetLevel(level)),
    before: earlier.map((row) => rowRecord({ observation: row }, level)),
    after: later.map((row) => rowRecord({ observation: row }, level)),
    ...(leftOut.before + leftOut.after > 0 ? { left_out: leftOut } : {}),
  };
  const { id, type } = observation;
  const where = session === undefined ? "unknown" : `${nameOf(session.project)} (${nameOf(session.started_at)})`;
  const text =
    `Session: ${where}\nTotal observations in session: ${total}\n` +
    section("--- Before ---", earlier, leftOut.before, level) +
    `\n>>> #${id} [${nameOf(type)}] ${titleOf(target)} <<<\n${bodyOf(target, targetLevel(level), "")}` +
    section("--- After ---", later, leftOut.after, level) +
    (level === "summary" ? SUMMARY_FOOTER : "");
  return { text, structured };
}

/** The row asked for is shown whole, unless nothing but titles is wanted. */
function targetLevel(level: parameters.DetailLevel): parameters.DetailLevel {
  return level === "summary" ? "summary" : "full";
}

function section(
  heading: string,
  rows: readonly Observation[],
  leftOut: number,
  level: parameters.DetailLevel,
): string {
  if (rows.length + leftOut === 0) return "";
  const lines = rows.map((observation) => {
    const row = { observation };
    return `#${observation.id} [${nameOf(observation.type)}] ${titleOf(row)}\n${bodyOf(row, level, INDENT)}`;
  });
  return `\n${heading}\n${lines.join("")}${leftOut === 0 ? "" : `(${leftOut} farther left out for max_tokens)\n`}`;
}

/** Taken from both sides in turn, the side before first. */
function nearestOf(
  { before, after }: MemoryTimeline,
  most: number,
): readonly [readonly Observation[], readonly Observation[]] {
  const half = Math.ceil(most / 2);
  const earlier = Math.min(before.length, Math.max(half, most - after.length));
  const later = Math.min(after.length, most - earlier);
  return [before.slice(before.length - earlier), after.slice(0, later)];
}
