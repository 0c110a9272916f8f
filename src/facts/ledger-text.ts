// How facts read in a summary: one line each, with its citation. The essential lines (what users said, what was
// written) are the part that no compaction may leave out while the window has room.
import { coverAt, cutAt } from "../text/cut.ts";
import {
  cite,
  type FileFact,
  type IdentifierFact,
  type Ledger,
  type StatementFact,
  type UserMessageFact,
} from "./ledger.ts";

/** Length up to which a user message is quoted whole, UTF-16 units. */
export const QUOTED_UNITS = 500;
/** A message of many blocks is quoted up to this many times the limit. */
const QUOTED_BLOCKS = 4;

/** `[1.12] "the words"`, each block cut behind `limit` units at a grapheme boundary, saying how much the archive holds besides. */
export function userMessageLine(fact: UserMessageFact, limit: number = QUOTED_UNITS): string {
  const quoted = quoteBlocks(fact.blocks, limit);
  const by = fact.author === "host" ? " (written by the host, not by a person)" : "";
  return `- [${cite(fact.source)}]${by} "${quoted}"`;
}

export function fileLine(fact: FileFact): string {
  return `- ${fact.path} [${cite(fact.source)}]`;
}

export function identifierLine(fact: IdentifierFact): string {
  return `- ${fact.value} [${cite(fact.source)}]`;
}

export function statementLine(fact: StatementFact, limit: number): string {
  const short = cutAt(fact.text, limit);
  return `- [${cite(fact.source)}] ${short.replace(/\s+/g, " ").trim()}${short.length < fact.text.length ? "…" : ""}`;
}

/** User messages and written files, one line each: what stays in the context through any number of rounds. */
export function essentialLines(ledger: Ledger): readonly string[] {
  const written = ledger.files.filter((file) => file.operation === "written");
  return [...ledger.userMessages.map((fact) => userMessageLine(fact)), ...written.map(fileLine)];
}

function quoteBlocks(blocks: readonly string[], limit: number): string {
  const quoted: string[] = [];
  let left = 0;
  let room = limit * QUOTED_BLOCKS;
  for (const block of blocks) {
    const quote = coverAt(block, Math.max(0, Math.min(limit, room)));
    if (quote !== "") quoted.push(quote);
    left += block.length - quote.length;
    room -= quote.length;
  }
  const rest = left === 0 ? "" : `… (${left.toLocaleString("en-US")} more characters in the archive)`;
  return quoted.join("\n") + rest;
}
