// Names that cannot be said in other words (paths, addresses, hashes, versions, tickets, variables), as people and the
// assistant say them. What stands in tools' outputs alone is one search away.
import type { FactMessage } from "./fact-message.ts";
import type { IdentifierFact, Source } from "./ledger.ts";

/** One alternative a form; each is bounded, and none can be entered twice at one place. */
const NAME = new RegExp(
  [
    /https?:\/\/[^\s"'<>`)\]}|,;]{3,300}/u,
    /(?:~|\.{1,2})?(?:\/?[\w@.+-]{1,80}\/){1,16}[\w@.+-]{0,80}\w(?::\d{1,6})?/u,
    /[\w-]{2,60}(?:\.[\w-]{1,40}){0,3}\.[a-z][a-z0-9]{0,4}(?![\w/])(?::\d{1,6})?/u,
    /[0-9a-f]{8}-[0-9a-f-]{27}/u,
    /(?=[a-f0-9]{0,39}[a-f])(?=[a-f0-9]{0,39}\d)[0-9a-f]{7,40}(?!\w)/u,
    /[A-Z][A-Z0-9]{1,9}-\d{1,7}(?!\w)/u,
    /v?\d{1,4}\.\d{1,4}\.\d{1,6}(?:[-+.]\w{1,20}){0,2}/u,
    /[A-Z][A-Z0-9]{0,30}(?:_[A-Z0-9]{1,30}){1,6}(?!\w)/u,
  ]
    .map(({ source }) => `(?:${source})`)
    .join("|"),
  "gu",
);
const BEFORE = /[\w/@.-]/u;
const LONGEST_TEXT = 100_000;
const MOST_NAMES = 4_000;

/** Distinct names of a text, in order. */
export function findIdentifiers(text: string): readonly string[] {
  const found = new Set<string>();
  const read = text.slice(0, LONGEST_TEXT);
  for (const { 0: name, index } of read.matchAll(NAME)) {
    if (index > 0 && BEFORE.test(read.charAt(index - 1))) continue;
    const bare = name.replace(/[.,;:!?*_]+$/u, "");
    // "and/or" and "1/2" are no paths.
    if (
      bare.length >= 4 &&
      !/^[\p{L}]{1,12}\/[\p{L}]{1,12}$/u.test(bare) &&
      !/^[\d./:-]+$/u.test(bare.replace(/^\d+\.\d+\.\d.*/u, "v"))
    )
      found.add(bare);
  }
  return [...found];
}

export function extractIdentifiers(messages: readonly FactMessage[]): readonly IdentifierFact[] {
  const found = new Map<string, { mentions: number; source: Source }>();
  for (const { spoken, source } of messages) {
    const words = spoken.filter(({ author }) => author === "user" || author === "assistant");
    for (const value of new Set(words.flatMap(({ text }) => findIdentifiers(text))))
      record(found, value, { mentions: 1, source });
  }
  return listed(found);
}

export function mergeIdentifiers(
  earlier: readonly IdentifierFact[],
  later: readonly IdentifierFact[],
): readonly IdentifierFact[] {
  const found = new Map<string, { mentions: number; source: Source }>();
  for (const { value, mentions, source } of [...earlier, ...later]) record(found, value, { mentions, source });
  return listed(found);
}

type Mentions = Pick<IdentifierFact, "mentions" | "source">;

/** What was said last stands last. */
function record(found: Map<string, Mentions>, value: string, { mentions, source }: Mentions): void {
  const known = found.get(value)?.mentions ?? 0;
  found.delete(value);
  found.set(value, { mentions: known + mentions, source });
}

function listed(found: ReadonlyMap<string, Mentions>): readonly IdentifierFact[] {
  return [...found].slice(-MOST_NAMES).map(([value, fact]) => ({ kind: "identifier", value, ...fact }));
}
