// Compacts a planted session in five rounds through the public library and looks for its facts in what is left.
import { expandReference } from "../../../src/archive/reading/expand-reference.ts";
import { searchArchive } from "../../../src/archive/reading/search-archive.ts";
import { type Archive, CompactManager, createMemoryArchive } from "../../../src/index.ts";
import { createTokenCounter } from "../../../src/tokens.ts";
import { textOf } from "../oracle.ts";
import type { PlantedFact } from "./fact-values.ts";
import { findInLines, holds, type Standing } from "./look-for.ts";
import type { PlantedKind } from "./planted-fact.ts";
import { type PlantedSession, roundsOf } from "./planted-session.ts";

const SESSION = "planted";

export interface FoundFact extends Standing {
  readonly fact: PlantedFact;
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
  for (const added of roundsOf({ facts, turns })) {
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
  const standing = findInLines(fact, lines);
  return { fact, ...standing, isFoundWithSearch: standing.isThere || (await isSearchable(fact, archive)) };
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
