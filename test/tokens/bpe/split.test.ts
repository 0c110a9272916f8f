// The splitters are written by hand; the encodings' patterns are the truth. Equal on every string, piece by piece.
import { describe, expect, it } from "vitest";
import { stretchEnd } from "../../../src/tokens/bpe/count-tokens.ts";
import {
  createCl100kSplitter,
  createO200kSplitter,
  END_BYTE,
  END_BYTES,
  type FindPieceEnd,
  isAssignedLater,
} from "../../../src/tokens/bpe/split.ts";
import { createTextGenerator, filled } from "../random-text.ts";

/** JavaScript's \s has U+FEFF and lacks U+0085; the encodings' has it the other way round. */
const S = "\\p{White_Space}";
const CONTRACTION = "'(?:[sStTmMdD\u017f]|[rR][eE]|[vV][eE]|[lL][lL])";
const UPPER = "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]";
const LOWER = "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]";
const O200K = `[^\\r\\n\\p{L}\\p{N}]?${UPPER}*${LOWER}+(?:${CONTRACTION})?|[^\\r\\n\\p{L}\\p{N}]?${UPPER}+${LOWER}*(?:${CONTRACTION})?|\\p{N}{1,3}| ?[^${S}\\p{L}\\p{N}]+[\\r\\n/]*|${S}*[\\r\\n]+|${S}+(?!\\P{White_Space})|${S}+`;
const CL100K = `${CONTRACTION}|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^${S}\\p{L}\\p{N}]+[\\r\\n]*|${S}*[\\r\\n]+|${S}+(?!\\P{White_Space})|${S}+`;

function piecesByHand(text: string, findPieceEnd: FindPieceEnd): string[] {
  const encoded = new TextEncoder().encode(text);
  const bytes = new Uint8Array(encoded.length + END_BYTES).fill(END_BYTE);
  bytes.set(encoded);
  const pieces: string[] = [];
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  for (let start = 0; start < encoded.length; ) {
    const end = findPieceEnd(bytes, start);
    pieces.push(decoder.decode(encoded.subarray(start, end)));
    start = end;
  }
  return pieces;
}

/** The engine may know newer letters than the encodings do: they stand for the unassigned. */
function withoutLater(text: string): string {
  return [...text.toWellFormed()].filter((character) => !isAssignedLater(character.codePointAt(0) ?? 0)).join("");
}

describe.each([
  ["o200k_base", new RegExp(O200K, "gu"), createO200kSplitter()],
  ["cl100k_base", new RegExp(CL100K, "gu"), createCl100kSplitter()],
] as const)("%s", (_, pattern, splitter) => {
  it("splits 3,000 random strings as its pattern does", () => {
    const next = createTextGenerator(4_711);
    for (let round = 0; round < 3_000; round++) {
      const text = withoutLater(next());
      expect(piecesByHand(text, splitter)).toEqual(text.match(pattern) ?? []);
    }
  });

  it.each([
    "I'LL don't we'veX 'sTOP x'ſ x'K ''s '",
    "\u0301 \u0301a \u0301ABC \u0301\u0301AB !\u0301 A\u0301B\u0301c",
    "ABC中DE AB中 中AB ǅAb aB AaBb ʰA Aʰb",
    " a  b   c\n \n  d \r\n\t\u0085e\u00a0f\ufeffg \u3000 h  ",
    "a/b //\n/\r/ !!\n\n/x =\n ==/= \t=",
    "12345 1²3½ ٣٤٥٦ x1y22z333 Ⅷ",
    " \n\n ",
    "\u2028\u2029 x",
  ])("splits %j as its pattern does", (text) => {
    expect(piecesByHand(text, splitter)).toEqual(text.match(pattern));
  });

  it("splits a long text at the same places stretch by stretch", () => {
    const next = createTextGenerator(77);
    const text = withoutLater(filled(120_000, () => `${next()} word`));
    const whole = piecesByHand(text, splitter);
    const joined: string[] = [];
    let stretches = 0;
    for (let start = 0; start < text.length; stretches++) {
      const end = stretchEnd(text, start);
      joined.push(...piecesByHand(text.slice(start, end), splitter));
      start = end;
    }
    expect(stretches).toBeGreaterThan(2);
    expect(joined).toEqual(whole);
  });
});

describe("stretches", () => {
  it("end at once in a text without a safe place, and never inside a surrogate pair", () => {
    for (const text of ["a".repeat(200_000), "😀".repeat(100_000), " ".repeat(200_000), "x'".repeat(100_000)]) {
      expect(stretchEnd(text, 0)).toBe(text.length);
    }
    const mixed = "a😀".repeat(50_000);
    for (let start = 0; start < mixed.length; start = stretchEnd(mixed, start)) {
      expect(mixed.charCodeAt(start) & 0xfc00).not.toBe(0xdc00);
    }
  });
});
