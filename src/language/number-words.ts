// Numbers among the words of a sentence in one form: digits without separators, words as digits, a unit as a token of its
// own. A reading that depends on the country (1.000, 5m) is left as it is written.

const SMALL =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const WORDS: ReadonlyMap<string, number> = new Map([
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
  const value = WORDS.get(word);
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
