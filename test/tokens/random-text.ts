// Text that is hard for a tokenizer, from a fixed seed: fragments of many scripts and formats, every white space,
// characters of every Unicode category, emoji sequences, lone surrogates, near misses of contractions and controls.

export type Random = () => number;

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

export function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T;
}

/** Of at least `length` UTF-16 units. */
export function filled(length: number, next: () => string): string {
  const parts: string[] = [];
  for (let size = 0; size < length; ) {
    const part = next();
    parts.push(part);
    size += part.length;
  }
  return parts.join("");
}

const FRAGMENTS: readonly string[] = [
  "the quick brown fox",
  "const x = await load(env);",
  "数据库连接失败，请稍后再试。",
  "こんにちは世界",
  "안녕하세요 세계",
  "Привет, мир",
  "مرحبا بالعالم",
  "नमस्ते दुनिया",
  "สวัสดีชาวโลก",
  "1234567890",
  "3.14159",
  "<|endoftext|>",
  "<|im_start|>",
  "<|fim_prefix|>",
  "<|endofprompt|>",
  '{"key": [1, 2, null]}',
  "https://example.org/a/b?c=d&e=f#g",
  "=====",
  "//////",
  "aGVsbG8gd29ybGQ",
  "HTTPServer",
  "camelCaseName",
  "ǅungla",
  "İstanbul",
];
const CONTRACTIONS: readonly string[] = [
  ..."'s 'S 't 'T 'm 'd 'D 'll 'LL 'lL 're 'rE 've 'VE 'l 'r 'v 'x ' '' ’s".split(" "),
  "'\u017f", // the long s folds to s
  "'\u212a", // the Kelvin sign folds to k
  "'ſt",
];
const WHITE_SPACE: readonly string[] = [
  ..."\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000",
  "\r\n",
  // Not white space to the encodings, though some engines trim them.
  "\ufeff",
  "\u200b",
  "\u180e",
];
const EMOJI: readonly string[] = [
  "😀",
  "👩‍👩‍👧‍👦",
  "🏳️‍🌈",
  "🇫🇷🇯🇵",
  "1️⃣#️⃣",
  "👍🏽",
  "❤️",
  "☺︎",
  "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
];
const SURROGATES: readonly string[] = ["\ud800", "\udc00", "\udbff\udbff", "\udfff\ud83d", "\ud83d"];
const CATEGORIES =
  "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Co Cn Emoji_Presentation Emoji_Modifier Regional_Indicator".split(
    " ",
  );

/** Code points of each category, at most `most` of each, evenly over all planes. */
function charactersByCategory(most: number): readonly (readonly string[])[] {
  return CATEGORIES.map((category) => {
    const pattern = new RegExp(`^\\p{${category}}$`, "u");
    const members: string[] = [];
    for (let point = 0; point < 0x110000; point++) {
      const isPrivateOrFar = point > 0x34000 && point < 0xe0000 && point % 4_099 !== 0;
      if ((point >= 0xd800 && point < 0xe000) || isPrivateOrFar || (point > 0xe01f0 && point % 4_099 !== 0)) continue;
      const character = String.fromCodePoint(point);
      if (pattern.test(character)) members.push(character);
    }
    const step = Math.max(1, Math.ceil(members.length / most));
    return members.filter((_, index) => index % step === 0);
  });
}

/** Makes one text after another; equal seeds make equal texts. */
export function createTextGenerator(seed: number): () => string {
  const random = createRandom(seed);
  const categories = charactersByCategory(4_000).filter((members) => members.length > 0);
  const letter = (): string => String.fromCharCode((random() < 0.3 ? 65 : 97) + Math.floor(random() * 26));
  const sources: readonly (() => string)[] = [
    () => pick(random, FRAGMENTS),
    () => pick(random, CONTRACTIONS),
    () => pick(random, WHITE_SPACE).repeat(1 + Math.floor(random() * 3)),
    () => pick(random, EMOJI),
    () => pick(random, pick(random, categories)),
    () => pick(random, pick(random, categories)),
    () => filled(1 + random() * 12, letter),
    () => filled(1 + random() * 8, () => pick(random, pick(random, categories))),
    () => " ",
    () => String.fromCharCode(33 + Math.floor(random() * 94)),
    () => (random() < 0.2 ? pick(random, SURROGATES) : String(Math.floor(random() * 1e6))),
  ];
  return () => filled(1 + random() * 60, () => pick(random, sources)());
}
