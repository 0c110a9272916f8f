// Citations: ids of messages in brackets, `[1.12]` or `[1.12, 1.14]`. Finds them, and strikes those that name nothing.

const BRACKETS = /\[([^[\]\n]{1,300})\]/g;
const WORDS_BEFORE = /^\s{0,5}(?:messages?|msgs?|sources?|see|ids?|passages?)[:\s]{1,5}|^\s{0,5}[#^]\s{0,3}/i;
/** Looks like an id of a message even if none has it. */
const ID = /^\d{1,6}\.\d{1,7}$/;
/** A range cites its two ends: nobody knows what a model meant of what lies between. */
const SEPARATOR = /\s{0,5}(?:[,;&–—~→…，、；]|\.{2,3}|\b(?:and|to|through|bis)\b|-(?=\s{0,5}\d{1,6}\.\d))\s{0,5}/;

interface Citation {
  readonly start: number;
  readonly end: number;
  readonly ids: readonly string[];
}

/** Brackets that hold ids; any known id counts, whatever it looks like. */
export function findCitations(text: string, isKnown: (id: string) => boolean = () => false): readonly Citation[] {
  const found: Citation[] = [];
  for (const match of text.matchAll(BRACKETS)) {
    const ids = (match[1] ?? "").replace(WORDS_BEFORE, "").trim().split(SEPARATOR);
    if (!ids.some((id) => ID.test(id) || isKnown(id))) continue;
    found.push({ start: match.index, end: match.index + match[0].length, ids });
  }
  return found;
}

export function citedIds(text: string): ReadonlySet<string> {
  return new Set(findCitations(text).flatMap(({ ids }) => ids.filter((id) => ID.test(id))));
}

export interface CheckedCitations {
  readonly text: string;
  /** The valid ids, in order. */
  readonly ids: readonly string[];
  readonly struck: number;
}

/** Ids that name nothing are taken out, and the brackets with them when none is left. */
export function checkCitations(text: string, isKnown: (id: string) => boolean): CheckedCitations {
  const pieces: string[] = [];
  const valid = new Set<string>();
  let struck = 0;
  let at = 0;
  for (const { start, end, ids } of findCitations(text, isKnown)) {
    const known = ids.filter((id) => isKnown(id));
    // Words in the brackets (`[1.4, in part]`) are no ids: neither cited nor struck.
    struck += ids.filter((id) => ID.test(id) && !isKnown(id)).length;
    for (const id of known) valid.add(id);
    const before = text.slice(at, start);
    pieces.push(known.length > 0 ? `${before}[${known.join(", ")}]` : before.replace(/[ \t]{1,5}$/, ""));
    at = end;
  }
  pieces.push(text.slice(at));
  return { text: pieces.join(""), ids: [...valid], struck };
}

/** The text with its citations blanked, so that an id is not read as a number. */
export function withoutCitations(text: string, isKnown: (id: string) => boolean): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of findCitations(text, isKnown)) {
    pieces.push(text.slice(at, start), " ".repeat(end - start));
    at = end;
  }
  pieces.push(text.slice(at));
  return pieces.join("");
}
