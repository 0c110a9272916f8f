// The values of a conversation: settings with their key, as people, the assistant and tools gave them, and which of
// them is current. How a value is said stands in ../values/.
import { runThrough, type Stepwise } from "../../tokens/turns/stepwise.ts";
import { withToldChanges } from "../changes/apply-changes.ts";
import type { Change } from "../changes/find-changes.ts";
import type { FactCall, FactMessage, FactResult } from "../fact-message.ts";
import type { ValueFact } from "../ledger.ts";
import { findAssignments, findConfigLines, findListening } from "../values/config-lines.ts";
import { findPeople } from "../values/people.ts";
import type { SaidValue } from "../values/said-value.ts";
import { findStatements } from "../values/statements.ts";
import { supersedeStepwise } from "../values/supersede.ts";

/** What an edit puts in a file, by the tools' usual argument names. */
const WRITTEN_KEYS = ["new_string", "new_str", "content", "file_text", "contents", "text", "code_edit", "insert_text"];
const PATH_KEYS = ["file_path", "path", "filePath", "filename", "file", "target_file"];
const COMMAND_KEYS = ["command", "cmd"];
const CONFIG_FILE = /(?:\.(?:json[c5]?|ya?ml|toml|ini|cfg|conf|properties|env(?:\.\w{1,20})?|tfvars|hcl)|Dockerfile)$/i;
const CONFIG_FENCE = /^(?:jsonc?|json5|ya?ml|toml|ini|env|dotenv|conf|properties|sh|bash|shell|console|text|txt)?$/i;
const CODE_SIGN =
  /^\s{0,40}(?:def|class|function|import|from|return|if|for|while|try|elif|else|public|private|async|await|<{5,}|={5,}|>{5,})\b|^[<=>]{7}|[({]\s*$|\);?\s*$|\w\(|=>/;
const FENCED = /^ {0,3}(?:```|~~~)([\w+-]{0,20})[^\n]{0,100}$/;

/** A tool tells a value when it prints little; more is a file or a log. */
const LONGEST_RESULT = 4000;
/** Of a longer text beginning and end are read: the middle is pasted. */
const LONGEST_SPOKEN = 24_000;
const LONGEST_COMMAND = 2000;

export function extractValues(messages: readonly FactMessage[]): readonly ValueFact[] {
  return runThrough(extractValuesStepwise(messages));
}

export function* extractValuesStepwise(messages: readonly FactMessage[]): Stepwise<readonly ValueFact[]> {
  const found: ValueFact[] = [];
  for (const { spoken, calls, results, source } of messages) {
    const add = (by: ValueFact["by"], values: readonly SaidValue[]) => {
      for (const value of values) found.push({ kind: "value", ...value, by, source });
    };
    for (const { author, text } of spoken)
      if (author === "user" || author === "assistant") add(author, yield* spokenValues(text, author === "user"));
    for (const call of calls) add("assistant", calledValues(call));
    for (const result of results) add("tool", printedValues(result));
    yield;
  }
  return yield* supersedeStepwise(found);
}

/** A newer value of a key marks the older one, whichever round that came from. */
export function mergeValues(earlier: readonly ValueFact[], later: readonly ValueFact[]): readonly ValueFact[] {
  return runThrough(mergeValuesStepwise(earlier, later));
}

export function mergeValuesStepwise(
  earlier: readonly ValueFact[],
  later: readonly ValueFact[],
): Stepwise<readonly ValueFact[]> {
  return supersedeStepwise([...earlier, ...later]);
}

/** With what people told to have changed, in whatever words. */
export function* changeValuesStepwise(
  values: readonly ValueFact[],
  changes: readonly Change[],
): Stepwise<readonly ValueFact[]> {
  return changes.length === 0 ? values : yield* supersedeStepwise(withToldChanges(values, changes));
}

function* spokenValues(text: string, isUsers: boolean): Stepwise<readonly SaidValue[]> {
  const { prose, snippets } = splitFences(withoutMiddle(text));
  const stated = yield* findStatements(prose, isUsers);
  const people = findPeople(prose);
  yield;
  return [...stated, ...people, ...findAssignments(prose), ...findConfigLines(snippets)];
}

function withoutMiddle(text: string): string {
  if (text.length <= LONGEST_SPOKEN) return text;
  return `${text.slice(0, LONGEST_SPOKEN / 2)}\n${text.slice(-LONGEST_SPOKEN / 2)}`.toWellFormed();
}

/** Fences of configuration are read as such, those of code not at all. */
function splitFences(text: string): { readonly prose: string; readonly snippets: string } {
  const prose: string[] = [];
  const snippets: string[] = [];
  let fenced: string[] = [];
  let language: string | undefined;
  const close = () => {
    if (isConfiguration(language, fenced)) snippets.push(...fenced);
    fenced = [];
  };
  for (const line of text.split("\n")) {
    const fence = FENCED.exec(line);
    if (fence === null) (language === undefined ? prose : fenced).push(line);
    else {
      close();
      // A fence that names its language opens one, even where the last was never closed.
      language = language === undefined || fence[1] ? (fence[1] ?? "") : undefined;
    }
  }
  close();
  return { prose: prose.join("\n"), snippets: snippets.join("\n") };
}

/** Where no language is named, one line of code makes all of it code. */
function isConfiguration(language: string | undefined, lines: readonly string[]): boolean {
  if (language === undefined || !CONFIG_FENCE.test(language)) return false;
  return language !== "" || !lines.some((line) => line.length < 300 && CODE_SIGN.test(line));
}

/** Edits of files, their key with the file's name: `port` of one service is not that of another. */
function calledValues({ input }: FactCall): readonly SaidValue[] {
  if (input === undefined) return [];
  const found: SaidValue[] = [];
  const path = PATH_KEYS.map((key) => input[key]).find((value) => typeof value === "string") as string | undefined;
  for (const key of WRITTEN_KEYS) {
    const text = input[key];
    if (typeof text !== "string" || path === undefined || text.length > LONGEST_RESULT) continue;
    const name = path.split(/[\\/]/).at(-1) ?? path;
    for (const said of findConfigLines(text, !CONFIG_FILE.test(path)))
      found.push({ ...said, key: `${said.key} (${name})` });
  }
  for (const key of COMMAND_KEYS) {
    const command = input[key];
    if (typeof command === "string" && command.length <= LONGEST_COMMAND) found.push(...environmentOf(command));
  }
  return found;
}

/** `NAME=value` before a command or after `export`. */
function environmentOf(command: string): readonly SaidValue[] {
  return findAssignments(command).filter(
    ({ key, value }) => /^[A-Z][A-Z0-9_]{2,60}$/.test(key) && !value.startsWith("$"),
  );
}

function printedValues({ text, isError }: FactResult): readonly SaidValue[] {
  return isError || text.length > LONGEST_RESULT ? [] : [...findConfigLines(text), ...findListening(text)];
}
