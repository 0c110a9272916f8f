// Turns a ledger into the lines of an extractive summary: which section, how valuable, in what order. The rank
// is the one stated order in which lines go when the cap shrinks: higher goes first.
import type { IdentifierFact, Ledger } from "../facts/ledger.ts";
import { fileLine, identifierLine, QUOTED_UNITS, statementLine, userMessageLine } from "../facts/ledger-text.ts";
import type { SummaryRequest } from "./summarizer.ts";

export const SECTIONS = [
  "Goals and requests (the user's words)",
  "Progress (the assistant's own reports)",
  "Files written",
  "Files read",
  "Identifiers",
] as const;

export interface DigestLine {
  readonly section: (typeof SECTIONS)[number];
  /** 0 is the most valuable. */
  readonly rank: number;
  /** Place within the section; among equals in rank, the higher order is newer and stays longer. */
  readonly order: number;
  readonly text: string;
}

const QUOTE_LIMITS = [QUOTED_UNITS, 160, 60];
const STATEMENT_LIMITS = { task_state: 280, brief: 140 };
const SHORT_STATEMENT = 100;

export function digestLines(request: SummaryRequest): readonly DigestLine[] {
  const { ledger } = request;
  const [requests, progress, written, read, identifiers] = SECTIONS;
  const lines: DigestLine[] = userLines(request).map((text, order) => ({ section: requests, rank: 0, order, text }));
  const isBrief = request.strategy === "brief";
  const limit = isBrief ? STATEMENT_LIMITS.brief : STATEMENT_LIMITS.task_state;
  ledger.statements.forEach((fact, order) => {
    const isRecent = order >= ledger.statements.length - 12;
    lines.push({
      section: progress,
      rank: isRecent ? 2 : 4,
      order,
      text: statementLine(fact, isRecent ? limit : SHORT_STATEMENT),
    });
  });
  ledger.files.forEach((fact, order) => {
    if (fact.operation === "written") lines.push({ section: written, rank: 1, order, text: fileLine(fact) });
    else if (!isBrief) lines.push({ section: read, rank: 5, order, text: fileLine(fact) });
  });
  for (const [order, fact] of otherIdentifiers(ledger).entries()) {
    if (isBrief && fact.mentions < 3) continue;
    lines.push({ section: identifiers, rank: identifierRank(fact), order, text: identifierLine(fact) });
  }
  return lines;
}

/** All user messages at the longest quote length at which they fit into two thirds of the cap together. */
function userLines({ ledger, maxTokens, count }: SummaryRequest): readonly string[] {
  for (const limit of QUOTE_LIMITS) {
    const lines = ledger.userMessages.map((fact) => userMessageLine(fact, limit));
    const tokens = lines.reduce((sum, line) => sum + count(line), 0);
    if (tokens <= (maxTokens * 9) / 10 || limit === QUOTE_LIMITS.at(-1)) return lines;
  }
  return [];
}

function identifierRank({ mentions }: IdentifierFact): number {
  if (mentions >= 3) return 3;
  return mentions === 2 ? 6 : 7;
}

/** Identifiers that no file line shows already. */
function otherIdentifiers(ledger: Ledger): readonly IdentifierFact[] {
  const shown = new Set(ledger.files.map((file) => file.path));
  return ledger.identifiers.filter((fact) => !shown.has(fact.value));
}
