// Questions that the rest of a session needed, and whether a text answers them. A question counts as answered when each
// of its expressions, which were written for the fact in any wording, matches; how far that agrees with people who read
// the text is on the page.
import { existsSync, readFileSync } from "node:fs";

export interface Probe {
  readonly kind: string;
  readonly question: string;
  readonly answer: string;
  /** All must match. */
  readonly expect: readonly string[];
}

/** Undefined for a session that has none. */
export function readProbes(session: string): readonly Probe[] | undefined {
  const file = new URL(`questions/${session}.json`, import.meta.url);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Probe[]) : undefined;
}

/** By question. */
export function answeredBy(text: string, probes: readonly Probe[]): readonly boolean[] {
  const flat = text.replace(/\s+/g, " ");
  return probes.map(({ expect }) => expect.every((expression) => new RegExp(expression, "i").test(flat)));
}

/** A model's answer to our own prompt for the session, recorded once. */
export function recordedAnswer(session: string): string | undefined {
  const file = new URL(`answers/${session}.md`, import.meta.url);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
