// Paths with an extension. `file.ts:212` names `file.ts`; what a person or the assistant wrote with its line is
// an identifier of its own besides, since the line is part of what was said and goes stale in what tools print.
import type { IdentifierPattern, Scope } from "./identifier.ts";

/** A segment may be a route's `[slug]` or `(group)`; separators may be doubled, as escaping does. */
const PATH =
  /(?:(?<![\w./\\@+-])|(?<=\\[nrt]))(?:[A-Za-z]:[\\/]{1,2}|~?\/|\.{1,2}\/)?(?:(?:[\w@+.-]{1,80}|\[[\w.]{1,40}\]|\([\w-]{1,40}\))[\\/]{1,2}){0,24}\.?[\w@+-][\w@+.-]{0,80}\.[A-Za-z][A-Za-z0-9]{0,11}(?!\w)/g;
/**
 * The same with letters of every script. Beside Chinese or Japanese words nothing parts a path from them, so there it
 * begins with letters of the Latin script ("docs/Überblick.md"), or stands apart in other letters only, and what
 * follows an extension ("a.tsを") is none of it.
 */
const DOT = "\\.(?![A-Za-z0-9]{1,5}[^\\x00-\\x7f])";
const LATIN = `(?:[\\w@+\\p{Script=Latin}\\p{M}-]|${DOT}){1,80}`;
const OTHER = "(?:(?![A-Za-z])[\\p{L}\\p{M}_-]){1,80}";
const ANY = `(?:[\\w@+\\p{L}\\p{M}-]|${DOT}){1,80}`;
const ROUTE = "\\[[\\w.]{1,40}\\]|\\([\\w-]{1,40}\\)";
const SLASH = "[\\\\/]{1,2}";
const MORE = `(?:${SLASH}(?:${ANY}|${ROUTE})){1,23}`;
const APART = "(?<=^|[\\s\"'`(「『“:：])";
const QUOTED = "(?<=[\"'`「『“])";
const WIDE_PATH = new RegExp(
  `(?:(?<![\\w./\\\\@+\\p{Script=Latin}\\p{M}-])(?:[A-Za-z]:${SLASH}|~?/|\\.{1,2}/)?(?:(?:${LATIN}|${ROUTE})(?:${MORE})?)|${APART}(?:${OTHER}${MORE})|${QUOTED}${OTHER})\\.[A-Za-z][A-Za-z0-9]{0,11}(?!\\w)`,
  "gmu",
);
/** Only a text with a letter beyond ASCII is searched with the wider expression, which is slower. */
const BEYOND_ASCII = /[\u00c0-\u024f\u0370-\u1fff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\p{M}/u;
const LINE = /^:(\d{1,6})(?:[:-]\d{1,6})?(?!\w)/;

/** `obj.method` and `e.g` look like file names: without a separator only well-known extensions count. */
const BARE_FILE_EXTENSIONS = new Set(
  (
    "asc astro avro awk bak bash bat bib bin bmp bz2 c cc cer cfg cjs clj cljs cmake cmd conf cpp cs csproj css csr csv cts " +
    "cxx dart db der diff dll doc docx dylib ejs env epub erl ex exe exs feather fish gemspec gif go gql gradle graphql groovy " +
    "gz h hbs hcl hh hpp hs htm html ico img ini ipynb iso j2 jar java jl jpeg jpg js json json5 jsonc jsonl jsx kt kts ldif " +
    "less lock lockb log lua md mdc mdx mjs mk ml mod mov mp3 mp4 mts ndjson nix odt orig otf out parquet patch pdf pem php " +
    "pid plist png ppt pptx prisma properties proto ps1 pub pug py pyi pyx r rar rb rs rst rtf sass scala scss sh sig sln so " +
    "sql sqlite sqlite3 sum svelte svg swift tar tex tf tfstate tfvars tgz thrift tmpl toml ts tsv tsx ttf txt vb vue war wasm " +
    "wav webm webp whl woff woff2 xls xlsx xml xsd xz yaml yml zig zip zsh"
  ).split(" "),
);
/** Names of code that end like a file. */
const CODE_NAMES =
  /^(?:console|logger|log|math|np|numpy|torch|process|deno|import\.meta|meta|Bun|this|self|ctx|sys|os)\.(?:log|env|db|out|exe|pid|h|r)$/i;
/** What looks like a path in `a\nb.ts` is a line break written out. */
const ESCAPES_ONLY = /^(?:[^\\]|\\[nrt]){1,4000}$/;

const PATH_PATTERN: IdentifierPattern = { form: "path", expression: PATH, needs: ".", read: readPath };
const WIDE_PATH_PATTERN: IdentifierPattern = { form: "path", expression: WIDE_PATH, needs: ".", read: readPath };

export function pathPatternFor(text: string): IdentifierPattern {
  return BEYOND_ASCII.test(text) ? WIDE_PATH_PATTERN : PATH_PATTERN;
}

function readPath(match: RegExpExecArray, scope: Scope): string | undefined {
  let path = match[0];
  if (path.includes("\\") && !/^[A-Za-z]:/.test(path) && ESCAPES_ONLY.test(path)) {
    path = path.split(/\\[nrt]/).at(-1) ?? "";
    if (!/[^./]\.[A-Za-z]/.test(path)) return undefined;
  }
  // A mark of a diff stands at the line's start; with `@` people point at files.
  const isLineStart = match.index === 0 || match.input[match.index - 1] === "\n";
  if (isLineStart) path = path.replace(/^[+-]{1,3}/, "");
  if (scope === "spoken") path = path.replace(/^@(?=[^/]{1,80}\.[a-z]{1,5}$|src\/|\w{1,80}\/)/, "");
  return isPath(path) ? path : undefined;
}

function isPath(candidate: string): boolean {
  if (CODE_NAMES.test(candidate)) return false;
  if (/[\\/]/.test(candidate)) return true;
  return BARE_FILE_EXTENSIONS.has(candidate.slice(candidate.lastIndexOf(".") + 1).toLowerCase());
}

/** The path with its line number, where one follows at `end`. */
export function withLine(path: string, text: string, end: number): string | undefined {
  const line = LINE.exec(text.slice(end, end + 16));
  return line === null ? undefined : `${path}:${line[1]}`;
}
