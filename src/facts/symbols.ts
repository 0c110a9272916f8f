// Which functions, classes, tables, headings or keys a change touched: those that changed lines define, and those that
// changed lines stand in. By each line alone: enough for a note, in any of the usual languages.
import type { ChangedLine } from "./changes.ts";

/** Of one file. */
const MOST_SYMBOLS = 8;
const LONGEST_LINE = 400;

const NO_NAMES = /\.(?:txt|csv|lock|log|svg|html?|s?css|rst)$/i;
const TEXT = /\.(?:md|mdx|markdown)$/i;
const KEYS = /\.(?:jsonc?|ya?ml|toml|ini|cfg|conf|properties)$|(?:^|\/)\.env\b/i;

/** Words that may stand before a name that is declared. */
const MODIFIERS = "(?:[a-z]{2,12}(?:\\([a-z]{1,12}\\))? ){0,6}";
const DEFINITIONS: readonly RegExp[] = [
  new RegExp(
    `^${MODIFIERS}(?:function\\*?|def|fn|func|fun|class|interface|struct|enum|trait|type|module|namespace|object|record|protocol|mod|message|service|impl(?:<[^>]{0,80}>)?) (?:\\([\\w* .[\\],]{1,80}\\) )?(?:self\\.)?([A-Za-z_$][\\w$]{0,80})`,
  ),
  /\b(?:create|alter|drop) (?:[a-z]{2,12} ){0,3}?(?:table|view|index|function|trigger|type) (?:if (?:not )?exists )?[`"[]?([\w.$]{1,80})/i,
  /^(?:it|test|describe)(?:\.\w{1,20})?\(\s?["'`](.{1,80}?)["'`]/,
  /^(?:function )?([A-Za-z_][\w-]{0,80}) ?\(\) ?\{/,
];
/** A value that is a function, or any constant at the left edge. */
const FUNCTION_VALUE = new RegExp(
  `^${MODIFIERS}([A-Za-z_$][\\w$]{0,80})(?:: [^=]{1,120})? ?[=:] ?(?:async )?(?:function\\b|\\(.{0,200}=>|\\w{1,60} ?=>|\\($)`,
);
const CONSTANT = /^(?:export )?(?:const|let|var|val|static|final) (\w{1,80})|^([A-Z][A-Z0-9_]{2,80})(?:: \w{1,60})? ?=/;
const METHOD = /^(?:[\w$<>[\],.?&*:~]{1,60} ){0,6}([A-Za-z_$#][\w$]{0,80})(?:<[^<>]{0,80}>)?\((?!.*=>).*\{$/;
const STATEMENT =
  /^(?:\} )?(?:if|for|while|switch|catch|return|with|else|do|try|elif|match|case|await|new|throw|super)\b/;

interface Definition {
  readonly name: string;
  readonly indent: number;
}

/** At most `MOST_SYMBOLS`, the outer ones first when there are more, each in the order of the file. */
export function symbolsOf(path: string, lines: readonly ChangedLine[]): readonly string[] {
  if (NO_NAMES.test(path)) return [];
  const found = new Map<string, number>();
  let around: Definition | undefined;
  for (const { mark, text } of lines) {
    const line = text.trim();
    if (line === "" || text.length > LONGEST_LINE) continue;
    const indent = text.length - text.trimStart().length;
    const name = definedIn(path, line, indent);
    const isInside = around !== undefined && (TEXT.test(path) || indent > around.indent);
    if (name !== undefined) around = { name, indent };
    // Back at the left of the definition, and not the last line of a head of many lines.
    else if (!isInside && !/[{:(]$/.test(line)) around = undefined;
    if (mark !== " " && around !== undefined && (name !== undefined || isInside) && !found.has(around.name))
      found.set(around.name, around.indent);
  }
  const outer = [...found].sort((one, other) => one[1] - other[1]).slice(0, MOST_SYMBOLS);
  const picked = new Set(outer.map(([name]) => name));
  return [...found.keys()].filter((name) => picked.has(name));
}

/** Those of the newest change first. */
export function joinSymbols(before: readonly string[], after: readonly string[]): readonly string[] {
  return [...new Set([...after, ...before])].slice(0, MOST_SYMBOLS);
}

/** The name that a line without its indentation defines. */
function definedIn(path: string, line: string, indent: number): string | undefined {
  if (TEXT.test(path)) return indent === 0 ? /^#{1,6} (.{1,80})/.exec(line)?.[1]?.trim() : undefined;
  if (KEYS.test(path))
    return indent > 4 ? undefined : /^\[{0,2}["']?([A-Za-z_][\w.\-/]{0,80})["']?\s{0,4}[:=\]]/.exec(line)?.[1];
  // Comments, closing brackets, strings, markup, statements.
  if (!/^[A-Za-z_$]/.test(line) || STATEMENT.test(line)) return undefined;
  const forms = [...DEFINITIONS, FUNCTION_VALUE, METHOD, ...(indent === 0 ? [CONSTANT] : [])];
  const match = forms.map((form) => form.exec(line)).find((found) => found !== null);
  return match?.[1] ?? match?.[2];
}
