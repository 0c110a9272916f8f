// The tools that read a decision log: `cstp_get_compacted` (decisions at the level of their age), `cstp_query_decisions`
// (those that hold certain words), `cstp_get_decision` (one record whole; a long one in pieces), `cstp_get_wisdom` (what the
// oldest taught). What an answer has no room for comes with the next page.
import * as z from "zod";
import { otherCategories } from "../../decisions/serving/query-decisions.ts";
import type { ServedDecision } from "../../decisions/serving/served.ts";
import { roundHalfUp } from "../../decisions/statistics.ts";
import { getWisdom } from "../../decisions/wisdom/get-wisdom.ts";
import {
  type CategoryWisdom,
  type FailureMode,
  type Principle,
  principleCounts,
  specForm,
  structuredForm,
  type Wisdom,
} from "../../decisions/wisdom/wisdom.ts";
import { snippetOf } from "../../observations/reading/row-view.ts";
import { optionsOf } from "../../operations/decisions/context.ts";
import {
  getCompactedMethod,
  getDecisionMethod,
  getWisdomMethod,
  queryDecisionsMethod,
} from "../../operations/decisions/reading.ts";
import { plainPlural } from "../../text/figures.ts";
import { answerLimit, fitLargest, fitPage } from "../answer.ts";
import { nextOffset, offsetOf, readCursor, writeCursor } from "../cursor.ts";
import { cursorFooter, pieceFrom } from "../page-text.ts";
import * as parameters from "../parameters.ts";
import { defineTool, type ToolAnswer } from "../tool.ts";
import { decisionsOf, servedTool, toolParts, wireParams, withPages } from "./decision-tool.ts";
import { barestLines, categoriesText, decisionsText, errorsText, levelsText, overdueText } from "./decision-view.ts";
import { nameOf, quoted } from "./row-view.ts";

export const cstpGetCompacted = servedTool(getCompactedMethod, {
  title: "Decisions by age",
  linesOf: (page, { isCut, known }) => {
    const { levels, total, leftOut, policy } = page;
    const all = levels.full + levels.summary + levels.digest + levels.wisdom;
    const thresholds = Object.values(policy.thresholds).join("/");
    const older = plainPlural(leftOut.wisdom, "older one is", "older ones are");
    return [
      `${plainPlural(all, "decision")}: ${levelsText(levels)} (policy ${nameOf(policy.name)}, ${thresholds} days). Shown: ${total}.`,
      ...categoriesText(known),
      ...(total === 0 ? [] : ["", decisionsText(page.decisions as readonly ServedDecision[])]),
      "",
      ...(isCut ? ["The texts of this decision are cut: send a larger max_tokens for the whole."] : []),
      ...(leftOut.wisdom === 0
        ? []
        : [`${older} counted only: cstp_get_wisdom tells what they taught, form: "lines" lists them.`]),
      ...nextPageText(leftOut.byLimit),
      ...(leftOut.byLimit > total && page.decisions.some(({ decision }) => decision !== undefined)
        ? ['All of them in one line each: form: "lines".']
        : []),
      ...overdueText(page.overdue),
      ...errorsText(page),
    ];
  },
});

export const cstpQueryDecisions = servedTool(queryDecisionsMethod, {
  title: "Find decisions",
  linesOf: (page, { isCut, known }) => {
    const { total, leftOut } = page;
    const older = plainPlural(leftOut.wisdom, "older one is", "older ones are");
    return [
      total === 0 ? "No decision found." : `Shown: ${total}, latest first.`,
      ...categoriesText(known),
      ...(total === 0 ? [] : ["", decisionsText(page.decisions as readonly ServedDecision[]), ""]),
      ...(isCut ? ["The texts of this decision are cut: cstp_get_decision gives the whole record."] : []),
      ...nextPageText(leftOut.byLimit),
      ...(leftOut.wisdom === 0 ? [] : [`${older} left out; without compacted they are served too.`]),
      ...errorsText(page),
    ];
  },
});

function nextPageText(left: number): readonly string[] {
  return left === 0 ? [] : [`${plainPlural(left, "more comes", "more come")} with the next page.`];
}

const { params: getParams, ...getParts } = toolParts(getDecisionMethod);
const { decision: _, ...aboutDecision } = getDecisionMethod.result.shape;

