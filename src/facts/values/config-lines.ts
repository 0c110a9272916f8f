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
const INLINE_LABEL = /`([A-Za-z_][\w.-]{1,60}): ([^`\n]{1,80})`/g;
const LABELLED_LINE =
  /^\s{0,20}(?:[-*•] |\d{1,2}[.)] )?(?:\*\*)?(\p{L}[\p{L}\p{N}_. /-]{1,40}?)(?:\*\*)?(?::(?:\*\*)? {1,4}|：(?:\*\*)? {0,4})(\S.{0,78})$/u;

const CONFIG_LINES: readonly RegExp[] = [JSON_LINE, ENV_LINE, YAML_LINE, TOML_LINE];
/** Names that every configuration has, and lines of logs that look like one. */
const NO_SETTING =
  /^(?:name|type|id|title|description|version|kind|error|errors|warning|warn|info|debug|note|status|code|time|duration|elapsed|date|line|lines|total|tests?|passed|failed|failures|skipped|size|file|path|message|msg|level|at|from|to|href|src|class|style|key|value|label|text|content|result|output|input|role|author|commit|merge|index|href|rel|lang|import|return|default|case|http|https|license|main|module|homepage|repository|cwd|uuid|timestamp|(?:tool_use|session|request|message|call|conversation|event|user|parent)_?ids?|transcript_path|hook_event_name|tool_name|(?:created|updated|started|ended|finished|calculated|modified)_?at)$/i;
/** More such lines are a file being shown, not a fact being told. */
export const MOST_LINES = 20;
const LONGEST_LINE = 300;
const LONGEST_TEXT = 200;

/** Lines of `text` that are configuration; none when there are more than a few. `isCode` admits constants too. */
export function findConfigLines(text: string, isCode = false): readonly SaidValue[] {
  const found: SaidValue[] = [];
  const expressions = isCode ? [CONSTANT_LINE, SCREAMING_LINE] : CONFIG_LINES;
  for (const line of text.split("\n")) {
    const said = line.length > LONGEST_LINE ? undefined : readLine(line, expressions);
    if (said !== undefined) found.push(said);
    if (found.length > MOST_LINES) return [];
  }
  return found;
}

/** Assignments in prose and in commands, and lines like `Deadline: 2031-04-17`. */
export function findAssignments(text: string): readonly SaidValue[] {
  const found: SaidValue[] = [];
  for (const line of text.split("\n")) {
    if (line.length > 4 * LONGEST_LINE) continue;
    for (const match of line.matchAll(INLINE_ASSIGNMENT)) {
      // With spaces it may be any formula of the prose.
      const isSpaced = / ?= ?/.exec(match[0])?.[0] !== "=";
      const goesOn = /^[({[;<]/.test(line.slice(match.index + match[0].length));
      if (!goesOn && (!isSpaced || isValueLike(match[2] ?? "")))
        add(found, match[1], match[2], around(line, match.index));
    }
    for (const match of line.matchAll(INLINE_LABEL)) add(found, match[1], match[2], around(line, match.index));
    const labelled = line.length > LONGEST_LINE ? null : LABELLED_LINE.exec(line);
    if (labelled !== null && isShortLabel(labelled[1] ?? "") && isShortValue(labelled[2] ?? ""))
      add(found, labelled[1], labelled[2], line);
  }
  return found;
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
