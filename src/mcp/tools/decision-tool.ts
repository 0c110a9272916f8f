// From an operation over a decision log to its tool: the same parameters in snake_case, as all tools have them, and a text
// for a model; for operations that serve decisions also pages that fit into an answer.
import * as z from "zod";
import { otherCategories } from "../../decisions/serving/query-decisions.ts";
import type { ServedDecision } from "../../decisions/serving/served.ts";
import { CompactError } from "../../errors.ts";
import {
  type DecisionContext,
  type DecisionOperation,
  namesOf,
  optionsOf,
  snakeCase,
} from "../../operations/decisions/context.ts";
import { type AnswerLimit, answerLimit, finishWithin, fitLargest, largestWithin, tooSmall } from "../answer.ts";
import { readCursor, writeCursor } from "../cursor.ts";
import { cursorFooter } from "../page-text.ts";
import * as parameters from "../parameters.ts";
import { defineTool, type Tool, type ToolAnswer, type ToolContext } from "../tool.ts";
import { longestText, shortenDecision } from "./decision-view.ts";

/** `cstp.getWisdom` -> `cstp_get_wisdom`. */
function toolName({ name }: DecisionOperation): string {
  return snakeCase(name).replace(".", "_");
}

/** A description under the names of tools: `cstp.reviewDecision` is `cstp_review_decision` here, `dryRun` is `dry_run`. */
function toolDescription({ description, params }: DecisionOperation): string {
  const names = Object.keys(params.shape).filter((name) => snakeCase(name) !== name);
  const renamed = names.reduce((text, name) => text.replaceAll(name, snakeCase(name)), description);
  return renamed.replace(/\bcstp\.([A-Za-z]{1,40})/g, (_, name: string) => `cstp_${snakeCase(name)}`);
}

/** What all tools of decisions have of their operation. Also the names that the wire takes: a model that has seen a decision's `id` sends that. */
export function toolParts(operation: DecisionOperation, params: z.ZodObject = operation.params) {
  const names = Object.keys(params.shape);
  return {
    name: toolName(operation),
    description: toolDescription(operation),
    params: z.object(Object.fromEntries(Object.entries(params.shape).map(([key, schema]) => [snakeCase(key), schema]))),
    aliases: Object.fromEntries(names.map((key) => [snakeCase(key), namesOf(key)])),
    hints: operation.hints,
  };
}

/** What a tool was given, under the names that the operation has. */
export function wireParams<Params extends z.ZodObject>(
  { params }: DecisionOperation<Params>,
  given: Readonly<Record<string, unknown>>,
): z.infer<Params> {
  const named = Object.keys(params.shape).map((key) => [key, given[snakeCase(key)]] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== undefined)) as z.infer<Params>;
}

/** Throws `NotFound` in a server without a decision log. */
export function decisionsOf({ decisions }: ToolContext): DecisionContext {
  if (decisions !== undefined) return decisions;
  throw new CompactError("NotFound", "This server has no decision log.", {
    code: "LOG_NOT_FOUND",
    hint: "Start it with --decisions DIR, or set decisions.dir or decisions.db in its configuration.",
  });
}

export interface DecisionToolOptions<Params extends z.ZodObject, Result extends z.ZodObject> {
  readonly title: string;
  /** Fewer than the operation has: every conversation pays for the list. */
  readonly params?: z.ZodObject;
  readonly linesOf: (result: z.infer<Result>, given: z.infer<Params>) => readonly string[];
}

/** A tool whose answer is the operation's result, and lines of text. */
export function decisionTool<Params extends z.ZodObject, Result extends z.ZodObject>(
  operation: DecisionOperation<Params, Result>,
  { title, params, linesOf }: DecisionToolOptions<Params, Result>,
): Tool {
  return defineTool({
    ...toolParts(operation as unknown as DecisionOperation, params),
    title,
    result: operation.result,
    async run(given, context) {
      const wire = wireParams(operation, given);
      const result = await operation.run(wire, decisionsOf(context));
      return { text: linesOf(result, wire).join("\n"), structured: result };
    },
  });
}

// Served decisions in an answer. What a page leaves out, and where the next begins, is the log's to say, so a page that is too
// large is asked for again with fewer decisions.

const pageParameters = { max_tokens: parameters.maxTokens.optional(), cursor: parameters.cursor.optional() };

/** The parameters of a tool whose answers come in pages. */
export function withPages(params: z.ZodObject): z.ZodObject<typeof pageParameters> {
  return params.extend(pageParameters) as never;
}

