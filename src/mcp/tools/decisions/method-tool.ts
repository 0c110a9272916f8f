// From a CSTP method to what a tool needs of it: the same parameters in snake_case, as all tools have them, and the log
// that a server was started with.
import * as z from "zod";
import type { CstpContext, CstpMethod } from "../../../decisions/cstp/method.ts";
import { namesOf } from "../../../decisions/cstp/parameters/names.ts";
import { CompactError } from "../../../errors.ts";
import type { ToolContext } from "../../tool.ts";

/** `minDecisions` -> `min_decisions`. */
function snakeName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;

type SnakeShape<Shape> = { [Key in keyof Shape & string as SnakeCase<Key>]: Shape[Key] };

/** The parameters of a method under the names that tools have. */
export function toolParameters<Shape extends z.ZodRawShape>({
  shape,
}: z.ZodObject<Shape>): z.ZodObject<SnakeShape<Shape>> {
  return z.object(Object.fromEntries(Object.entries(shape).map(([key, schema]) => [snakeName(key), schema]))) as never;
}

/** The names that the wire takes besides: a model that has seen a decision's `id` sends that. */
export function toolAliases({ shape }: z.ZodObject): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.keys(shape).map((key) => [snakeName(key), namesOf(key)]));
}

/** A description under the same names: `cstp.reviewDecision` is `cstp_review_decision` here, `dryRun` is `dry_run`. */
export function toolDescription({ description, params }: Pick<CstpMethod, "description" | "params">): string {
  const names = Object.keys(params.shape).filter((name) => snakeName(name) !== name);
  const renamed = names.reduce((text, name) => text.replaceAll(name, snakeName(name)), description);
  return renamed.replace(/\bcstp\.([A-Za-z]{1,40})/g, (_, name: string) => `cstp_${snakeName(name)}`);
}

/** What a tool was given, under the names that the method has. */
export function methodParameters<Params extends z.ZodObject>(
  { shape }: Params,
  given: Readonly<Record<string, unknown>>,
): z.infer<Params> {
  const named = Object.keys(shape).flatMap((key) => {
    const value = given[snakeName(key)];
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(named) as z.infer<Params>;
}

/** Throws `NotFound` in a server without a decision log. */
export function decisionsOf({ decisions }: ToolContext): CstpContext {
  if (decisions !== undefined) return decisions;
  throw new CompactError("NotFound", "This server has no decision log.", {
    code: "LOG_NOT_FOUND",
    hint: "Start it with --decisions DIR, or set decisions.dir or decisions.db in its configuration.",
  });
}
