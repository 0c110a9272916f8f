// The model that all libraries share: it follows a script, so that the figures are the same on every machine, and it
// keeps as many distinct facts of its prompt as its cap allows, which no real model does. Its calls are counted.
import { createTokenCounter } from "../../../src/tokens.ts";
import type { PeerModel } from "../peer.ts";
import { factsOf, SECTIONS } from "./prompt-facts.ts";

/** What common models write at most in one answer. */
export const MOST_WRITTEN = 16_384;
/** Under the cap by its own count, so that no other tokenizer cuts it. */
const USED = 0.9;
const NAMES_SHARE = 0.4;
const USERS_SHARE = 0.45;

const { count } = createTokenCounter({ encoding: "o200k_base" });

export const generousModel: PeerModel = async ({ prompt, maxTokens }) =>
  writeAnswer(prompt, Math.min(MOST_WRITTEN, maxTokens) * USED);

function writeAnswer(prompt: string, room: number): string {
  const { users, names, statements } = factsOf(prompt);
  const frame = Object.values(SECTIONS).reduce((sum, title) => sum + count(title) + 2, 0);
  let left = room - frame;
  const take = (lines: readonly string[], share: number): readonly string[] => {
    let own = left * share;
    return lines.filter((line) => {
      const tokens = count(`- ${line}\n`);
      if (tokens > own) return false;
      own -= tokens;
      left -= tokens;
      return true;
    });
  };
  const keptNames = take(names, NAMES_SHARE);
  // Short ones first: that is how most of them fit.
  const short = take(
    users.toSorted((one, other) => one.length - other.length),
    USERS_SHARE / (1 - NAMES_SHARE),
  );
  const keptUsers = users.filter((line) => short.includes(line));
  const keptStatements = take(statements.toReversed(), 1).toReversed();
  const more = take(
    names.filter((name) => !keptNames.includes(name)),
    1,
  );
  const lines = (title: string, kept: readonly string[]) =>
    kept.length === 0 ? [] : [title, ...kept.map((line) => `- ${line}`)];
  return [
    ...lines(SECTIONS.users, keptUsers),
    ...lines(SECTIONS.statements, keptStatements),
    ...lines(SECTIONS.names, [...keptNames, ...more]),
  ].join("\n");
}
