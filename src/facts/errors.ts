// Which errors came up and what settled them, from results of commands and tools: the success of the same command, tool or
// path, or a run in which the error shows no more after something was changed.
import { cutWords } from "../language/sentences.ts";
import { flat } from "../text/quote.ts";
import type { Stepwise } from "../tokens/stepwise.ts";
import type { FileOperation } from "./changes.ts";
import {
  type CommandIdentity,
  commandKey,
  commandOf,
  findErrorLine,
  identifyCommand,
  isProbe,
  readOutcome,
  readOutput,
} from "./commands.ts";
import { type Execution, readExecutions } from "./executions.ts";
import type { FactMessage } from "./fact-message.ts";
import { doneOperations, fileOperations } from "./files.ts";
import { type CommandFact, cite, type ErrorFact, type FileFact, type Source } from "./ledger.ts";
import { hasWord, isRefusal, toolWords } from "./tool-call.ts";

export function* extractErrors(messages: readonly FactMessage[]): Stepwise<readonly ErrorFact[]> {
  const book = new ErrorBook([]);
  // An execution happens where its result stands: what was edited between two runs is in their order.
  const order = new Map(messages.map(({ source }, index) => [cite(source), index]));
  const endOf = ({ resultSource, source }: Execution) => order.get(cite(resultSource ?? source)) ?? 0;
  for (const execution of [...readExecutions(messages)].sort((one, other) => endOf(one) - endOf(other))) {
    readExecution(execution, book);
    yield;
  }
  return book.facts();
}

/** Errors of earlier rounds are settled by what ran later; `commands` and `files` are those of the later round. */
export function mergeErrors(
  earlier: readonly ErrorFact[],
  later: readonly ErrorFact[],
  commands: readonly CommandFact[],
  files: readonly FileFact[] = [],
): readonly ErrorFact[] {
  const book = new ErrorBook(earlier);
  const facts = [...files, ...later, ...commands];
  facts.sort((one, other) => one.source.step - other.source.step || one.source.message - other.source.message);
  for (const fact of facts) {
    if (fact.kind === "file") book.edit(fact);
    else if (fact.kind === "error") book.fail(fact);
    else if (fact.outcome === "ok" && !isProbe(fact.command))
      book.succeed(commandKey(fact.command), fact.source, fact.command);
  }
  return book.facts();
}

function opened(from: string, line: string, source: Source): ErrorFact {
  const text = cutWords(flat(line), LONGEST_ERROR);
  return { kind: "error", text, from, status: "open", source };
}

function readExecution(execution: Execution, book: ErrorBook): void {
  const { call, result, source, resultSource = source } = execution;
  const done = doneOperations(execution);
  for (const operation of done) book.edit(operation);
  if (result === undefined || isRefusal(result.text)) return;
  const command = commandOf(call);
  if (command !== undefined) readCommand(command, execution, book, resultSource);
  else if (
    result.isError ||
    (done.length === 0 && fileOperations(call).some(({ operation }) => operation === "written"))
  )
    readTool(execution, book, resultSource);
  else book.succeed(toolKey(execution), resultSource);
}

function readCommand(command: string, { result, source }: Execution, book: ErrorBook, at: Source): void {
  if (isProbe(command)) return;
  const from = commandKey(command);
  const { outcome, detail } = readOutcome(command, result);
  if (outcome === "ok") book.succeed(from, at, command);
  if (outcome !== "failed") return;
  const line = findErrorLine(readOutput(result?.text ?? "").lines, "likely") ?? detail;
  // That it failed is said with the commands.
  if (line !== undefined && !NOISE.test(line) && !/^\W{0,3}(?:exit|status)\b.{0,20}$/i.test(line))
    book.fail(opened(from, line, source));
}

/** Failures that are no errors of the work: looking for what is not there, being told to read a file first. */
const NOISE =
  /\bfile (?:does not exist|not found|has not been read yet|has been modified since)|\bcd:|^(?:command|operation) aborted|\[setup failed\]$/i;
const LOOKING = new Set("read grep glob ls list search find view fetch webfetch".split(" "));

function readTool(execution: Execution, book: ErrorBook, at: Source): void {
  if (hasWord(toolWords(execution.call.name), LOOKING)) return;
  const { lines } = readOutput(execution.result?.text ?? "");
  const line = lines.find((text) => text.trim() !== "")?.replace(/<(?!REDACTED>)\/?\w{1,40}>/g, "") ?? "";
  if (line !== "" && !NOISE.test(line)) book.fail(opened(toolKey(execution), line, at));
}

const LONGEST_SUBJECT = 400;

/** `Edit(src/x.ts)`: the tool and the path or words that it was given. */
function toolKey({ call }: Execution): string {
  const subject = fileOperations(call)[0]?.path ?? call.texts[0]?.split("\n", 1)[0] ?? "";
  return `${call.name}(${cutWords(subject, LONGEST_SUBJECT)})`;
}

const LONGEST_ERROR = 300;
/** Older ones stay open, but nothing is looked for that settles them: time must not grow with their square. */
const MOST_WATCHED = 100;
const MOST_TRIED = 3;

type Edit = Pick<FileOperation, "path" | "operation" | "change">;

