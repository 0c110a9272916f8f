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
/** From two on, in the languages that write them in Latin script. */
const WORDS: readonly (readonly string[])[] = [
  "two three four five six seven eight nine ten eleven twelve",
  "zwei drei vier fünf sechs sieben acht neun zehn",
  "dos tres cuatro cinco",
  "deux trois quatre cinq",
  "dois três quatro cinco",
  "duas",
].map((words) => words.split(" "));
const VALUES = new Map(WORDS.flatMap((words) => words.map((word, at) => [word, at + 2] as const)));
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
