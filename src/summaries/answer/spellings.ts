// Other spellings under which the input may say the same name: separators of paths, words joined or parted, numbers with
// and without their letter. What is spelled otherwise is not invented; nothing is looked up here.

/** Of absolute paths so many places are tried at which the working directory may end. */
const MOST_PARTS = 12;
/** What stands for folders that are left out. */
const LEFT_OUT = /[\\/](?:\.{3}|…|\*\*)[\\/]/;
const PREFIX = /^(?:\.{1,3}[\\/]|~[\\/])/;
const ABSOLUTE = /^(?:[A-Za-z]:[\\/]|[\\/]|~[\\/])/;
const MOST_WORDS = 8;

/** Each is a list of names that all have to stand in the input. */
export function pathSpellings(path: string): readonly (readonly string[])[] {
  const bare = path.replace(PREFIX, "");
  const spelled = [path, ...(bare === path ? [] : [bare]), ...bothSeparators(path), ...bothSeparators(bare)];
  const single = [...new Set(spelled)].map((name) => [name]);
  const parts = path.split(LEFT_OUT).filter((part) => part.length > 1);
  return [...single, ...(parts.length > 1 ? [parts] : []), ...relativeSpellings(path)];
}

/** As Windows and other systems write it, and as it stands in a JSON text. */
function bothSeparators(path: string): readonly string[] {
  if (!/[\\/]/.test(path)) return [];
  const parts = path.split(/[\\/]{1,2}/);
  return [parts.join("/"), parts.join("\\"), parts.join("\\\\")];
}

/** `/home/me/app/src/a.ts` is said by a working directory and `src/a.ts`. */
function relativeSpellings(path: string): readonly (readonly string[])[] {
  if (!ABSOLUTE.test(path)) return [];
  const separators = [...path.matchAll(/[\\/]{1,2}/g)].slice(1, -1).slice(-MOST_PARTS);
  return separators.map(({ 0: mark, index }) => [path.slice(0, index), path.slice(index + mark.length)]);
}

/** `userAccounts`, `user_accounts`, `user-accounts`, `user accounts`. Case tells nothing where names are looked up. */
export function joinedSpellings(name: string): readonly string[] {
  const words = name.replace(/([a-z0-9])(?=[A-Z])/g, "$1 ").split(/[\s_-]{1,3}/);
  if (words.length < 2 || words.length > MOST_WORDS || words.some((word) => word === "")) return [];
  return ["_", "-", "", " "].map((mark) => words.join(mark)).filter((spelled) => spelled !== name);
}

/** Letters and a number, whatever parts them: `INC-40417`, `INC 40417`, `#12`, `PR 12`, `pull/12`. */
export function numberedSpellings(name: string): readonly string[] {
  const [, letters = "", number = ""] = /^(.{0,60}?)[-#_ ]{0,2}(\d{1,9})$/s.exec(name) ?? [];
  if (number === "") return [];
  if (letters !== "") return ["-", " ", "", "_", " #"].map((mark) => letters + mark + number);
  return [
    "PR ",
    "PR-",
    "MR ",
    "issue ",
    "issues/",
    "ticket ",
    "pull/",
    "pull request ",
    "merge_requests/",
    "!",
    "#",
  ].map((word) => word + number);
}

/** Factors between a unit and the next one up. */
const UNITS: readonly (readonly [string, number, string])[] = [
  ["ms", 1000, "s"],
  ["s", 60, "min"],
  ["min", 60, "h"],
  ["kB", 1000, "MB"],
  ["KB", 1024, "MB"],
  ["MB", 1000, "GB"],
  ["MB", 1024, "GB"],
  ["GB", 1000, "TB"],
  ["GB", 1024, "TB"],
];

/** The same quantity in the unit above or below, written together and apart: `1500 ms` is `1.5 s`. */
export function scaledSpellings(quantity: string): readonly string[] {
  const [, written = "", unit = ""] = /^(\d[\d,]{0,15}(?:\.\d{1,6})?) ?([A-Za-z]{1,3})$/.exec(quantity.trim()) ?? [];
  const number = Number(written.replaceAll(",", ""));
  if (unit === "" || !Number.isFinite(number)) return [];
  return UNITS.flatMap(([small, factor, large]) => [
    ...(small === unit ? bothSpacings(number / factor, large) : []),
    ...(large === unit ? bothSpacings(number * factor, small) : []),
  ]);
}

function bothSpacings(number: number, unit: string): readonly string[] {
  const isShort = Number.isInteger(number * 1000);
  return isShort
    ? [String(number), number.toLocaleString("en-US")].flatMap((n) => [`${n}${unit}`, `${n} ${unit}`])
    : [];
}

/** `128,000` is said by `128k`, `1500000` by `1.5M` and `1.5 million`. */
export function roundSpellings(number: number): readonly string[] {
  if (number < 1000) return [];
  const thousands = number % 100 === 0 && number < 1_000_000 ? [`${number / 1000}k`] : [];
  const millions = number % 10_000 === 0 && number >= 1_000_000 ? [`${number / 1e6}M`, `${number / 1e6} million`] : [];
  return [...thousands, ...millions];
}
