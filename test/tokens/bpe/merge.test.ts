// Three ways to merge and one written to be obviously right: all give the same tokens.
import { describe, expect, it } from "vitest";
import { packRanks } from "../../../scripts/token-ranks/pack-ranks.ts";
import {
  createLongMerge,
  createPairRanks,
  createRankTournament,
  createShortMerge,
  createTreeMerge,
  SHORT_PIECE,
  WINDOW,
} from "../../../src/tokens/bpe/merge.ts";

import { createRankTable } from "../../../src/tokens/bpe/rank-table.ts";
import { createRandom, filled, pick, type Random } from "../random-text.ts";

/** A vocabulary made to be nasty: random merges over few letters, so that pairs overlap and ranks invert. */
function createVocabulary(random: Random, letters: string, merges: number): string[] {
  const tokens = [...letters];
  for (let tries = 0; tokens.length < letters.length + merges && tries < 20 * merges; tries++) {
    const joined = pick(random, tokens) + pick(random, tokens);
    if (joined.length <= 128 && !tokens.includes(joined)) tokens.push(joined);
  }
  return tokens;
}

function mergeSlowly(text: string, tokens: readonly string[]): string[] {
  const rankOf = new Map(tokens.map((token, rank) => [token, rank]));
  const parts = [...text];
  for (;;) {
    let lowest = Number.POSITIVE_INFINITY;
    let at = -1;
    for (let index = 0; index + 1 < parts.length; index++) {
      const rank = rankOf.get(`${parts[index]}${parts[index + 1]}`) ?? Number.POSITIVE_INFINITY;
      if (rank < lowest) {
        lowest = rank;
        at = index;
      }
    }
    if (at === -1) return parts;
    parts.splice(at, 2, `${parts[at]}${parts[at + 1]}`);
  }
}

function openVocabulary(tokens: readonly string[]) {
  const list = tokens.map((token, rank) => `${Buffer.from(token).toString("base64")} ${rank}`).join("\n");
  return createPairRanks(createRankTable(packRanks(list)));
}

describe("merging", () => {
  it("gives the same tokens short, as a tree and in windows, with 40 random vocabularies", () => {
    const random = createRandom(11);
    for (let round = 0; round < 40; round++) {
      const letters = pick(random, ["a", "ab", "abc", "abcdefgh"]);
      const tokens = createVocabulary(random, letters, 1 + Math.floor(random() * 60));
      const pairs = openVocabulary(tokens);
      const short = createShortMerge(pairs);
      const tree = createTreeMerge(pairs);
      const long = createLongMerge(pairs);
      for (const length of [2, 5, SHORT_PIECE, 300, WINDOW, WINDOW + 1, 2 * WINDOW + 77]) {
        const text = filled(length, () => pick(random, [...letters]));
        const bytes = Buffer.from(text);
        const expected = mergeSlowly(text, tokens);
        if (length <= SHORT_PIECE) expect(short(bytes, 0, length)).toBe(expected.length);
        tree.merge(bytes, 0, length);
        const found: string[] = [];
        for (let at = 0; at < length; at = tree.ends[at] as number) found.push(text.slice(at, tree.ends[at]));
        expect(found).toEqual(expected);
        expect(long.count(bytes, 0, length)).toBe(expected.length);
      }
    }
  });

  it("still is right where no window can be cut", () => {
    // No two letters stand together twice, and each pair ranks before the one left of it: the last letter decides how
    // all others pair up. The windows guess it wrong, notice, and everything is merged at once.
    const random = createRandom(29);
    const alphabet = Array.from({ length: 100 }, (_, index) => String.fromCharCode(28 + index));
    const pairs = new Set<string>();
    let text = "A";
    while (text.length < 3_001) {
      const pair = `${text.at(-1)}${pick(random, alphabet)}`;
      if (pairs.has(pair)) continue;
      pairs.add(pair);
      text += pair.charAt(1);
    }
    const tokens = [...alphabet, ...[...pairs].reverse()];
    for (const length of [3_000, 3_001]) {
      const expected = mergeSlowly(text.slice(0, length), tokens).length;
      expect(createLongMerge(openVocabulary(tokens)).count(Buffer.from(text), 0, length)).toBe(expected);
    }
  });
});

describe("the tournament", () => {
  it("names the leftmost of the lowest after any change", () => {
    const random = createRandom(3);
    const tournament = createRankTournament();
    const ranks = Array.from({ length: 37 }, () => Math.floor(random() * 9));
    tournament.reset(ranks.length);
    ranks.forEach((rank, place) => {
      tournament.enter(place, rank);
    });
    tournament.play();
    for (let round = 0; round < 500; round++) {
      expect(tournament.winner()).toBe(ranks.indexOf(Math.min(...ranks)));
      const place = Math.floor(random() * ranks.length);
      ranks[place] = Math.floor(random() * 9);
      tournament.change(place, ranks[place] as number);
      expect(tournament.rankOf(place)).toBe(ranks[place]);
    }
  });
});
