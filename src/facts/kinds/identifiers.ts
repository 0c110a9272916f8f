// Finds identifiers in text: URLs, paths with an extension, hex of 7 to 40 with a letter and a digit. Every
// quantifier is bounded and every pattern starts at a boundary, so hostile text costs linear time.
import type { FactMessage } from "../fact-message.ts";
import type { IdentifierFact } from "../ledger.ts";

export interface Identifier {
  readonly form: IdentifierFact["form"];
  readonly value: string;
}

const URL_PATTERN = /\bhttps?:\/\/[^\s"'`<>()[\]{}\\]{1,400}/gi;
/** Segments of word characters, at least one separator or a bare file name, ending in an extension. */
const PATH_PATTERN =
  /(?<![\w./\\@+-])(?:[A-Za-z]:[\\/]|~?\/|\.{1,2}\/)?(?:[\w@+.-]{1,80}[\\/]){0,24}\.?[\w@+][\w@+.-]{0,80}\.[A-Za-z][A-Za-z0-9]{0,9}(?![\w-])/g;
const HEX_PATTERN = /(?<![\w-])[0-9a-f]{7,40}(?![\w-])/g;
const LETTER_AND_DIGIT = /^(?=[0-9]{0,40}[a-f])(?=[a-f]{0,40}[0-9])/;

/** `obj.method` and `e.g` look like file names: without a separator only well-known extensions count. */
const BARE_FILE_EXTENSIONS = new Set(
  (
    "c cc cfg conf cpp cs css csv env go gz h hpp html ini java js json jsonl jsx kt lock log lua md mdx mjs mts php pl png jpg svg " +
    "pdf proto ps1 py rb rs rst scala sh sql sqlite db swift tar tf toml ts tsx txt vue wasm xml yaml yml zig zip cjs cts ipynb mod sum"
  ).split(" "),
);

/** Distinct identifiers of `text`, in the order they appear. */
export function findIdentifiers(text: string): readonly Identifier[] {
  const found = new Map<string, Identifier>();
  const add = (form: Identifier["form"], value: string) => {
    if (value.length > 0 && !found.has(value)) found.set(value, { form, value });
  };
  const withoutUrls = text.replace(URL_PATTERN, (url) => {
    add("url", trimUrl(url));
    return " ".repeat(url.length);
  });
  for (const match of withoutUrls.matchAll(PATH_PATTERN)) if (isPath(match[0])) add("path", match[0]);
  for (const match of withoutUrls.matchAll(HEX_PATTERN)) if (LETTER_AND_DIGIT.test(match[0])) add("hash", match[0]);
  return [...found.values()];
}

function trimUrl(url: string): string {
  return url.replace(/[.,;:!?*_|]{1,10}$/, "");
}

function isPath(candidate: string): boolean {
  const extension = candidate.slice(candidate.lastIndexOf(".") + 1).toLowerCase();
  return /[\\/]/.test(candidate) || BARE_FILE_EXTENSIONS.has(extension);
}

/** However often a message names an identifier, it is one mention. */
export function extractIdentifiers(messages: readonly FactMessage[]): readonly IdentifierFact[] {
  const known = new Map<string, IdentifierFact>();
  for (const { spoken, calls, results, source } of messages) {
    const texts = [
      ...spoken.map(({ text }) => text),
      ...calls.flatMap((call) => call.texts),
      ...results.map(({ text }) => text),
    ];
    const named = new Map<string, Identifier>();
    for (const text of texts) for (const identifier of findIdentifiers(text)) named.set(identifier.value, identifier);
    for (const { form, value } of named.values()) {
      known.set(value, { kind: "identifier", form, value, mentions: (known.get(value)?.mentions ?? 0) + 1, source });
    }
  }
  return [...known.values()];
}

export function mergeIdentifiers(
  earlier: readonly IdentifierFact[],
  later: readonly IdentifierFact[],
): readonly IdentifierFact[] {
  const known = new Map<string, IdentifierFact>();
  for (const fact of [...earlier, ...later]) {
    const before = known.get(fact.value);
    known.set(fact.value, { ...before, ...fact, mentions: fact.mentions + (before?.mentions ?? 0) });
  }
  return [...known.values()];
}
