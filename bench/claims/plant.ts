// Makes a true statement false in one place, as models do: another number, name or path, a denial more or less, an approval
// or a state turned round. By program, so that nobody chooses what is easily caught.

export type Kind = "number" | "line" | "name" | "path" | "negation" | "approval" | "state";

export interface Planted {
  readonly kind: Kind;
  readonly text: string;
}

const CITATION = /\s*\[\d+\.\d+(?:, \d+\.\d+)*\]$/u;
const PATH = /(?:[\w.@-]+\/)+[\w.-]+|\b[\w-]+\.(?:go|ts|md|json|py)\b/gu;
const NAME = /`([^`\s]{4,60})`/gu;
const NUMBER = /(?<![\w./`:-])\d[\d,]*(?![\w./`]|-\w)/gu;
const LINE = /(?<=\.\w{1,4}:)\d+/gu;
/** "can only" denied is another way to say it, and a name with "no" in it is no denial. */
const AUXILIARY = /\b(is|are|was|were|has|had|must|can|will|goes|gets|should)\b(?! only)/u;
const DENIAL =
  /(?<![\w-])(?:(does|do|did|is|are|was|were|must|can|has|had) not|no longer|not|no|never|without|cannot)(?![\w-]) ?/u;
const APPROVALS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:approved|accepted|confirmed|agreed)\b/u, "rejected"],
  [/\brejected\b/u, "approved"],
];
const STATES: readonly (readonly [RegExp, string])[] = [
  [/^Done:/u, "Not started:"],
  [/^Fixed:/u, "Open:"],
  [/^(?:Not started|In progress):/u, "Done:"],
  [/\bsucceeded\b/u, "failed"],
  [/\bfailed\b/u, "succeeded"],
  [/\b(?:passed|pass)\b/u, "failed"],
];

export function plant(statement: string): readonly Planted[] {
  const citation = CITATION.exec(statement)?.[0] ?? "";
  const text = statement.slice(0, statement.length - citation.length);
  const found: Planted[] = [];
  const add = (kind: Kind, changed: string | undefined) => {
    if (changed !== undefined && changed !== text) found.push({ kind, text: changed + citation });
  };
  for (const place of text.matchAll(NUMBER)) add("number", replaced(text, place, otherNumber(place[0])));
  for (const place of text.matchAll(LINE)) add("line", replaced(text, place, otherNumber(place[0])));
  for (const place of text.matchAll(PATH)) add("path", replaced(text, place, otherPath(place[0])));
  for (const place of text.matchAll(NAME))
    if (!/[/]|\.\w{2,4}$/u.test(place[1] ?? "")) add("name", replaced(text, place, `\`${otherName(place[1] ?? "")}\``));
  add("negation", inverted(text));
  for (const [from, to] of APPROVALS) add("approval", from.test(text) ? text.replace(from, to) : undefined);
  for (const [from, to] of STATES) add("state", from.test(text) ? text.replace(from, to) : undefined);
  return found;
}

function replaced(text: string, { index, 0: found }: RegExpMatchArray, by: string): string {
  return text.slice(0, index) + by + text.slice((index ?? 0) + found.length);
}

/** Another one of the same length. */
function otherNumber(written: string): string {
  const at = Math.floor((written.length - 1) / 2);
  const digit = Number(written.charAt(at));
  return written.slice(0, at) + String((digit + 3) % 10 || 4) + written.slice(at + 1);
}

const WORDS = ["Buffer", "Review", "Remote", "Closed", "Record", "Branch"] as const;

/** Its last word becomes another one, in its way of writing. */
function otherName(name: string): string {
  const word = WORDS[name.length % WORDS.length] ?? "Remote";
  const [, head = "", last = "", tail = ""] = /^(.*?)([A-Z]?[a-z]+|[A-Z]+)([^A-Za-z]*)$/u.exec(name) ?? [];
  return `${head}${/^[A-Z]/u.test(last) ? word : word.toLowerCase()}${tail}`;
}

/** The file has another name in the same folder, or stands in another folder. */
function otherPath(path: string): string {
  const parts = path.split("/");
  if (parts.length > 2 && path.length % 2 === 0) return [...parts.slice(0, -2), "shared", parts.at(-1)].join("/");
  const [stem = "", ...ends] = (parts.pop() ?? "").split(".");
  return [...parts, [`${stem}_helper`, ...ends].join(".")].join("/");
}

function inverted(text: string): string | undefined {
  if (DENIAL.test(text)) return text.replace(DENIAL, (_, verb?: string) => (verb === undefined ? "" : `${verb} `));
  return AUXILIARY.test(text) ? text.replace(AUXILIARY, "$1 not") : undefined;
}
