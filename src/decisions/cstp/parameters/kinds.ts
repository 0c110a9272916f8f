// The kinds of values that parameters take. Each message completes the sentence that starts with the parameter's name.
import * as z from "zod";

/** Nothing that leads out of a folder or breaks a line. */
function isId(text: string): boolean {
  return /^[^\p{C}/\\]{1,200}$/u.test(text) && !text.includes("..");
}

export function aText(most: number) {
  return z.string("must be a text").max(most, `must have at most ${most.toLocaleString("en-US")} characters`);
}

export function filled(most: number) {
  return aText(most).regex(/\S/, "is required");
}

/** Not a pattern of the schema: not everybody who reads schemas reads such patterns. */
export function anId() {
  return z
    .string("must be a text")
    .refine(isId, "must be an id of at most 200 characters, without slashes and line breaks");
}

export function wholeNumber() {
  const message = "must be a whole number";
  return z.number(message).int(message);
}

export function share() {
  const message = "must be a number from 0 to 1";
  return z.number(message).min(0, message).max(1, message);
}

export function yesOrNo() {
  return z.boolean("must be true or false");
}

export function oneOf<const Choices extends readonly [string, ...string[]]>(choices: Choices) {
  return z.enum(choices, `must be one of ${choices.join(", ")}`);
}

export function texts(most: number, longest: number) {
  const item = aText(longest);
  return z.array(item, "must be a list of texts").max(most, `must have at most ${most} items`).readonly();
}

export const LONGEST_NAME = 200;

/** What several methods take. */
export const category = () => aText(LONGEST_NAME).optional().describe("Only this category; all when left out");
export const agent = () => aText(LONGEST_NAME).optional().describe("Only what this agent recorded; all when left out");
export const decisionId = () =>
  anId().describe("Id of the decision, or its first characters, four or more, where only one begins so");
