// What a statement names that can be looked up in the input: identifiers, e-mail addresses, numbers of three digits and
// more. Each with the readings under which it counts as said: `port 8443 on db` says `db:8443`.
import { findIdentifiers } from "../../facts/identifiers/find-identifiers.ts";
import { findDates } from "./find-dates.ts";
import { digitsOf } from "./locate-names.ts";
import { joinedSpellings, numberedSpellings, pathSpellings, roundSpellings, scaledSpellings } from "./spellings.ts";

/** All of it must stand in the input, though not side by side. */
export interface Reading {
  readonly names: readonly string[];
  readonly numbers: readonly string[];
  /** As `findDates` writes them. */
  readonly dates?: readonly string[];
  /** Numbers that stand somewhere as those of lines. */
  readonly lines?: readonly string[];
}

export interface NamedThing {
  /** As the statement has it. */
  readonly value: string;
  readonly index: number;
  readonly isNumber: boolean;
  readonly readings: readonly Reading[];
  /** What is left of it when only the part behind the last colon is wrong: `a.ts` of `a.ts:99`. */
  readonly stem?: string;
}

/** Identifiers are searched in slices of this length: beyond, only the ends of a text are looked at. */
const SLICE = 16_000;
const EMAIL = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}/g;
const NUMBER = /(?<![\p{L}\d_])\d(?:[\d.,_'’]{0,28}\d)(?![\p{L}\d_])/gu;
/** A file with a line. */
const LINED = /^(.{1,2000}):\d{1,7}$/s;
const MOST_RANGES = 40;
/** Named like files, and known to everybody. */
const TECHNOLOGIES =
  /^(?:node|next|nuxt|vue|react|express|three|d3|chart|moment|socket|alpine|backbone|ember)\.(?:js|io)$/i;

type Form = ReturnType<typeof findIdentifiers>[number]["form"];

/** In the order in which they stand. `text` without its citations. */
export function findNames(text: string): readonly NamedThing[] {
  const found = new Map<string, NamedThing>();
  const add = (thing: NamedThing) => {
    if (!found.has(thing.value)) found.set(thing.value, thing);
  };
  for (const [slice, offset] of slicesOf(text)) {
    for (const { value, index } of matches(slice, EMAIL)) {
      // `kit@3.4.1` is a package.
      if (!/\.\d{1,9}$/.test(value)) add(nameOf("url", value, offset + index));
    }
    for (const { form, value, index } of findIdentifiers(slice, "spoken")) {
      if (TECHNOLOGIES.test(value)) continue;
      add(nameOf(form, value, offset + index));
      if (form === "path") for (const range of lineRanges(slice, value)) add({ ...range, index: offset + range.index });
    }
  }
  const names = [...found.values()].sort((a, b) => a.index - b.index);
  return [...names, ...findNumbers(text, names)];
}

/** `a.ts:142-160`: both lines have to stand somewhere, or only the file stays. */
function lineRanges(text: string, value: string): readonly NamedThing[] {
  const file = LINED.exec(value)?.[1];
  if (file === undefined) return [];
  const ranges: NamedThing[] = [];
  for (
    let at = text.indexOf(value);
    at >= 0 && ranges.length < MOST_RANGES;
    at = text.indexOf(value, at + value.length)
  ) {
    const end = /^[-–]L?(\d{1,7})(?!\d)/.exec(text.slice(at + value.length, at + value.length + 12));
    if (end === null) continue;
    const last = end[1] ?? "";
    const readings = [
      { names: [value], numbers: [digitsOf(last)] },
      ...linedReadings(file, [value.slice(file.length + 1), last]),
    ];
    ranges.push({ value: value + end[0], index: at, isNumber: false, readings, stem: file });
  }
  return ranges;
}

/** `TS2345` is `TS-2345`, and `acme/web#12` is 12 of `acme/web`, whatever form they are taken for. */
function numberedReadings(value: string): readonly Reading[] {
  const [, place, number] = /^([^\s#]{1,200})#(\d{1,9})$/.exec(value) ?? [];
  if (place !== undefined && number !== undefined) return [{ names: [place], numbers: [digitsOf(number)] }];
  const isNumbered = /^[A-Za-z]{1,12}[-_ ]?\d{2,9}$/.test(value);
  return isNumbered ? numberedSpellings(value).map((name) => ({ names: [name], numbers: [] })) : [];
}

function linedReadings(file: string, lines: readonly string[]): readonly Reading[] {
  return pathSpellings(file).map((names) => ({ names, numbers: [], lines }));
}

/** Numbers that no identifier holds. */
function findNumbers(text: string, names: readonly NamedThing[]): readonly NamedThing[] {
  let rest = text;
  const longestFirst = [...names].sort((a, b) => b.value.length - a.value.length);
  for (const { value } of longestFirst.slice(0, 200))
    rest = rest.replaceAll(value, (whole) => " ".repeat(whole.length));
  const numbers = new Map<string, NamedThing>();
  for (const { value, index } of matches(rest, NUMBER)) {
    if (value.replace(/\D/g, "").length < 3 || numbers.has(value)) continue;
    numbers.set(value, { value, index, isNumber: true, readings: numberReadings(value) });
  }
  return [...numbers.values()];
}

function numberReadings(value: string): readonly Reading[] {
  const digits = digitsOf(value);
  const parts = value.split(",");
  return [
    { names: [], numbers: [digits] },
    ...roundSpellings(wholeNumber(value)).map((name) => ({ names: [name], numbers: [] })),
    // `a.ts(12,5)`: two numbers, neither of which is looked for alone.
    ...(parts.length > 1 && parts.every((part) => /^\d{1,2}$/.test(part)) ? [{ names: [], numbers: parts }] : []),
  ];
}

/** That the text opens with, however its thousands are parted; 0 where there is none. */
function wholeNumber(text: string): number {
  const found = /^\d{1,3}(?:[,_'’.]\d{3}){1,4}(?![.,]?\d)|^\d{1,15}(?![.,]?\d)/.exec(text);
  return found === null ? 0 : Number(digitsOf(found[0]));
}

function matches(text: string, expression: RegExp): readonly { readonly value: string; readonly index: number }[] {
  return [...text.matchAll(expression)].map((match) => ({ value: match[0], index: match.index }));
}

function* slicesOf(text: string): Generator<readonly [string, number]> {
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + SLICE);
    const space = end < text.length ? text.lastIndexOf(" ", end) : -1;
    if (space > at + SLICE / 2) end = space;
    yield [text.slice(at, end), at];
    at = end;
  }
}

function nameOf(form: Form, value: string, index: number): NamedThing {
  const stem = LINED.exec(value)?.[1];
  return {
    value,
    index,
    isNumber: false,
    readings: [{ names: [value], numbers: [] }, ...otherReadings(form, value), ...numberedReadings(value)],
    ...(stem !== undefined && form === "path" ? { stem } : {}),
  };
}

function otherReadings(form: Form, value: string): readonly Reading[] {
  const words = (text: string) => text.split(/\s+/).filter(Boolean);
  switch (form) {
    case "url":
      return [{ names: [value.replace(/\/$/, "")], numbers: [] }];
    case "path":
      return pathReadings(value);
    case "code":
      return codeReadings(value);
    case "variable":
      return joinedSpellings(value).map((name) => ({ names: [name], numbers: [] }));
    case "ticket":
      return ticketReadings(value);
    case "person":
      return [{ names: words(value), numbers: [] }];
    case "version": {
      const number = /\d[\w.+-]{0,40}/.exec(value)?.[0];
      return number === undefined ? [] : [number, `v${number}`].map((name) => ({ names: [name], numbers: [] }));
    }
    case "host": {
      const port = /^(.{1,300}):(\d{1,5})$/.exec(value);
      return port === null ? [] : [{ names: [port[1] ?? ""], numbers: [digitsOf(port[2] ?? "")] }];
    }
    case "quantity": {
      const keyed = /^([^=]{1,80})=/.exec(value)?.[1];
      return [
        {
          names: keyed === undefined ? [] : [keyed],
          numbers: numbersIn(keyed === undefined ? value : value.slice(keyed.length)),
        },
        ...[...scaledSpellings(value), ...roundSpellings(wholeNumber(value))].map((name) => ({
          names: [name],
          numbers: [],
        })),
      ];
    }
    case "date":
      return [readDate(value, words(value).slice(-1))];
    default:
      return [];
  }
}

/** The day and the time as such, the year as a number; a weekday by its name. */
function readDate(value: string, lastWord: readonly string[]): Reading {
  const dates = [...findDates(value)];
  if (dates.length === 0)
    return /\d/.test(value) ? { names: [], numbers: numbersIn(value) } : { names: lastWord, numbers: [] };
  return { names: [], numbers: /(?<!\d)\d{4}(?!\d)/.exec(value) ?? [], dates };
}

function pathReadings(value: string): readonly Reading[] {
  const [, file, line] = /^(.{1,2000}):(\d{1,7})$/s.exec(value) ?? [];
  const spelled = pathSpellings(value).map((names) => ({ names, numbers: [] }));
  return file === undefined || line === undefined ? spelled : [...spelled, ...linedReadings(file, [line])];
}

/** A number long enough to mean one thing may stand without the word for what it numbers. */
function ticketReadings(value: string): readonly Reading[] {
  const [, number] = /^#(\d{1,9})$/.exec(value) ?? [];
  if (number === undefined) return [];
  const spelled = numberedSpellings(value).map((name) => ({ names: [name], numbers: [] }));
  return number.length < 3 ? spelled : [...spelled, { names: [], numbers: [digitsOf(number)] }];
}

/** `Pool.open()` is said where `open` is; `parse()` where `parse(line)` is. */
function codeReadings(value: string): readonly Reading[] {
  // `exited with 137`, `HTTP 503`: the words are the teller's, the number is not.
  if (/\s/.test(value) && /\d/.test(value)) return [{ names: [], numbers: numbersIn(value) }];
  const bare = value.replace(/\(\)$/, "");
  const last = bare.split(/[.:#/]{1,2}/).at(-1) ?? bare;
  return [bare, last, ...joinedSpellings(bare)]
    .filter((name) => name.length > 2)
    .map((name) => ({ names: [name], numbers: [] }));
}

function numbersIn(text: string): readonly string[] {
  return (text.match(/\d(?:[.,_]?\d){0,24}/g) ?? []).map(digitsOf);
}
