// Keeps the errors of a stretch in order and settles them: by the success of the same command, tool and path, or by
// a run in which the error shows no more after something was changed.

import { cutWords } from "../../language/last-sentence.ts";
import { type CommandIdentity, identifyCommand } from "../commands/command-text.ts";
import type { FileOperation } from "../files/changes.ts";
import type { ErrorFact, Source } from "../ledger.ts";

const LONGEST_ERROR = 300;
/** Older ones stay open, but nothing is looked for that settles them: time must not grow with their square. */
export const MOST_WATCHED = 100;
const MOST_TRIED = 3;

interface KnownError extends Steps {
  readonly text: string;
  readonly from: string;
  readonly run: CommandIdentity;
  readonly trouble: string;
  readonly tried: readonly string[];
  readonly edits: FileOperation[];
  command: string | undefined;
  said: string | undefined;
}

export class ErrorBook {
  readonly #facts = new Map<KnownError, ErrorFact>();
  readonly #open = new Set<KnownError>();
  /** The newest failure of each test, settled or not. */
  readonly #tests = new Map<string, KnownError>();

  fail(from: string, line: string, source: Source): void {
    const text = cutWords(line.replace(/\s+/g, " ").trim(), LONGEST_ERROR);
    const trouble = troubleOf(text);
    const same = [...this.#open].filter((error) => error.from === from);
    const test = isTest(trouble) ? this.#tests.get(trouble) : undefined;
    if (test !== undefined && !same.includes(test)) same.unshift(test);
    const tried: string[] = [];
    for (const error of same) {
      if (error.trouble === trouble) {
        tried.push(...error.tried, this.#facts.get(error)?.fix ?? fixText({ ...error, command: undefined }) ?? "");
        this.#drop(error);
        // Another error of the same command: what was changed cured the first; unchanged it is the same trouble anew.
      } else if (error.edits.length > 0) this.#settle(error, source);
      else this.#drop(error);
    }
    const error: KnownError = {
      ...{ text, from, trouble, run: identifyCommand(from), edits: [], command: undefined, said: undefined },
      tried: newestTried(tried),
    };
    this.#open.add(error);
    if (isTest(trouble)) this.#tests.set(trouble, error);
    for (const oldest of this.#open) {
      if (this.#open.size <= MOST_WATCHED) break;
      this.#open.delete(oldest);
    }
    this.#facts.set(error, withTried({ kind: "error", text, from, status: "open", source }, error.tried));
  }

  /** `command`: what ran, for the note of what helped; undefined for a tool without a script. */
  succeed(from: string, source: Source, command?: string): void {
    const run = identifyCommand(from);
    for (const error of [...this.#open])
      if (settles(run, error.run) || (command !== undefined && isCheckedAnew(error, run))) this.#settle(error, source);
    if (command !== undefined) for (const error of this.#open) error.command = command;
  }

  edit(operation: FileOperation, said: string | undefined): void {
    for (const error of this.#open) {
      error.edits.push(operation);
      error.said = said ?? error.said;
    }
  }

  /** Somebody said that it works now. */
  confirm(from: string, source: Source): void {
    for (const error of [...this.#open]) if (error.from === from && error.edits.length > 0) this.#settle(error, source);
  }

  /** A refused edit of a file that went through at last was no error of the work. */
  written(path: string): void {
    for (const error of [...this.#open]) if (error.from.endsWith(`(${path})`)) this.#drop(error);
  }

  facts(): readonly ErrorFact[] {
    return [...this.#facts.values()];
  }

  /** The same line of another command is the same error. */
  #settle(error: KnownError, fixedAt: Source): void {
    this.#open.delete(error);
    for (const other of [...this.#open]) if (other.text === error.text) this.#drop(other);
    const fix = fixText(error);
    const fact = this.#facts.get(error);
    if (fact !== undefined)
      this.#facts.set(error, { ...fact, status: "fixed", ...(fix === undefined ? {} : { fix }), fixedAt });
  }

  #drop(error: KnownError): void {
    this.#open.delete(error);
    this.#facts.delete(error);
  }
}

const TEST_NAME =
  /^(?:--- FAIL: |FAILED (?=\S{1,300}::)|[●✗✖×✕] ?|not ok \d{1,9} (?:- )?)(.{1,200}?)(?: \(\d[\d.]{0,12} ?m?s\)| \d[\d.]{0,12} ?m?s$|: | - |$)/;
const PLACE = /(?<!["'`\w])[\w@.+-]{0,100}(?:\/[\w@.+-]{1,100}){0,20}\.[a-z]\w{0,9}(?:[:(]\d[\d:,]{0,20}\)?)?/g;

/** What two lines that tell the same trouble have in common: the test that fails; else the words without places and numbers. */
export function troubleOf(text: string): string {
  const test = TEST_NAME.exec(text)?.[1];
  return test === undefined ? text.replace(PLACE, "").replace(/\d+/g, "#").trim() : `test ${test}`;
}

export function isTest(trouble: string): boolean {
  return trouble.startsWith("test ");
}

export function newestTried(tried: readonly string[]): readonly string[] {
  return [...new Set(tried)].filter((text) => text !== "").slice(-MOST_TRIED);
}

export function withTried(fact: ErrorFact, tried: readonly string[]): ErrorFact {
  return tried.length === 0 ? fact : { ...fact, tried };
}

// What was done between a failure and the success, in a few words: the files that were edited, with the line itself
// where it is a single one; else the command that was run; else what the assistant said.

const MOST_PATHS = 3;
const LONGEST_FIX = 240;
const LONGEST_LINE = 100;

/** What happened since the last failure. */
export interface Steps {
  readonly edits: readonly FileOperation[];
  /** The last command that went well before the one that had failed. */
  readonly command: string | undefined;
  readonly said: string | undefined;
}

export function fixText({ edits, command, said }: Steps): string | undefined {
  const paths = [...new Set(edits.map(({ path }) => path.split("/").slice(-2).join("/")))];
  if (paths.length > 0) {
    const more = paths.length > MOST_PATHS ? ` and ${paths.length - MOST_PATHS} more` : "";
    const line = edits.length === 1 ? onlyLine(edits[0]) : undefined;
    const words = [`edited ${paths.slice(0, MOST_PATHS).join(", ")}${more}`, line ?? said].filter(
      (text) => text !== undefined,
    );
    return cutWords(words.join(": "), Math.max(LONGEST_FIX, words[0]?.length ?? 0));
  }
  return command === undefined ? said : cutWords(`ran ${command}`, LONGEST_FIX);
}

function onlyLine(edit: FileOperation | undefined): string | undefined {
  const added = (edit?.change ?? []).filter(({ mark, text }) => mark === "+" && text.trim() !== "");
  const line = added[0]?.text.trim();
  return added.length === 1 && line !== undefined && line.length <= LONGEST_LINE ? `\`${line}\`` : undefined;
}

// Whether the success of one command settles the failure of another: the same command, a wider run of the same
// program, or the same test file.

const TEST_FILE = /[\w@+./-]{0,200}(?:\btest_|[._-](?:test|spec)\b|_test\b)[\w.-]{0,60}/gi;
/** Arguments that leave the run as wide as without them. */
const WIDE = /^(?:-.*|\.|\.\/\.\.\.|run|test|tests|tests\/|check|build|lint|all)$/;
const NARROWING =
  /(?:^|\s)(?:-run|-k|-t|-m|-g|--grep|--filter|--testNamePattern|--test-name-pattern|-p|--package|--only)(?:[ =]|$)/;
/** Their first argument is the name of a program of its own. */
const RUNNERS = new Set(
  "npm npx pnpm yarn bun bunx mise make just task poetry uv deno turbo nx rake gradle mvn dotnet python python3 node".split(
    " ",
  ),
);

export function settles(passed: CommandIdentity, failed: CommandIdentity): boolean {
  const sharesFolder = mayShareFolder(passed, failed);
  if (sharesFolder && (includesRun(passed.command, failed.command) || isWider(passed.command, failed.command)))
    return true;
  return sharesTestFile(passed.command, failed.command);
}

const CHECKS = /\b(?:tests?|build|lint|check|compile|typecheck|tsc|vet|clippy|verify|ci)\b/;
const NAMED_PLACE = /([\w@.+-]{1,100}\.[a-z]\w{0,9})[:(]\d/;

/** The error named a file; that was edited, and a run of all checks went well. */
function isCheckedAnew({ text, edits }: KnownError, { command }: CommandIdentity): boolean {
  const name = NAMED_PLACE.exec(text)?.[1];
  if (name === undefined || !CHECKS.test(command) || NARROWING.test(command)) return false;
  return edits.some(({ path }) => path === name || path.endsWith(`/${name}`));
}

/** A chain that passed ran all its parts; of one that failed, its last part passes only where the others do not matter. */
function includesRun(passed: string, failed: string): boolean {
  if (passed === failed) return true;
  return passed.split(" && ").includes(failed) || failed.endsWith(` && ${passed}`);
}

function mayShareFolder(one: CommandIdentity, other: CommandIdentity): boolean {
  return one.folder === undefined || other.folder === undefined || one.folder === other.folder;
}

function isWider(passed: string, failed: string): boolean {
  const wide = passed.split(" ");
  const narrow = failed.split(" ");
  const names = RUNNERS.has(wide[0] ?? "") ? wide.length : 2;
  if (wide.length < 2 || wide.slice(0, names).some((word, at) => at < 2 && word !== narrow[at])) return false;
  if (RUNNERS.has(wide[0] ?? "")) return failed.startsWith(`${passed} `) && !/&&|;/.test(failed);
  return !NARROWING.test(passed) && wide.slice(1).every((word) => WIDE.test(word));
}

/** Both runs name it, so the one that passed ran at least what failed of it, unless it was narrowed. */
function sharesTestFile(passed: string, failed: string): boolean {
  if (!/test|spec/i.test(failed) || !passed.includes(".") || NARROWING.test(passed) || passed.includes("::"))
    return false;
  const files = new Set(passed.match(TEST_FILE) ?? []);
  return files.size > 0 && (failed.match(TEST_FILE) ?? []).some((file) => files.has(file.split("::")[0] ?? file));
}