const decisionOutput = z.object({
  ...aboutDecision,
  record: z.string().describe("The record as JSON, every key as it was written, or the piece of it on this page"),
  record_offset: z.int().describe("Where the piece begins, in UTF-16 units"),
  record_length: z.int().describe("Of the whole record, in UTF-16 units"),
  next_cursor: parameters.nextCursor.optional(),
});

const decisionPosition = z.strictObject({ at: z.int().min(0) });

type Found = z.infer<typeof getDecisionMethod.result>;

export const cstpGetDecision = defineTool({
  ...getParts,
  title: "Get a decision",
  description: `${getParts.description} Long ones come in pages.`,
  params: withPages(getParams),
  result: decisionOutput,
  async run({ max_tokens, cursor, ...given }, context) {
    const at = readCursor(getParts.name, cursor, decisionPosition)?.at ?? 0;
    const found = await getDecisionMethod.run(wireParams(getDecisionMethod, given), decisionsOf(context));
    const limit = answerLimit(max_tokens, context);
    const record = JSON.stringify(found.decision, null, 1);
    const start = Math.min(at, record.length);
    const build = (units: number) => decisionAnswer(found, record, start, units);
    return fitLargest(Math.min(1, record.length - start), record.length - start, build, limit);
  },
});

function decisionAnswer(found: Found, record: string, at: number, units: number): ToolAnswer {
  const { decision: _record, ...rest } = found;
  const piece = pieceFrom(record, at, units);
  const end = at + piece.length;
  const next = end < record.length ? writeCursor(getParts.name, { at: end }) : undefined;
  const { status, preserved, superseded, supersededBy = "" } = found.standing;
  const marks = [
    `status ${nameOf(status)}`,
    ...(preserved ? ["preserved"] : []),
    ...(superseded ? [`SUPERSEDED${supersededBy === "" ? "" : ` by ${nameOf(supersededBy)}`}: not in force`] : []),
  ];
  const place = piece.length < record.length ? ` (characters ${at + 1}-${end} of ${record.length})` : "";
  const text = `[${nameOf(found.id)}] ${marks.join(", ")}; level ${found.compactionLevel}\n\nRecord${place}:\n${quoted(piece)}`;
  const structured: z.infer<typeof decisionOutput> = {
    ...rest,
    record: piece,
    record_offset: at,
    record_length: record.length,
    next_cursor: next,
  };
  return { text: text + cursorFooter(next), structured };
}

const { params: wisdomParams, ...wisdomParts } = toolParts(getWisdomMethod);

const wisdomOutput = z.object({
  wisdom: z
    .array(z.looseObject({ category: z.string(), decisions: z.int() }))
    .describe("By category: success rate, principles, failure mode, in the form asked for"),
  total_decisions: z.int().optional(),
  categories_analyzed: z.int().optional(),
  totalDecisions: z.int().optional().describe("From here on with format: structured"),
  categoriesAnalyzed: z.int().optional(),
  crossCategory: z.array(z.looseObject({ text: z.string() })).optional(),
  lines: z.array(z.looseObject({ id: z.string() })).optional(),
  policy: z.looseObject({ name: z.string() }).optional(),
  otherPolicies: z.array(z.looseObject({ name: z.string() })).optional(),
  errors: z.array(z.object({ id: z.string(), code: z.string(), message: z.string() })).optional(),
  errorsTotal: z.int().optional().describe("Of errors, where not all are listed"),
  next_cursor: parameters.nextCursor.optional(),
});

export const cstpGetWisdom = defineTool({
  ...wisdomParts,
  title: "What decisions taught",
  params: withPages(wisdomParams),
  result: wisdomOutput,
  async run({ max_tokens, cursor, ...given }, context) {
    const offset = offsetOf(wisdomParts.name, cursor);
    const decisions = decisionsOf(context);
    const { format, ...request } = wireParams(getWisdomMethod, given);
    const log = await decisions.log();
    const wisdom = await getWisdom(log, request, optionsOf(decisions));
    if (wisdom.totalDecisions === 0) {
      const [unknown] = categoriesText(await otherCategories(log, request.category, optionsOf(decisions)));
      if (unknown !== undefined) {
        const none = wisdomAnswer(wisdom, { offset, next: undefined, isStructured: format === "structured" });
        return { ...none, text: unknown };
      }
    }
    const items: readonly WisdomItem[] = [
      ...wisdom.categories.map((category) => ({ category })),
      ...wisdom.lines.map((line) => ({ line })),
    ];
    const build = (shown: readonly WisdomItem[]) => {
      const next = nextOffset(wisdomParts.name, offset, shown.length, items.length);
      const [categories, lines] = [
        shown.flatMap(({ category = [] }) => category),
        shown.flatMap(({ line = [] }) => line),
      ];
      return wisdomAnswer({ ...wisdom, categories, lines }, { offset, next, isStructured: format === "structured" });
    };
    return fitPage({ items: items.slice(offset), build }, answerLimit(max_tokens, context));
  },
});

