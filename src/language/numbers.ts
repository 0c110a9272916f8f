// Numbers of a text by their value, whatever their spelling: `1,500`, `1500` and `1.5k` are one number, `three` is 3.

export interface Figure {
  readonly text: string;
  readonly index: number;
  readonly value: number;
  /** Half a unit of its last written place: what it may have been rounded from. */
  readonly margin: number;
  /** With a unit, or said to be rounded. */
  readonly isRough: boolean;
}

const FACTORS: Readonly<Record<string, readonly number[]>> = {
  k: [1e3, 1024],
  kb: [1e3, 1024],
  kib: [1024],
  m: [1e6, 60],
  mb: [1e6, 1024 ** 2, 1e3, 1024],
  mib: [1024 ** 2],
  gb: [1e9, 1024 ** 3, 1e3, 1024],
  tb: [1e12, 1024 ** 4, 1e3, 1024],
  ms: [1e-3],
  s: [1e3],
  sec: [1e3],
  seconds: [1e3],
  min: [60],
  minutes: [60],
  h: [60, 3600],
  hours: [60, 3600],
  million: [1e6],
  thousand: [1e3],
  "%": [0.01],
};
const NUMBER =
  /(?<![\p{L}\p{N}_]|\d[.,])(\d{1,3}(?:[,'’_ \u202f]\d{3}(?!\d)){1,6}(?:\.\d{1,9})?|\d{1,15}(?:[.,]\d{1,9})?)(?:[ -]?(k|kb|kib|m|mb|mib|gb|tb|ms|s|sec|seconds|min|minutes|h|hours|million|thousand|%)(?![\p{L}\p{N}]))?/giu;
const ROUGHLY =
  /(?:about|around|roughly|nearly|almost|over|more than|some|under|ca\.?|etwa|rund|cerca de|environ|[~≈<>])\s?$/iu;
const SMALL =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
/** From two on, in other languages. */
const OTHERS = [
  "zwei drei vier fünf sechs sieben acht neun zehn",
  "dos tres cuatro cinco",
  "deux trois quatre cinq",
  "dois três quatro cinco",
  "duas",
];
const VALUES = new Map(
  [SMALL.slice(2, 13), ...OTHERS.map((words) => words.split(" "))].flatMap((words) =>
    words.map((word, at) => [word, at + 2] as const),
  ),
);
const WORD = new RegExp(`(?<![\\p{L}\\p{N}-])(?:${[...VALUES.keys()].join("|")})(?![\\p{L}\\p{N}-])`, "giu");

export function findFigures(text: string): readonly Figure[] {
  const found: Figure[] = [];
  for (const { 0: whole, 1: written = "", 2: unit, index } of text.matchAll(NUMBER)) {
    const plain = written.replace(/[,'’_ \u202f](?=\d{3}(?!\d))/gu, "").replace(",", ".");
    const places = plain.split(".")[1]?.length ?? 0;
    const value = Number(plain);
    const isRough = ROUGHLY.test(text.slice(Math.max(0, index - 12), index)) || (unit !== undefined && unit !== "%");
    const zeros = places === 0 && isRough ? (/0*$/u.exec(plain)?.[0].length ?? 0) : 0;
    found.push({
      text: unit === undefined ? written : whole,
      index,
      value,
      margin: 10 ** (zeros - places) / 2,
      isRough,
    });
  }
  for (const { 0: word, index } of text.matchAll(WORD))
    found.push({ text: word, index, value: VALUES.get(word.toLowerCase()) ?? 0, margin: 0, isRough: false });
  return found.sort((a, b) => a.index - b.index);
}

/** All values that a text says: its figures, in their units and without, and every run of digits. */
export function valuesOf(text: string): ReadonlySet<number> {
  const values = new Set<number>();
  for (const { text: said, value } of findFigures(text)) {
    values.add(value);
    for (const factor of factorsOf(said)) values.add(value * factor);
  }
  for (const [digits] of text.matchAll(/\d{1,15}/gu)) values.add(Number(digits));
  return values;
}

function factorsOf(figure: string): readonly number[] {
  const unit = /\p{L}+$|%$/u.exec(figure)?.[0].toLowerCase();
  return unit === undefined ? [] : (FACTORS[unit] ?? []);
}

/** As it stands, in another unit, or as what it was rounded from. */
export function isAmong({ text, value, margin, isRough }: Figure, values: ReadonlySet<number>): boolean {
  const factors = [1, ...factorsOf(text)];
  if (factors.some((factor) => values.has(value * factor))) return true;
  const isRounded = isRough || margin < 0.5;
  return (
    isRounded && [...values].some((said) => factors.some((factor) => isNear(said, value * factor, margin * factor)))
  );
}

function isNear(said: number, value: number, margin: number): boolean {
  return Math.abs(said - value) <= margin;
}

// Numbers among the words of a sentence in one form: digits without separators, words as digits, a unit as a token of its
// own. A reading that depends on the country (1.000, 5m) is left as it is written.

const ENGLISH: ReadonlyMap<string, number> = new Map([
  ...SMALL.map((word, value) => [word, value] as const),
  ...TENS.map((word, at) => [word, (at + 2) * 10] as const),
]);
const SCALES: ReadonlyMap<string, number> = new Map([
  ["hundred", 100],
  ["thousand", 1000],
  ["million", 1e6],
  ["billion", 1e9],
]);
const ORDINALS: ReadonlyMap<string, string> = new Map(
  "first=1st second=2nd third=3rd fourth=4th fifth=5th sixth=6th seventh=7th eighth=8th ninth=9th tenth=10th eleventh=11th twelfth=12th"
    .split(" ")
    .map((pair) => pair.split("=") as [string, string]),
);
const UNITS: ReadonlyMap<string, string> = new Map(
  `ms=ms millisecond=ms milliseconds=ms msec=ms s=s sec=s secs=s second=s seconds=s min=min mins=min minute=min minutes=min
  h=h hr=h hrs=h hour=h hours=h day=day days=day week=week weeks=week month=month months=month year=year years=year
  percent=% pct=% %=% x=x times=x KB=KB kB=KB MB=MB GB=GB TB=TB KiB=KiB MiB=MiB GiB=GiB px=px
  kilobyte=KB kilobytes=KB megabyte=MB megabytes=MB gigabyte=GB gigabytes=GB am=am pm=pm`
    .split(/\s+/)
    .map((pair) => pair.split("=") as [string, string]),
);
const HAS_DIGIT = /\d/;
const IS_NUMBER = /^[+-]?\d{1,40}(?:\.\d{1,40})?$/;

export function joinNumbers(words: readonly string[]): readonly string[] {
  const tokens: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const isAfterNumber = isNumber(tokens[tokens.length - 1]);
    const unit = isAfterNumber ? unitAt(words, at) : undefined;
    const scale = SCALES.get(word);
    if (unit !== undefined) {
      tokens.push(unit);
      if (word === "per") at += 1;
    } else if (scale !== undefined && isAfterNumber) tokens.push(times(tokens.pop() ?? "", scale));
    else if (ORDINALS.has(word)) tokens.push(ORDINALS.get(word) ?? word);
    else addNumber(word, words[at - 1], tokens);
  }
  return tokens;
}

function isNumber(token = ""): boolean {
  const last = token.charCodeAt(token.length - 1);
  return last >= 0x30 && last <= 0x39 && IS_NUMBER.test(token);
}

function unitAt(words: readonly string[], at: number): string | undefined {
  if (words[at] === "per" && words[at + 1] === "cent") return "%";
  return UNITS.get(words[at] ?? "");
}

function addNumber(word: string, before: string | undefined, tokens: string[]): void {
  const value = ENGLISH.get(word);
  if (value === undefined) {
    if (HAS_DIGIT.test(word)) tokens.push(...readDigits(word));
    else tokens.push(word);
    return;
  }
  // "twenty five" is 25; "5 20" is no 25.
  if (value > 0 && value < 10 && TENS.includes(before ?? "")) tokens.push(times(tokens.pop() ?? "", 1, value));
  else tokens.push(String(value));
}

function readDigits(word: string): readonly string[] {
  if (word.length > 60) return [word];
  if (/^[+-]?\d{1,3}(?:,\d{3}){1,10}(?:\.\d+)?$/.test(word)) return [word.replaceAll(",", "")];
  const version = /^v(\d[\w.-]*)$/.exec(word);
  if (version !== null) return ["version", version[1] ?? ""];
  const [, number = "", suffix = ""] = /^([+-]?\d+(?:\.\d+)?)-?([A-Za-z]{1,12}|%)$/.exec(word) ?? [];
  if (number === "") return [word];
  if (/^[kK]$/.test(suffix)) return [times(number, 1000)];
  if (suffix === "M") return [times(number, 1e6)];
  const unit = UNITS.get(suffix) ?? UNITS.get(suffix.toLowerCase().length > 2 ? suffix.toLowerCase() : suffix);
  return unit === undefined ? [word.toLowerCase()] : [number, unit];
}

function times(number: string, factor: number, plus = 0): string {
  // Fifteen digits are exact; whatever binary fractions add behind them is cut off.
  return String(Number((Number(number) * factor + plus).toPrecision(15)));
}
