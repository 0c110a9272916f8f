// Values in force, and the identifiers that no other line names: those with a context in a line that says what
// they are, the rest in a compact index by kind.
import { cite, type IdentifierFact, type Ledger } from "../../facts/ledger.ts";
import { oneLine } from "../../facts/ledger-text.ts";
import { type DigestLine, orderOf, RANK } from "./digest-line.ts";

export function valueLines({ values }: Ledger): readonly DigestLine[] {
  return values
    .filter(({ supersededBy }) => supersededBy === undefined)
    .map((fact) => {
      const rank = fact.by === "tool" ? RANK.rare : fact.by === "user" ? RANK.state : RANK.repeated;
      const text = `- ${fact.key} = ${fact.value} [${cite(fact.source)}]`;
      return { section: "values", rank, order: orderOf(fact.source), text };
    });
}

/** An identifier that a line worth more already names needs no entry of its own: while it would stay, that line does. */
export function identifierLines({ identifiers }: Ledger, chosen: readonly DigestLine[]): readonly DigestLine[] {
  const namedAbove = new Map<number, string>();
  const isNamed = ({ value }: IdentifierFact, rank: number): boolean => {
    const above = namedAbove.get(rank) ?? textAbove(chosen, rank);
    namedAbove.set(rank, above);
    return above.includes(value);
  };
  return identifiers.flatMap((fact) => {
    const rank = rankOf(fact);
    if (isNamed(fact, rank)) return [];
    return [{ section: "identifiers", rank, order: orderOf(fact.source), text: identifierText(fact) } as const];
  });
}

function textAbove(lines: readonly DigestLine[], rank: number): string {
  return lines.flatMap((line) => (line.rank < rank ? [line.text] : [])).join("\n");
}

function identifierText({ value, context, source, mentions }: IdentifierFact): string {
  const isSaid = context !== undefined && context.includes(value) && mentions > 1;
  return isSaid ? `- ${oneLine(context, 120)} [${cite(source)}]` : `- ${value} [${cite(source)}]`;
}

function rankOf({ mentions, form }: IdentifierFact): number {
  if (form === "handle") return RANK.state;
  if (mentions >= 3) return RANK.recurring;
  return mentions === 2 ? RANK.repeated : RANK.rare;
}
