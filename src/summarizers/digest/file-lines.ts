// Files: what was done to each, which functions were touched and why; those only read are a plain list.
import { cite, type FileFact, type Ledger } from "../../facts/ledger.ts";
import { oneLine } from "../../facts/ledger-text.ts";
import { type DigestLine, orderOf, RANK } from "./digest-line.ts";
import { identifierRank } from "./entity-lines.ts";

/** Share of the room that changed files may take with their details; the paths themselves always count. */
const DETAILS_SHARE = 0.3;

/** Between two ranks: a file that was read comes right before names that recur as often. */
const AHEAD_OF_NAME = 0.5;

/**
 * `detailed`: with what was touched and why, as a record of changes needs it, while the room is large enough for that;
 * `spare` is what words of users, recurring names and a line for each section leave of it.
 */
export function fileLines(
  { files, identifiers }: Ledger,
  detailed: boolean,
  room: number,
  spare: number,
  count: (text: string) => number,
): readonly DigestLine[] {
  const changed = files.filter(({ operation }) => operation !== "read");
  const read = files.filter(({ operation }) => operation === "read");
  const levels = detailed ? [detailedText, shortText, bareText] : [shortText, bareText];
  const sizeOf = (text: (fact: FileFact) => string) => changed.reduce((sum, fact) => sum + count(text(fact)), 0);
  const most = Math.min(room * DETAILS_SHARE, spare);
  const write = levels.find((text) => sizeOf(text) <= most) ?? bareText;
  const ranks = new Map(identifiers.map((fact) => [fact.value, identifierRank(fact)]));
  // What recurs stays longer, and one line for it is enough: the one that says that it was read.
  const rankOf = ({ path }: FileFact) => Math.min(RANK.looks, (ranks.get(path) ?? RANK.rare) - AHEAD_OF_NAME);
  return [
    ...changed.map(
      (fact) => ({ section: "written", rank: RANK.changes, order: orderOf(fact.source), text: write(fact) }) as const,
    ),
    ...read.map(
      (fact) => ({ section: "read", rank: rankOf(fact), order: orderOf(fact.source), text: bareText(fact) }) as const,
    ),
  ];
}

function nameOf({ path, operation, to }: FileFact): string {
  if (operation === "moved" && to !== undefined) return `${path} -> ${to}`;
  return operation === "deleted" ? `${path} (deleted)` : path;
}

function bareText(fact: FileFact): string {
  return `- ${nameOf(fact)} [${cite(fact.source)}]`;
}

function shortText(fact: FileFact): string {
  const symbols = fact.symbols.length === 0 ? "" : ` ${fact.symbols.slice(0, 3).join(", ")}`;
  return `${bareText(fact)}${symbols}`;
}

function detailedText(fact: FileFact): string {
  const what = [
    fact.edits > 1 ? `${fact.edits} edits` : "",
    fact.symbols.length > 0 ? `touched ${fact.symbols.join(", ")}` : "",
    fact.reason === undefined ? "" : oneLine(fact.reason, 160),
  ];
  return `- ${nameOf(fact)}: ${what.filter(Boolean).join("; ") || "changed"} [${cite(fact.source)}]`;
}
