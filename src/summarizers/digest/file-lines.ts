// Files: what was done to each, which functions were touched and why; those only read are a plain list.
import { cite, type FileFact, type Ledger } from "../../facts/ledger.ts";
import { oneLine } from "../../facts/ledger-text.ts";
import { type DigestLine, orderOf, RANK } from "./digest-line.ts";

/** `detailed`: with what was touched and why, as a record of changes needs it. */
export function fileLines({ files }: Ledger, detailed: boolean): readonly DigestLine[] {
  return files.map((fact) => {
    const order = orderOf(fact.source);
    if (fact.operation === "read")
      return { section: "read", rank: RANK.looks, order, text: `- ${fact.path} [${cite(fact.source)}]` };
    return { section: "written", rank: RANK.changes, order, text: changeText(fact, detailed) };
  });
}

function changeText(fact: FileFact, detailed: boolean): string {
  const name = fact.operation === "moved" && fact.to !== undefined ? `${fact.path} -> ${fact.to}` : fact.path;
  const done = fact.operation === "written" ? "" : ` (${fact.operation})`;
  if (!detailed) return `- ${name}${done} [${cite(fact.source)}]${shortSymbols(fact)}`;
  const what = [
    fact.edits > 1 ? `${fact.edits} edits` : "",
    fact.symbols.length > 0 ? `touched ${fact.symbols.join(", ")}` : "",
    fact.reason === undefined ? "" : oneLine(fact.reason, 160),
  ];
  return `- ${name}${done}: ${what.filter(Boolean).join("; ") || "changed"} [${cite(fact.source)}]`;
}

function shortSymbols({ symbols }: FileFact): string {
  return symbols.length === 0 ? "" : ` ${symbols.slice(0, 3).join(", ")}`;
}
