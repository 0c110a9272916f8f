// Every rule over one text: a single pass finds the words that a secret may stand at, and only the rules of those
// words are tried there. What is found is told with the id of its rule; replacing is left to others.
import { COOKIE_WORD, findCookies } from "./cookies.ts";
import { findKeyedSecret, SECRET_WORDS } from "./keyed/keyed-secrets.ts";
import { createKeywordScan } from "./keyword-scan.ts";
import { findPrivateKeys } from "./private-keys.ts";
import { createShapeRules, findShape } from "./shapes/find-shapes.ts";
import type { ShapeRule } from "./shapes/shape-rule.ts";
import type { Find } from "./spans.ts";

/** Finds in no particular order; they may overlap. */
export type FindSecrets = (text: string) => readonly Find[];

/** What to try where a word stands. */
interface Word {
  readonly isName: boolean;
  readonly isCookie: boolean;
  readonly shapes: readonly ShapeRule[];
}

let finder: FindSecrets | undefined;

/** The built-in rules, made at the first text: one set serves all redactors. */
export const findBuiltInSecrets: FindSecrets = (text) => {
  finder ??= createSecretFinder();
  return finder(text);
};

function createSecretFinder(): FindSecrets {
  const words = wordTable();
  const kinds = [...words.values()];
  const scan = createKeywordScan([...words.keys()]);
  return (text) => {
    const finds: Find[] = [];
    let read = 0;
    scan(text, (word, start, end) => {
      const kind = kinds[word];
      if (kind === undefined) return;
      for (const shape of kind.shapes) {
        const found = findShape(text, shape, start);
        if (found !== undefined) finds.push(found);
      }
      if (kind.isCookie) finds.push(...findCookies(text, start));
      if (!kind.isName || start < read) return;
      const keyed = findKeyedSecret(text, start, end);
      read = keyed.resume;
      if (keyed.find !== undefined) finds.push(keyed.find);
    });
    finds.push(...findPrivateKeys(text));
    return withoutFullStops(text, finds);
  };
}

/** Marks that close a sentence behind a value. */
const CLOSING = /^[.,;:!?]{1,3}$/;

/**
 * A variable's value takes all up to the next blank, since a password may end in any mark. One with a shape of its own
 * ends where the shape does: the full stop behind it is the sentence's.
 */
function withoutFullStops(text: string, finds: readonly Find[]): readonly Find[] {
  const isVariable = ({ rule }: Find) => rule === "environment-variable";
  if (!finds.some(isVariable)) return finds;
  const shaped = new Map(finds.filter((find) => !isVariable(find)).map(({ start, end }) => [start, end]));
  return finds.map((find) => {
    const end = isVariable(find) ? shaped.get(find.start) : undefined;
    const isTail = end !== undefined && find.end - end <= 3 && CLOSING.test(text.slice(end, find.end));
    return isTail ? { ...find, end } : find;
  });
}

function wordTable(): ReadonlyMap<string, Word> {
  const shapes = new Map<string, ShapeRule[]>();
  for (const rule of createShapeRules()) {
    for (const keyword of rule.keywords) shapes.set(keyword, [...(shapes.get(keyword) ?? []), rule]);
  }
  const names = new Set(SECRET_WORDS);
  return new Map(
    [...new Set([...names, COOKIE_WORD, ...shapes.keys()])].map((word) => [
      word,
      { isName: names.has(word), isCookie: word === COOKIE_WORD, shapes: shapes.get(word) ?? [] },
    ]),
  );
}
