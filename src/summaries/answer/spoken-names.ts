// Names that only somebody who talks about code writes as such: code in backticks, classes, error codes, numbered hosts,
// routes, scoped packages, times. A session is full of them, so they are no facts; an answer that invents one is wrong.
import { findDates } from "./find-dates.ts";
import type { NamedThing, Reading } from "./find-names.ts";
import { joinedSpellings, numberedSpellings } from "./spellings.ts";

const SPAN = /(?<!`)`([^`\n]{2,300})`(?!`)/g;
const CLASS = /(?<![\w.$/@#-])[A-Z][a-z0-9]{2,30}(?:[A-Z][a-z0-9]{1,30}){1,5}(?!\w)/g;
const CODE = /(?<![\w.#/-])[A-Z]{1,6}\d{3,7}(?![\w-]|\.\d)/g;
const NUMBERED = /(?<![\w./@:#-])[a-z]{2,20}(?:-[a-z]{1,20}){0,4}-\d{1,4}(?![\w-]|\.\w)/g;
const ROUTE = /\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) (\/[\w/{}:.~*-]{1,200})/g;
const SCOPED = /(?<![\w/@.])@[a-z0-9][\w-]{0,60}\/[a-z0-9][\w.-]{0,80}/g;
const BUILD_FILE = /(?<![\w.-])(?:Make|Docker|Jenkins|Proc|Vagrant|Gem|Rake|Pip|Brew)file(?!\w)/g;
const TIME = /(?<![\w:.,/-])\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m(?!\w))?(?![\w:]|[.,]\d)/gi;
/** Names of products, which everybody knows. */
const PRODUCTS = new Set(
  (
    "javascript typescript coffeescript github gitlab bitbucket youtube linkedin paypal wordpress powershell powerpoint " +
    "onedrive devops datadog cloudflare cloudwatch langchain tensorflow pytorch numpy scipy jetbrains websocket websockets " +
    "webassembly nodejs nextjs vuejs reactjs openapi graphql markdown postgres mysql sqlserver airtable netlify clickhouse"
  ).split(" "),
);
/** Standards and algorithms. */
const STANDARDS = /^(?:SHA|ES|RFC|ISO|UTF|CP|HTTP|IPV|BASE|MD|H|X|CRC|AES|RSA|PEP|IEEE|MP|DDR|USB|RTX|GTX|EN|DIN|Q)\d/;
/** What is counted, not named. */
const COUNTED =
  /^(?:utf|ucs|iso|sha|aes|rsa|base|top|step|phase|part|day|week|month|tier|level|type|version|round|pass|option|item|point|priority|rev|gpt|claude|covid|rs|es|pre|post|non|sub|multi|mid|late|early|over|under|section|chapter|page|line)-/;
/** Words that code says in any language of it. */
const LITERALS = new Set(
  "true false null none undefined nil yes not and or the for ok pass passed fail failed done open todo pending nan inf".split(
    " ",
  ),
);
/** A tag is a word of its language. */
const TAG = /^(?:<\/?[a-z][\w-]{0,40}>|\[[a-z]{1,40}\])$/;
const WORD = /[A-Za-z_$][\w$]{2,60}/g;
const MOST_WORDS = 40;

/** In the order of their kinds. `text` without its citations; `known`: names that were found in it already. */
export function findSpokenNames(text: string, known: readonly NamedThing[]): readonly NamedThing[] {
  const found = new Map<string, NamedThing>();
  const taken = new Set(known.map(({ value }) => value));
  const add = (expression: RegExp, readingsOf: (value: string) => readonly Reading[]) => {
    for (const match of text.matchAll(expression)) {
      const value = match[1] ?? match[0];
      const readings = found.has(value) || taken.has(value) ? [] : readingsOf(value);
      const index = match.index + match[0].indexOf(value);
      if (readings.length > 0) found.set(value, { value, index, isNumber: false, readings });
    }
  };
  add(SPAN, (span) => readSpan(span, known));
  add(CLASS, (name) => (PRODUCTS.has(name.toLowerCase()) ? [] : anyOf(name, joinedSpellings(name))));
  add(CODE, (code) => (STANDARDS.test(code) ? [] : anyOf(code, numberedSpellings(code))));
  add(NUMBERED, (name) => (COUNTED.test(name) ? [] : anyOf(name, numberedSpellings(name))));
  add(ROUTE, (route) => anyOf(route, [route.replace(/[/.:]{1,3}$/, "")]));
  add(SCOPED, (name) => anyOf(name.replace(/[.-]{1,3}$/, ""), [name.slice(1)]));
  add(BUILD_FILE, (name) => anyOf(name, []));
  add(TIME, (time) => [...anyOf(time, []), { names: [], numbers: [], dates: [...findDates(time)] }]);
  return [...found.values()];
}

function anyOf(name: string, spellings: readonly string[]): readonly Reading[] {
  return [...new Set([name, ...spellings])].filter(Boolean).map((spelled) => ({ names: [spelled], numbers: [] }));
}

/** As it stands, or by its words: a command is often told shorter than it was run. Names in it are judged by themselves. */
function readSpan(span: string, known: readonly NamedThing[]): readonly Reading[] {
  // What has other letters in it is a word of the user's language as likely as code.
  if (TAG.test(span) || /\p{L}/u.test(span.replace(/[A-Za-z]/g, ""))) return [];
  const others = known.filter(({ value }) => span.includes(value));
  const rest = others.reduce((left, { value }) => left.replaceAll(value, " "), span);
  const words = [...rest.matchAll(WORD)].map(([word]) => word).filter((word) => !LITERALS.has(word.toLowerCase()));
  if (words.length === 0 || words.length > MOST_WORDS) return [];
  const spelled = words.length === 1 ? joinedSpellings(words[0] ?? "") : [];
  return [...anyOf(span, spelled), { names: words, numbers: [] }];
}
