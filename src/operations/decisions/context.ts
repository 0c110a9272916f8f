// What the operations over a decision log work with, and their contract. Their names are those of the wire, in camelCase;
// either spelling is taken.
import type * as z from "zod";
import type { DecisionLog, DecisionOptions } from "../../decisions/decision-log.ts";
import type { Policies } from "../../decisions/levels.ts";
import type { TextWriter } from "../../decisions/texts/text-writer.ts";
import type { Clock } from "../../time.ts";
import type { Trace } from "../../trace/emit.ts";
import type { Operation } from "../operation.ts";

export interface DecisionContext {
  /** Opens the log at the first call. */
  readonly log: () => Promise<DecisionLog>;
  readonly policies: Policies;
  readonly now: Clock;
  /** Who calls: the agent that a token stands for. Empty where nobody is told apart. */
  readonly agent: string;
  /** Writes the texts of a cycle. */
  readonly texts: TextWriter;
  readonly trace?: Pick<Trace, "emit"> | undefined;
  /** Aborted when the server ends: a cycle stops between two decisions. */
  readonly signal?: AbortSignal | undefined;
}

export interface DecisionOperation<Params extends z.ZodObject = z.ZodObject, Result extends z.ZodObject = z.ZodObject>
  extends Operation<Params, Result> {
  /** Throws `CompactError`. */
  run(params: z.infer<Params>, context: DecisionContext): Promise<z.infer<Result>>;
}

/** Infers the types of an operation from its schemas, and gives its parameters their other names. */
export function defineOperation<Params extends z.ZodObject, Result extends z.ZodObject>(
  operation: Omit<DecisionOperation<Params, Result>, "aliases">,
): DecisionOperation<Params, Result> {
  const names = Object.keys(operation.params.shape);
  return { ...operation, aliases: Object.fromEntries(names.map((name) => [name, namesOf(name).slice(1)])) };
}

const ALIASES: Readonly<Record<string, readonly string[]>> = {
  decisionId: ["id"],
  recordedBy: ["agent"],
  reviewedBy: ["agent"],
  notes: ["reviewNotes", "review_notes"],
};

/** Under which names a parameter may arrive: its own first, in snake_case, and what records and other servers call it. */
export function namesOf(parameter: string): readonly string[] {
  return [...new Set([parameter, snakeCase(parameter), ...(ALIASES[parameter] ?? [])])];
}

/** `minDecisions` -> `min_decisions`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What the context of a call is to the functions over a log. */
export function optionsOf({ policies, now, trace }: DecisionContext): DecisionOptions {
  return { policies, now: now(), trace };
}
