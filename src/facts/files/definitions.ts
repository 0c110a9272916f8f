// What one line of a file defines: a function, class, type, table, heading, test, key. By the line alone: enough for
// a note of what an edit touched, in any of the usual languages.

export type Family = "code" | "sql" | "markdown" | "keys" | "shell" | "none";

const FAMILIES: Readonly<Record<string, Family>> = {
  md: "markdown",
  mdx: "markdown",
  markdown: "markdown",
  rst: "none",
  txt: "none",
  csv: "none",
  lock: "none",
  log: "none",
  svg: "none",
  html: "none",
  css: "none",
  scss: "none",
  sql: "sql",
  psql: "sql",
  sh: "shell",
  bash: "shell",
  zsh: "shell",
  json: "keys",
  jsonc: "keys",
  yaml: "keys",
  yml: "keys",
  toml: "keys",
  ini: "keys",
  cfg: "keys",
  conf: "keys",
  env: "keys",
  properties: "keys",
};

const MODIFIERS =
  "(?:(?:export|default|declare|public|private|protected|internal|static|abstract|final|sealed|partial|async|pub|pub\\(crate\\)|unsafe|override|virtual|open|inline|suspend|const|extern|readonly) ){0,6}";
const DEFINITION = new RegExp(
  `^${MODIFIERS}(?:function\\*?|def|fn|func|fun|class|interface|struct|enum|trait|type|module|namespace|object|record|protocol|mod|message|service|rpc) (?:self\\.)?([A-Za-z_$][\\w$]{0,80})`,
);
const GO_METHOD = /^func \([\w* .[\],]{1,80}\) ([A-Za-z_]\w{0,80})/;
const IMPL = /^impl(?:<[^>]{0,80}>)? ([A-Z][\w:]{0,80}(?: for [A-Z]\w{0,80})?)/;
/** Terraform: `resource "aws_s3_bucket" "logs" {`. */
const RESOURCE = /^(?:resource|data|module|variable|output) "([\w-]{1,80})"(?: "([\w-]{1,80})")?/;
/** A value that is a function, at any depth; any other constant only at the left edge. */
const VALUE = new RegExp(
  `^${MODIFIERS}(?:(?:const|let|var|val|static) )?([A-Za-z_$][\\w$]{0,80})(?:: [^=]{1,120}| [\\w.*[\\]<>]{1,60})? ?(?:=|:=|:) ?`,
);
const FUNCTION_VALUE = /^(?:async )?(?:function\b|\(.{0,200}=>|\w{1,60} ?=>|\($)/;
const CONSTANT = /^(?:export )?(?:const|let|var|val|static|final)\b|^[A-Z][A-Z0-9_]{2,80}(?:: \w{1,60})? ?=/;
const TEST =
  /^(?:(?:await |void )?(?:it|test|describe|suite|context|specify)(?:\.\w{1,20}){0,2}(?:\([^()]{0,80}\))?|t\.Run)\(\s?(["'`])(.{1,80}?)\1/;
const SQL =
  /\b(?:create|alter|drop|truncate) (?:or replace )?(?:unique |temp |temporary |materialized )?(?:table|view|index|function|procedure|trigger|type|schema|policy) (?:concurrently )?(?:if (?:not )?exists )?[`"[]?([\w.$]{1,80})/i;
const INSERTED = /\b(?:insert into|delete from) [`"[]?([\w.$]{1,80})/i;
const HEADING = /^#{1,6} (.{1,80})/;
const KEY = /^(?:export )?["']?([A-Za-z_][\w.\-/]{0,80})["']?\s{0,4}(?:[:=](?:\s|$|["'[{\d])|=)/;
const SECTION = /^\[{1,2}([\w.\-" ]{1,80})\]{1,2}$/;
const SHELL_FUNCTION = /^(?:function )?([A-Za-z_][\w-]{0,80}) ?\(\)/;
const NO_METHODS = new Set(
  "if for while switch catch return function with else do try super await elif match case when until unless foreach select lock using synchronized throw new typeof async".split(
    " ",
  ),
);

export function familyOf(path: string): Family {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  if (/^\.env\b/.test(name)) return "keys";
  return FAMILIES[name.slice(name.lastIndexOf(".") + 1).toLowerCase()] ?? "code";
}

/** The name that a line without its indentation defines. `indent` is the number of characters before it. */
export function definitionOf(line: string, indent: number, family: Family): string | undefined {
  if (family === "markdown") return indent === 0 ? HEADING.exec(line)?.[1]?.trim() : undefined;
  if (family === "sql") return (SQL.exec(line) ?? INSERTED.exec(line))?.[1];
  if (family === "keys") return indent <= 4 ? (SECTION.exec(line) ?? KEY.exec(line))?.[1] : undefined;
  if (family === "shell") return SHELL_FUNCTION.exec(line)?.[1];
  return family === "code" ? codeDefinition(line, indent) : undefined;
}

function codeDefinition(line: string, indent: number): string | undefined {
  const first = line.charCodeAt(0);
  // Comments, closing brackets, strings, markup: most lines that define nothing.
  if (first < 65 && first !== 36) return undefined;
  const named = DEFINITION.exec(line) ?? GO_METHOD.exec(line) ?? IMPL.exec(line);
  if (named !== null) return named[1];
  const resource = RESOURCE.exec(line);
  if (resource !== null) return resource[2] ?? resource[1];
  if (line.includes("(")) {
    const test = TEST.exec(line)?.[2];
    if (test !== undefined) return `"${test}"`;
    const method = methodOf(line);
    if (method !== undefined) return method;
  }
  const value = VALUE.exec(line);
  if (value !== null) {
    const isFunction = FUNCTION_VALUE.test(line.slice(value[0].length));
    if (isFunction || (indent === 0 && CONSTANT.test(line))) return value[1];
  }
  return /\b(?:create|alter|drop) /i.test(line) ? SQL.exec(line)?.[1] : undefined;
}

/** `public async load(id: string): Promise<Row> {`: words, a name, an open bracket, and a block that begins. */
function methodOf(line: string): string | undefined {
  if (!line.endsWith("{")) return undefined;
  const before = line.slice(0, line.indexOf("(")).replace(/<[^<>]{0,80}>$/, "");
  const name = /[A-Za-z_$][\w$]{0,80} ?$/.exec(before)?.[0].trim();
  if (name === undefined || NO_METHODS.has(name)) return undefined;
  const words = before.slice(0, before.lastIndexOf(name));
  if (!/^[\w$<>[\],.?*&:~ ]*$/.test(words) || /[^ *&~:]$/.test(words)) return undefined;
  if (NO_METHODS.has(words.split(" ", 1)[0] ?? "")) return undefined;
  // A call whose last argument is a function leaves a bracket open.
  return line.split("(").length === line.split(")").length ? name : undefined;
}
