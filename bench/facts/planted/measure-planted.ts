// Compacts a planted session in five rounds through the public library and looks for its facts in what is left.
import { expandReference } from "../../../src/archive/reading/expand-reference.ts";
import { searchArchive } from "../../../src/archive/reading/search-archive.ts";
import { type Archive, CompactManager, createMemoryArchive } from "../../../src/index.ts";
import { createTokenCounter } from "../../../src/tokens.ts";
import { textOf } from "../oracle.ts";
import type { PlantedFact } from "./fact-values.ts";
import type { PlantedKind } from "./planted-fact.ts";
import type { PlantedSession } from "./planted-session.ts";

const ROUNDS = 5;
/** Lines of one quoted message that are looked through for the mark. */
const LONGEST_QUOTE = 12;
const SESSION = "planted";

export interface FoundFact {
  readonly fact: PlantedFact;
  readonly isThere: boolean;
  /** An outdated value stands somewhere without the mark that says so. */
  readonly isStale: boolean;
  readonly isFoundWithSearch: boolean;
}

export interface PlantedResult {
  readonly facts: readonly FoundFact[];
  /** Of everything said, the share that the last list still takes. */
  readonly share: number;
  readonly messages: readonly unknown[];
}

/** `reduction`: after each round at most 1 - `reduction` of all tokens so far are left. */
export async function measurePlanted({ facts, turns }: PlantedSession, reduction: number): Promise<PlantedResult> {
  const archive = createMemoryArchive();
  const policy = { keepRecentTurns: 1, keepToolIoPairs: 1 };
  const manager = new CompactManager({ archive, policy, maxContextTokens: 4_000_000, now: () => Date.UTC(2031, 0, 1) });
  const counter = createTokenCounter({ encoding: "o200k_base" });
  let messages: readonly unknown[] = [];
  let said = 0;
  let left = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const from = Math.floor((turns.length * round) / ROUNDS);
    const added = turns.slice(from, Math.floor((turns.length * (round + 1)) / ROUNDS)).flat();
    said += counter.countMessages(added);
    const targetTokens = Math.floor(said * (1 - reduction));
    const result = await manager.compact(SESSION, [...messages, ...added], { targetTokens });
    messages = result.messages;
    left = result.report.tokens_after;
  }
  const lines = textOf(messages).split("\n");
  const found: FoundFact[] = [];
  for (const fact of facts) found.push(await lookFor(fact, lines, archive));
  return { facts: found, share: left / said, messages };
}

async function lookFor(fact: PlantedFact, lines: readonly string[], archive: Archive): Promise<FoundFact> {
  const isThere = lines.some((line) => holds(line, fact.expect));
  const { stale } = fact;
  const isStale =
    stale !== undefined && lines.some((line, at) => holds(line, stale) && !isMarked(quoteFrom(lines, at), fact));
  return { fact, isThere, isStale, isFoundWithSearch: isThere || (await isSearchable(fact, archive)) };
}

/** A value is there when it stands alone: 17 is not in 2017. */
function holds(line: string, parts: readonly string[]): boolean {
  const folded = line.toLowerCase();
  return parts.every((part) => standsAlone(folded, part.toLowerCase()));
}

function standsAlone(line: string, part: string): boolean {
  for (let at = line.indexOf(part); at >= 0; at = line.indexOf(part, at + 1)) {
    const isCut = /^\d/.test(part) && /[\d.]/.test(line.charAt(at - 1));
    const goesOn = /\d$/.test(part) && /\d/.test(line.charAt(at + part.length));
    if (!isCut && !goesOn) return true;
  }
  return false;
}

/** A quote of several lines carries its marks at its end: the line, and what follows of the same entry. */
function quoteFrom(lines: readonly string[], at: number): string {
  const next = lines.findIndex((line, index) => index > at && /^(?:- \[|#|\s*$)/.test(line));
  return lines.slice(at, Math.min(next < 0 ? lines.length : next, at + LONGEST_QUOTE)).join(" ");
}

/** Says that it is outdated, or names the new value beside the old one, or what was left for it ("from 8443 to …"). */
function isMarked(line: string, fact: PlantedFact): boolean {
  const old = fact.stale?.at(-1) ?? "";
  return (
    /supersed/i.test(line) || holds(line, fact.expect) || new RegExp(`(?:from|von|de|从) ?${escaped(old)}`).test(line)
  );
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** One search with what is still known about the fact; the hits are read whole. */
async function isSearchable({ query, expect }: PlantedFact, archive: Archive): Promise<boolean> {
  for (const { session_id, ref, found_in } of await searchArchive(archive, query)) {
    if (found_in !== "transcript") continue;
    const { messages } = await expandReference(archive, session_id, ref);
    if (holds(textOf(messages.map(({ message }) => message)), expect)) return true;
  }
  return false;
}

export interface Score {
  readonly total: number;
  readonly there: number;
  readonly stale: number;
  readonly withSearch: number;
}

/** Superseded facts count as there when the new value is and the old one nowhere stands as current. */
export function scoreOf(facts: readonly FoundFact[], kind: PlantedKind): Score {
  const ofKind = facts.filter(({ fact }) => fact.kind === kind);
  const count = (isCounted: (found: FoundFact) => boolean) => ofKind.filter(isCounted).length;
  return {
    total: ofKind.length,
    there: count(({ isThere, isStale }) => isThere && !isStale),
    stale: count(({ isStale }) => isStale),
    withSearch: count(({ isFoundWithSearch }) => isFoundWithSearch),
  };
}
