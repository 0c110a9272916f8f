// Values written as configuration: `maxRetry=17`, `timeout: 30s`, `"port": 8443`, `export AWS_REGION=...`. In prose
// an assignment counts wherever it stands; in code only lines that are configuration and nothing else.
import { cutAt } from "../../text/cut.ts";
import { isValueLike, readKey, readValue, type SaidValue } from "./said-value.ts";

const SCALAR = "(\"[^\"\\n]{0,80}\"|'[^'\\n]{0,80}'|[^\\s\"'{}\\[\\](),;][^\\s\"'{}\\[\\](),;]{0,79})";
const JSON_LINE = new RegExp(`^\\s{0,40}"([\\w.@/-]{2,60})"\\s{0,4}:\\s{0,4}${SCALAR}\\s{0,4},?\\s{0,4}$`);
const YAML_LINE = new RegExp(
  `^\\s{0,40}(?:- )?(?![A-Z][a-z]{1,60}:)([A-Za-z_][\\w.-]{1,60}):[ \\t]{1,8}${SCALAR}(?:\\s{1,8}#.{0,200})?\\s{0,4}$`,
);
const ENV_LINE = new RegExp(
  `^\\s{0,40}(?:export |set |ENV |- )?([A-Za-z_][\\w.-]{1,60})=${SCALAR}(?:\\s{1,8}#.{0,200})?\\s{0,4}$`,
);
const TOML_LINE = new RegExp(
  `^\\s{0,40}([A-Za-z_][\\w.-]{1,60})\\s{1,8}=\\s{1,8}${SCALAR}(?:\\s{1,8}#.{0,200})?\\s{0,4}$`,
);
const CONSTANT_LINE =
  /^\s{0,40}(?:export |public |private |static |final |readonly |const |let |var |pub |int |long |double |val ){1,5}([A-Za-z_$][\w$]{2,60})(?:: ?\w{1,30})? ?:?= ?(-?\d[\d_.]{0,20}|"[^"\n]{1,60}"|'[^'\n]{1,60}');?\s{0,4}$/;
const SCREAMING_LINE = /^\s{0,40}([A-Z][A-Z0-9_]{2,60}) ?= ?(-?\d[\d_.]{0,20}|"[^"\n]{1,60}"|'[^'\n]{1,60}');?\s{0,4}$/;
const INLINE_ASSIGNMENT = new RegExp(
  `(?:(?<![\\w.$/?&-])|(?<=(?<![\\w-])--))([A-Za-z_][\\w.-]{1,60}) ?= ?(?![=>~])${SCALAR}`,
  "g",
);
/** Code, markup and boxes that stand in prose without a fence. */
const CODE_LINE =
  /^\s{0,40}(?:\d{0,6}[│┃|]|[+-](?! )|@@|def |class |async def |function |import |from \S{1,60} import |return |@\w|<\/?[a-z])|\bself\b|=>|=f["']|<[a-z]{1,10} [a-z-]{1,20}=/;
const INLINE_LABEL = /`([A-Za-z_][\w.-]{1,60}): ([^`\n]{1,80})`/g;
const LABELLED_LINE =
  /^\s{0,20}(?:[-*•] |\d{1,2}[.)] )?(?:\*\*)?(\p{L}[\p{L}\p{N}_. /-]{1,40}?)(?:\*\*)?(?::(?:\*\*)? {1,4}|：(?:\*\*)? {0,4})(\S.{0,78})$/u;

const CONFIG_LINES: readonly RegExp[] = [JSON_LINE, ENV_LINE, YAML_LINE, TOML_LINE];
/** Names that every configuration has, and lines of logs that look like one. */
const NO_SETTING =
  /^(?:name|type|id|title|description|version|kind|error|errors|warning|warn|info|debug|note|status|code|time|duration|elapsed|date|line|lines|total|tests?|passed|failed|failures|skipped|size|file|path|message|msg|level|at|from|to|href|src|class|style|key|value|label|text|content|result|output|input|role|author|commit|merge|index|alt|width|height|rel|lang|import|return|default|case|http|https|license|main|module|modified|deleted|renamed|new file|homepage|repository|cwd|uuid|timestamp|(?:tool_use|session|request|message|call|conversation|event|user|parent)_?ids?|transcript_path|hook_event_name|tool_name|(?:created|updated|started|ended|finished|calculated|modified)_?at)$/i;
/** More such lines are a file being shown, not a fact being told. */
export const MOST_LINES = 20;
const LONGEST_LINE = 300;
const LONGEST_TEXT = 200;

/** `{ "scheduler": { "maxLag": 9 } }` in one line; more than a few pairs are rows being shown. */
const JSON_PAIR = /"([\w.@/-]{2,60})"\s{0,4}:\s{0,4}(-?\d[\d.]{0,20}|true|false|"[^"\n]{1,80}")(?=\s{0,4}[,}])/g;
const MOST_PAIRS = 3;

function readJsonLine(line: string): readonly SaidValue[] {
  const trimmed = line.trim();
  if (!trimmed.startsWith("{") || !trimmed.endsWith("}")) return [];
  const pairs = [...trimmed.matchAll(JSON_PAIR)];
  const found: SaidValue[] = [];
  if (pairs.length <= MOST_PAIRS) for (const pair of pairs) add(found, pair[1], pair[2], trimmed);
  return found;
}

/** Lines of `text` that are configuration; none when there are more than a few. `isCode` admits constants too. */
export function findConfigLines(text: string, isCode = false): readonly SaidValue[] {
  const found: SaidValue[] = [];
  const expressions = isCode ? [CONSTANT_LINE, SCREAMING_LINE] : CONFIG_LINES;
  for (const line of text.split("\n")) {
    const said = line.length > LONGEST_LINE ? undefined : readLine(line, expressions);
    if (said !== undefined) found.push(said);
    else if (!isCode && line.length <= LONGEST_LINE) found.push(...readJsonLine(line));
    if (found.length > MOST_LINES) return [];
  }
  return found;
}

/** Where a server says that it listens: "Serving docs at http://localhost:8000". */
const LISTENING =
  /^(?:.{0,60}\W)?((?:[\w-]{1,30} ){0,2}(?:listening|serving(?: \w{1,20})?|running|started|available|ready|exposed|bound|reachable)) (?:now )?(?:on|at|to)(?: port| address)?:? {1,2}(https?:\/\/[^\s"'`,;)]{4,120}|[\w.-]{1,80}:\d{2,5}|\d{4,5})(?![\w:])/i;

