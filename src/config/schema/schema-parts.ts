// The pieces that the configuration's schemas are made of: kinds of values, blocks that refuse unknown keys, and what
// a key means. Each message completes the sentence that starts with the field's path.
import * as z from "zod/mini";
import { describeUnknownKey } from "./suggest.ts";

export const MOST_TOKENS = 100_000_000;

export function whole(least: number, most: number) {
  const message = `must be a whole number from ${grouped(least)} to ${grouped(most)}`;
  return z.int(message).check(z.gte(least, message), z.lte(most, message));
}

/** As `toLocaleString("en-US")`, which loads a locale's tables: 30 times the cost of a schema, at each import of the package. */
function grouped(number: number): string {
  return String(number).replace(/(?<=\d)(?=(?:\d{3})+$)/g, ",");
}

export function share() {
  const message = "must be 0.0-1.0, above 0";
  return z.number(message).check(z.gt(0, message), z.lte(1, message));
}

export function between(least: number, most: number) {
  const message = `must be a number from ${least} to ${most}`;
  return z.number(message).check(z.gte(least, message), z.lte(most, message));
}

export function oneOf<const Choices extends readonly [string, ...string[]]>(choices: Choices) {
  return z.enum(choices, `must be one of: ${choices.join(", ")}`);
}

export const yesOrNo = z.boolean("must be true or false");
export const text = z.string("must be a text").check(z.regex(/\S/, "must not be empty"));

export function listOf<Element extends z.ZodMiniType>(element: Element, what: string) {
  return z.array(element, `must be a list of ${what}`);
}

/** A block of keys. Unknown ones are refused, each with its own line of the message, in the order of `keys`. */
export function strict<const Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const names = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => describeUnknownKey(key, names)).join("\n")
        : "must hold keys and values",
  });
}

export interface KeyNotes {
  readonly default?: unknown;
  /** What stands in for a default that depends on something else. */
  readonly note?: string;
  readonly example?: unknown;
}

/** An optional key and its meaning, from which the reference page, the JSON Schema and the template are made. */
export function key<Value extends z.ZodMiniType>(schema: Value, meaning: string, notes: KeyNotes = {}) {
  return z.optional(schema).check(z.meta({ description: meaning, ...notes }));
}
