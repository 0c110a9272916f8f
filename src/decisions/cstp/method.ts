// The contract of a CSTP method: checked parameters in, a result in the wire's format out. JSON-RPC (http/) and MCP tools
// carry the same methods; neither is known here.
import type * as z from "zod";
import type { Clock } from "../../time.ts";
import type { Trace } from "../../trace/emit.ts";
import type { DecisionLog, DecisionOptions } from "../decision-log.ts";
import type { Policies } from "../levels.ts";
import type { TextWriter } from "../texts/text-writer.ts";

export interface CstpContext {
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

export interface CstpMethod<Params extends z.ZodObject = z.ZodObject, Result extends z.ZodObject = z.ZodObject> {
  /** `cstp.getCompacted`. */
  readonly name: string;
  /** What it does and when to call it. */
  readonly description: string;
  /** camelCase keys, strict types, each with a description; what a client may write differently is read before. */
  readonly params: Params;
  readonly result: Result;
  /** Parameters that take no text in place of a number or a boolean. */
  readonly exact?: readonly string[];
  readonly hints: { readonly isReadOnly: boolean; readonly isDestructive: boolean; readonly isIdempotent: boolean };
  /** Throws `CompactError`. */
  run(params: z.infer<Params>, context: CstpContext): Promise<z.infer<Result>>;
}

/** Infers the types of a method from its schemas. */
export function defineMethod<Params extends z.ZodObject, Result extends z.ZodObject>(
  method: CstpMethod<Params, Result>,
): CstpMethod<Params, Result> {
  return method;
}

// What the context of a call is to the functions over a log.

export function optionsOf({ policies, now, trace }: CstpContext): DecisionOptions {
  return { policies, now: now(), trace };
}