/** What a page is made of: a category, or the line of a decision. */
interface WisdomItem {
  readonly category?: CategoryWisdom;
  readonly line?: ServedDecision;
}

interface WisdomPage {
  /** Items on pages before. */
  readonly offset: number;
  readonly next: string | undefined;
  readonly isStructured: boolean;
}

function wisdomAnswer(shown: Wisdom, page: WisdomPage): ToolAnswer {
  const { next, isStructured } = page;
  const structured = {
    ...(isStructured ? structuredForm(shown) : specForm(shown)),
    next_cursor: next,
  };
  return { text: wisdomText(shown, page) + cursorFooter(next), structured };
}

function wisdomText(
  { categories, crossCategory, lines, totalDecisions, categoriesAnalyzed, policy }: Wisdom,
  { offset, isStructured }: WisdomPage,
): string {
  const ofAge = `of ${plainPlural(policy.thresholds.digest, "day")} and more`;
  const age = `reviewed decisions ${ofAge}`;
  if (totalDecisions === 0) return `No wisdom yet: there are no ${age}. cstp_get_compacted shows the younger ones.`;
  const head =
    categoriesAnalyzed === 0
      ? `No category has enough ${age} (${totalDecisions} in all): min_decisions: 1 gives their figures.`
      : `${plainPlural(totalDecisions, "reviewed decision")} ${ofAge}, ${plainPlural(categoriesAnalyzed, "category", "categories")}.`;
  const text = [
    head,
    ...categories.flatMap((category) => categoryLines(category, isStructured)),
    ...(crossCategory.length === 0 || offset > 0
      ? []
      : [
          "",
          "## In several categories",
          ...crossCategory.map(
            (each) => `${principleLine(each, isStructured)} in ${nameOf(each.categories.join(", "))}`,
          ),
        ]),
    ...(lines.length === 0
      ? []
      : [
          "",
          '## Without a principle yet (every decision in one line: cstp_get_compacted form: "lines")',
          ...barestLines(lines),
        ]),
  ];
  return `${text.join("\n")}\n`;
}

function categoryLines(
  { category, decisions, successRate, avgConfidence, principles, failureModes }: CategoryWisdom,
  isStructured: boolean,
): readonly string[] {
  const figures = [
    plainPlural(decisions, "decision"),
    ...(successRate === undefined ? [] : [`success rate ${roundHalfUp(successRate, 2)}`]),
    ...(avgConfidence === undefined ? [] : [`average confidence ${roundHalfUp(avgConfidence, 2)}`]),
  ];
  return [
    "",
    `## ${nameOf(category)}: ${figures.join(", ")}`,
    ...principles.map((each) => principleLine(each, isStructured)),
    ...failureModes.map((each) => failureLine(each, isStructured)),
  ];
}

/** Of a principle, a failure and a lesson: what they say, not where it ends. */
const LONGEST_SAID = 200;

function principleLine(principle: Principle, isStructured: boolean): string {
  const { text, confirmingIds, contradictingIds } = principle;
  const ids = isStructured ? idsText(confirmingIds) + idsText(contradictingIds, "against ") : "";
  return `- ${snippetOf(text, LONGEST_SAID)} (${principleCounts(principle)}${ids})`;
}

function failureLine({ text, failures, decisions, failingIds, learned }: FailureMode, isStructured: boolean): string {
  const ids = isStructured ? ` of ${decisions}${idsText(failingIds)}` : "";
  const lessons = learned.map((lesson) => `; learned: ${snippetOf(lesson, LONGEST_SAID)}`).join("");
  return `- failed: ${snippetOf(text, LONGEST_SAID)} (${plainPlural(failures, "failure")}${ids})${lessons}`;
}

function idsText(ids: readonly string[], label = ""): string {
  return ids.length === 0 ? "" : `; ${label}${ids.map((id) => `[${nameOf(id)}]`).join(" ")}`;
}