interface KnownError {
  readonly fact: ErrorFact;
  readonly run: CommandIdentity;
  readonly trouble: string;
  /** Number of edits before it. */
  readonly since: number;
  /** The last command that went well since. */
  command: string | undefined;
}

/** Errors in order. One book reads a stretch, and carries what was open over a round. */
class ErrorBook {
  readonly #facts = new Map<KnownError, ErrorFact>();
  readonly #open = new Set<KnownError>();
  readonly #edits: Edit[] = [];

  constructor(earlier: readonly ErrorFact[]) {
    for (const fact of earlier) this.#add(fact);
  }

  facts(): readonly ErrorFact[] {
    return [...this.#facts.values()];
  }

  fail(fact: ErrorFact): void {
    const tried: string[] = [];
    const trouble = troubleOf(fact.text);
    const test = TEST.test(fact.text) ? [...this.#facts.keys()].filter((error) => error.trouble === trouble) : [];
    for (const error of new Set([...test, ...[...this.#open].filter(({ fact: { from } }) => from === fact.from)])) {
      if (error.trouble === trouble) {
        const fix = this.#facts.get(error)?.fix ?? this.#fixText({ ...error, command: undefined });
        tried.push(...(error.fact.tried ?? []), ...(fix === "" ? [] : [fix]));
        this.#drop(error);
        // Another error of the same command: what was changed cured the first; unchanged it is the same trouble anew.
      } else if (this.#edits.length > error.since) this.#settle(error, fact.source);
      else this.#drop(error);
    }
    const all = [...new Set([...tried, ...(fact.tried ?? [])])].slice(-MOST_TRIED);
    this.#add(all.length === 0 ? fact : { ...fact, tried: all });
  }

  /** `command`: what ran, for the note of what helped; undefined for a tool without a script. */
  succeed(from: string, source: Source, command?: string): void {
    const run = identifyCommand(from);
    const isSettled = (error: KnownError) =>
      error.fact.from === from || (command !== undefined && settles(run, error.run));
    for (const error of [...this.#open].filter(isSettled)) this.#settle(error, source);
    if (command !== undefined) for (const error of this.#open) error.command = command;
  }

  /** A refused edit of a file that went through at last was no error of the work. */
  edit(done: Edit): void {
    if (done.operation === "read") return;
    this.#edits.push(done);
    for (const error of [...this.#open].filter(({ fact }) => fact.from.endsWith(`(${done.path})`))) this.#drop(error);
  }

  #add(fact: ErrorFact): void {
    const { from, text } = fact;
    const error = {
      fact,
      run: identifyCommand(from),
      trouble: troubleOf(text),
      since: this.#edits.length,
      command: undefined,
    };
    this.#facts.set(error, fact);
    if (fact.status === "open") this.#open.add(error);
    const [oldest] = this.#open;
    if (oldest !== undefined && this.#open.size > MOST_WATCHED) this.#open.delete(oldest);
  }

  #settle(error: KnownError, fixedAt: Source): void {
    this.#open.delete(error);
    const fix = this.#fixText(error);
    this.#facts.set(error, { ...error.fact, status: "fixed", ...(fix === "" ? {} : { fix }), fixedAt });
  }

  #drop(error: KnownError): void {
    this.#open.delete(error);
    this.#facts.delete(error);
  }

  /** The files that were edited, with the line itself where it is a single one; else the command that was run. */
  #fixText(error: KnownError): string {
    const edits = this.#edits.slice(error.since);
    const paths = [...new Set(edits.map(({ path }) => path.split("/").slice(-2).join("/")))];
    if (paths.length === 0) return error.command === undefined ? "" : cutWords(`ran ${error.command}`, LONGEST_FIX);
    const more = paths.length > MOST_PATHS ? ` and ${paths.length - MOST_PATHS} more` : "";
    const added = edits.flatMap(({ change = [] }) =>
      change.filter(({ mark, text }) => mark === "+" && text.trim() !== ""),
    );
    const line = added.length === 1 ? `: \`${cutWords(added[0]?.text.trim() ?? "", LONGEST_LINE)}\`` : "";
    return `edited ${paths.slice(0, MOST_PATHS).join(", ")}${more}${line}`;
  }
}

const MOST_PATHS = 3;
const LONGEST_FIX = 240;
const LONGEST_LINE = 100;
const TEST = /^(?:--- FAIL: |FAILED (?=\S{1,300}::)|[●✗✖×✕] )\S+/;
const PLACE = /(?<!["'`\w])[\w@.+-]{0,100}(?:\/[\w@.+-]{1,100}){0,20}\.[a-z]\w{0,9}(?:[:(]\d[\d:,]{0,20}\)?)?/g;

/** What two lines that tell the same trouble have in common: the words without places and numbers. */
function troubleOf(text: string): string {
  return TEST.exec(text)?.[0] ?? text.replace(PLACE, "").replace(/\d+/g, "#").trim();
}

/** Whether the success of one command settles the failure of another: it ran its last step, or a wider run of it. */
export function settles(passed: CommandIdentity, failed: CommandIdentity): boolean {
  if (passed.folder !== undefined && failed.folder !== undefined && passed.folder !== failed.folder) return false;
  const last = failed.steps.at(-1) ?? "";
  return passed.steps.some((step) => step === last || (step.includes(" ") && last.startsWith(`${step} `)));
}