/** What operations that serve decisions have in common. */
interface ServedPage {
  readonly decisions: readonly unknown[];
  readonly digests: readonly unknown[];
  readonly levels: Readonly<Record<string, number>>;
  readonly nextCursor?: string | undefined;
}

interface ServedToolOptions<Page> {
  readonly title: string;
  /** `known`: the categories there are, where none was found; `isCut`: the texts of the one decision shown are cut. */
  readonly linesOf: (
    page: Page,
    about: { readonly isCut: boolean; readonly known: readonly string[] },
  ) => readonly string[];
}

const position = z.strictObject({ after: z.string() });

export function servedTool<Params extends z.ZodObject, Result extends z.ZodObject & z.ZodType<ServedPage>>(
  operation: DecisionOperation<Params, Result>,
  { title, linesOf }: ServedToolOptions<z.infer<Result>>,
): Tool {
  type Page = z.infer<Result>;
  const { params, ...parts } = toolParts(operation as unknown as DecisionOperation);
  return defineTool({
    ...parts,
    title,
    params: withPages(params),
    result: operation.result.omit({ nextCursor: true }).extend({
      cut: z
        .boolean()
        .optional()
        .describe("True where the texts of the one decision shown are cut to the room there is"),
      next_cursor: parameters.nextCursor.optional(),
    }),
    async run({ max_tokens, cursor, ...given }, context) {
      const decisions = decisionsOf(context);
      const after = readCursor(parts.name, cursor, position)?.after;
      const asked = { ...wireParams(operation, given), cursor: after };
      const ask = (limit?: number) =>
        operation.run({ ...asked, ...(limit === undefined ? {} : { limit }) } as z.infer<Params>, decisions);
      const first = await ask();
      const isEmpty = Object.values(first.levels).every((count) => count === 0);
      const { category } = asked as { readonly category?: string };
      const known = isEmpty ? await otherCategories(await decisions.log(), category, optionsOf(decisions)) : [];
      const answerOf = (page: Page, isCut: boolean): ToolAnswer => {
        const { nextCursor, ...rest } = page;
        const next = nextCursor === undefined ? undefined : writeCursor(parts.name, { after: nextCursor });
        return {
          text: linesOf(page, { isCut, known }).join("\n").trimEnd() + cursorFooter(next),
          structured: {
            ...rest,
            ...(isCut ? { cut: true } : {}),
            next_cursor: next,
          },
        };
      };
      return fitServed({ first, ask, answerOf }, answerLimit(max_tokens, context));
    },
  });
}

interface ServedPages<Page extends ServedPage> {
  readonly first: Page;
  /** The same page with so many decisions at most. */
  readonly ask: (limit: number) => Promise<Page>;
  /** `isCut`: the texts of the one decision that it shows are cut. */
  readonly answerOf: (page: Page, isCut: boolean) => ToolAnswer;
}

/** Throws `InvalidInput` where not even one decision fits, with what it takes. */
async function fitServed<Page extends ServedPage>(
  { first, ask, answerOf }: ServedPages<Page>,
  limit: AnswerLimit,
): Promise<ToolAnswer> {
  const whole = finishWithin(answerOf(first, false), limit);
  if (whole !== undefined) return whole;
  const { decisions, digests } = first;
  const firstOf = (size: number) => ({
    ...first,
    decisions: decisions.slice(0, size),
    digests: digests.slice(0, size),
  });
  const guess = largestWithin(1, decisions.length - 1, (size) => answerOf(firstOf(size), false), limit);
  for (let size = guess?.size ?? Math.min(1, decisions.length); size > 0; size = Math.floor(size * 0.9)) {
    const page = await ask(size);
    const answer = finishWithin(answerOf(page, false), limit);
    if (answer !== undefined) return answer;
    if (size === 1) return fitOne(page, answerOf, limit);
  }
  throw tooSmall(answerOf(first, false), limit);
}

function fitOne<Page extends ServedPage>(
  page: Page,
  answerOf: ServedPages<Page>["answerOf"],
  limit: AnswerLimit,
): ToolAnswer {
  const [only] = page.decisions as readonly ServedDecision[];
  if (only === undefined) throw tooSmall(answerOf(page, false), limit);
  const build = (units: number) => answerOf({ ...page, decisions: [shortenDecision(only, units)] }, true);
  return fitLargest(0, longestText(only), build, limit);
}
