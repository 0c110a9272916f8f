// What a statement names that can be looked up in the input: identifiers, e-mail addresses, numbers of three digits and
// more. Each with the readings under which it counts as said: `port 8443 on db` says `db:8443`.
import { findIdentifiers } from "../../facts/identifiers/find-identifiers.ts";
import { findDates } from "./find-dates.ts";
import { digitsOf } from "./locate-names.ts";

/** All of it must stand in the input, though not side by side. */
export interface Reading {
  readonly names: readonly string[];
  readonly numbers: readonly string[];
  /** As `findDates` writes them. */
  readonly dates?: readonly string[];
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
    for (const { value, index } of matches(slice, EMAIL)) add(nameOf("url", value, offset + index));
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
    const readings = [{ names: [value], numbers: [digitsOf(end[1] ?? "")] }];
    ranges.push({ value: value + end[0], index: at, isNumber: false, readings, stem: file });
  }
  return ranges;
}

/** Numbers that no identifier holds. */
function findNumbers(text: string, names: readonly NamedThing[]): readonly NamedThing[] {
  let rest = text;
  const longestFirst = [...names].sort((a, b) => b.value.length - a.value.length);
  for (const { value } of longestFirst.slice(0, 200))
    rest = rest.replaceAll(value, (whole) => " ".repeat(whole.length));
  const numbers = new Map<string, NamedThing>();
  for (const { value, index } of matches(rest, NUMBER)) {
    const digits = digitsOf(value);
    if (value.replace(/\D/g, "").length < 3 || numbers.has(value)) continue;
    numbers.set(value, { value, index, isNumber: true, readings: [{ names: [], numbers: [digits] }] });
  }
  return [...numbers.values()];
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
    readings: [{ names: [value], numbers: [] }, ...otherReadings(form, value)],
    ...(stem !== undefined && form === "path" ? { stem } : {}),
  };
}

function otherReadings(form: Form, value: string): readonly Reading[] {
  const words = (text: string) => text.split(/\s+/).filter(Boolean);
  switch (form) {
    case "url":
      return [{ names: [value.replace(/\/$/, "")], numbers: [] }];
    case "path":
      return [{ names: [value.replace(/^(?:\.{1,3}\/|~\/)/, "")], numbers: [] }];
    case "code":
      return codeReadings(value);
    case "person":
      return [{ names: words(value), numbers: [] }];
    case "version": {
      const number = /\d[\w.+-]{0,40}/.exec(value)?.[0];
      return number === undefined ? [] : [{ names: [number], numbers: [] }];
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

/** `Pool.open()` is said where `open` is; `parse()` where `parse(line)` is. */
function codeReadings(value: string): readonly Reading[] {
  const bare = value.replace(/\(\)$/, "");
  const last = bare.split(/[.:#/]{1,2}/).at(-1) ?? bare;
  return [bare, last].filter((name) => name.length > 2).map((name) => ({ names: [name], numbers: [] }));
}

function numbersIn(text: string): readonly string[] {
  return (text.match(/\d(?:[.,_]?\d){0,24}/g) ?? []).map(digitsOf);
}