export function findListening(text: string): readonly SaidValue[] {
  const found: SaidValue[] = [];
  for (const line of text.split("\n", MOST_LINES)) {
    const match = line.length > LONGEST_LINE ? null : LISTENING.exec(line.trim());
    if (match !== null) add(found, match[1], match[2], line);
  }
  return found;
}

/** Assignments in prose and in commands, and lines like `Deadline: 2031-04-17`. */
export function findAssignments(text: string): readonly SaidValue[] {
  const found: SaidValue[] = [];
  for (const line of text.split("\n")) {
    if (line.length > 4 * LONGEST_LINE || CODE_LINE.test(line)) continue;
    for (const match of line.matchAll(INLINE_ASSIGNMENT))
      if (isAssigned(match, line)) add(found, match[1], match[2], around(line, match.index));
    for (const match of line.matchAll(INLINE_LABEL)) add(found, match[1], match[2], around(line, match.index));
    const labelled = line.length > LONGEST_LINE ? null : LABELLED_LINE.exec(line);
    if (labelled !== null && isShortLabel(labelled[1] ?? "") && isShortValue(labelled[2] ?? ""))
      add(found, labelled[1], labelled[2], line);
  }
  return found;
}

/** With spaces around the sign it may be any formula of the prose, and code goes on behind the value. */
function isAssigned(match: RegExpExecArray, line: string): boolean {
  const [whole, key = "", value = ""] = match;
  if (/^[({[;<"'`]/.test(line.slice(match.index + whole.length)) || isCopied(key, value)) return false;
  // An argument of a call, or one of several below each other.
  const before = line.slice(0, match.index);
  if (!/^["'`]?[-+]?\d/.test(value) && (/\w\([^)]{0,300}$/.test(before) || /^\s{0,40}\S{1,80},$/.test(line)))
    return false;
  const isSpaced = / ?= ?/.exec(whole)?.[0] !== "=";
  return !isSpaced || isValueLike(value);
}

/** `rows=reader.rows`: code hands something on under its own name, or a constant of a module. */
function isCopied(key: string, value: string): boolean {
  const parts = /^[A-Za-z_][\w]*((?:\.[A-Za-z_]\w*)+)$/.exec(value);
  const last = value.slice(value.lastIndexOf(".") + 1);
  return value === key || (parts !== null && (last === key || /^[A-Z][A-Z0-9_]+$/.test(last) || /^self\./.test(value)));
}

function readLine(line: string, expressions: readonly RegExp[]): SaidValue | undefined {
  for (const expression of expressions) {
    const match = expression.exec(line);
    const found: SaidValue[] = [];
    if (match !== null) add(found, match[1], match[2], line);
    if (found[0] !== undefined) return found[0];
  }
  return undefined;
}

function add(found: SaidValue[], rawKey: string | undefined, rawValue: string | undefined, line: string): void {
  const key = readKey(rawKey);
  const value = readValue(rawValue);
  if (key === undefined || value === undefined || NO_SETTING.test(key)) return;
  found.push({ key, value, text: cutAt(line.trim(), LONGEST_TEXT) });
}

function isShortLabel(label: string): boolean {
  return label.split(" ").length <= 4;
}

/** A label is followed by a value when that is short and holds a number or a mark inside a word. */
function isShortValue(value: string): boolean {
  const words = value.split(" ");
  return words.length <= 4 && isValueLike(words[0] ?? "") && !/[{}()[\]<>=，。；、！？]|[.,;] /.test(value);
}

/** Of a long line the part around the assignment. */
function around(line: string, index: number): string {
  if (line.length <= 160) return line;
  const start = line.lastIndexOf(" ", Math.max(0, index - 60)) + 1;
  return line.slice(start, start + 160).toWellFormed();
}
