// Which errors came up, and what settled them. From results of commands and tools, and from what a user pasted; what
// the assistant quotes stood in a result before.

import { cutWords, lastSentence } from "../../language/last-sentence.ts";
import { runThrough, type Stepwise } from "../../tokens/turns/stepwise.ts";
import { readOutput } from "../calls/output-lines.ts";
import { hasWord, toolWords } from "../calls/read-call.ts";
import { type CommandIdentity, commandKey, identifyCommand, isProbe } from "../commands/command-text.ts";
import {
  ErrorBook,
  fixText,
  isTest,
  MOST_WATCHED,
  newestTried,
  settles,
  troubleOf,
  withTried,
} from "../errors/error-book.ts";
import { findErrorLine } from "../errors/error-line.ts";
import { type Execution, type FactMessage, readExecutions } from "../fact-message.ts";
import { fileOperations } from "../files/file-operations.ts";
import { type CommandFact, cite, type ErrorFact, type FileFact, type Source } from "../ledger.ts";
import { commandOf, isRejected, readOutcome } from "./commands.ts";
import { doneOperations } from "./files.ts";

/** `from` of an error that a user pasted. */
const PASTED = "user";
const LONGEST_SUBJECT = 400;
const LONGEST_PASTE = 20_000;
const CONFIRMED = /\b(?:fixed|resolved|solved|works now|working now|is gone|no longer (?:fails|happens|occurs))\b/i;
const NOT_YET = /\b(?:not|n't|isn't|still|should be|will be|to be|once|hopefully|if)\b/i;
const LONGEST_CONFIRMATION = 2_000;

export function extractErrors(messages: readonly FactMessage[]): readonly ErrorFact[] {
  return runThrough(extractErrorsStepwise(messages));
}

export function* extractErrorsStepwise(messages: readonly FactMessage[]): Stepwise<readonly ErrorFact[]> {
  const book = new ErrorBook();
  const executions = groupByEnd(readExecutions(messages));
  for (const message of messages) {
    readSpoken(message, book);
    yield;
    for (const execution of executions.get(cite(message.source)) ?? []) {
      readExecution(execution, book);
      yield;
    }
  }
  return book.facts();
}

/** An execution happens where its result stands: what was edited between two runs is in their order. */
function groupByEnd(executions: readonly Execution[]): ReadonlyMap<string, readonly Execution[]> {
  const groups = new Map<string, Execution[]>();
  for (const execution of executions) {
    const key = cite(execution.resultSource ?? execution.source);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [execution]);
    else group.push(execution);
  }
  return groups;
}

function readSpoken({ spoken, source }: FactMessage, book: ErrorBook): void {
  for (const { author, text } of spoken) {
    if (author !== "user" && author !== "assistant") continue;
    if (author === "user") readPasted(text, source, book);
    const words = text.slice(0, LONGEST_CONFIRMATION);
    if (words.split(/(?<=[.!?])\s|\n/).some((line) => CONFIRMED.test(line) && !NOT_YET.test(line)))
      book.confirm(PASTED, source);
  }
}

function readPasted(text: string, source: Source, book: ErrorBook): void {
  const line = findErrorLine(
    text
      .slice(0, LONGEST_PASTE)
      .split("\n")
      .map((line) => line.slice(0, 400)),
    "sure",
  );
  if (line !== undefined) book.fail(PASTED, line, source);
}

function readExecution(execution: Execution, book: ErrorBook): void {
  const { call, result, source } = execution;
  const at = execution.resultSource ?? source;
  const command = commandOf(call);
  for (const operation of doneOperations(execution)) {
    if (operation.operation === "read") continue;
    book.written(operation.path);
    book.edit(operation, lastSentence(execution.said));
  }
  if (result === undefined || isRejected(execution)) return;
  if (command !== undefined) readCommand(command, execution, book, at);
  else if (result.isError || isRefusedEdit(execution)) readTool(execution, book, at);
  else book.succeed(toolKey(execution), at);
}

function readCommand(command: string, execution: Execution, book: ErrorBook, at: Source): void {
  if (isProbe(command)) return;
  const { outcome, detail, output } = readOutcome(command, execution);
  const from = commandKey(command);
  if (outcome === "ok") book.succeed(from, at, command);
  if (outcome !== "failed") return;
  const line = findErrorLine(output.lines, "likely") ?? detail;
  // That it failed is said with the commands.
  if (line !== undefined && !isNoise(line) && !/^\W{0,3}(?:exit|status)\b.{0,20}$/i.test(line))
    book.fail(from, line, execution.source);
}

function readTool(execution: Execution, book: ErrorBook, at: Source): void {
  if (isLookingTool(execution.call.name)) return;
  const { lines } = readOutput(execution.result?.text ?? "");
  const line = lines.find((text) => text.trim() !== "")?.replace(/<(?!REDACTED>)\/?\w{1,40}>/g, "") ?? "";
  if (line !== "" && !isNoise(line)) book.fail(toolKey(execution), line, at);
}

/** An edit that says in words that it failed, where the host has no other sign. */
function isRefusedEdit(execution: Execution): boolean {
  const operations = fileOperations(execution.call);
  return operations.some(({ operation }) => operation === "written") && doneOperations(execution).length === 0;
}

/** `Edit(src/x.ts)`: the tool and the path or words that it was given. */
function toolKey({ call }: Execution): string {
  const subject = fileOperations(call)[0]?.path ?? call.texts[0]?.split("\n", 1)[0] ?? "";
  return `${call.name}(${cutWords(subject, LONGEST_SUBJECT)})`;
}

/** Errors of earlier rounds are settled by what ran later; `files` are those of the later round. */
export function mergeErrors(
  earlier: readonly ErrorFact[],
  later: readonly ErrorFact[],
  commands: readonly CommandFact[],
  files: readonly FileFact[] = [],
): readonly ErrorFact[] {
  const round = readRound(later, commands, files);
  const again = new Map<ErrorFact, readonly string[]>();
  const watched = new Set(earlier.filter(({ status }) => status === "open").slice(-MOST_WATCHED));
  const kept = earlier.flatMap((error) => {
    const same = round.troubles.get(troubleKey(error));
    if (same === undefined) return watched.has(error) ? carryOpen(error, round) : [error];
    again.set(same, [...(again.get(same) ?? []), ...(error.tried ?? []), error.fix ?? ""]);
    return [];
  });
  const added = later.map((error) =>
    withTried(error, newestTried([...(again.get(error) ?? []), ...(error.tried ?? [])])),
  );
  return withoutSettled([...kept, ...added]);
}

/** The same line of another command, settled with this one. */
function withoutSettled(errors: readonly ErrorFact[]): readonly ErrorFact[] {
  const settled = new Map(errors.flatMap(({ text, fixedAt }) => (fixedAt === undefined ? [] : [[text, fixedAt]])));
  return errors.filter(({ status, text, source }) => {
    const at = settled.get(text);
    return status === "fixed" || at === undefined || !isBefore(source, at);
  });
}

function isBefore(one: Source, other: Source): boolean {
  return one.step < other.step || (one.step === other.step && one.message < other.message);
}

/** A test that fails again is one error, whatever ran it; any other trouble only while the first is open. */
function troubleKey({ text, from, status }: ErrorFact): string {
  const trouble = troubleOf(text);
  return isTest(trouble) ? trouble : JSON.stringify([trouble, from, status]);
}

/** What a later round says of errors before it. */
interface Round {
  readonly troubles: ReadonlyMap<string, ErrorFact>;
  /** The first that was fixed, by what had failed; undefined where all are open. */
  readonly failed: ReadonlyMap<string, ErrorFact | undefined>;
  readonly passed: readonly { readonly run: CommandIdentity; readonly source: Source }[];
  readonly written: readonly FileFact[];
  readonly paths: ReadonlySet<string>;
}

function readRound(later: readonly ErrorFact[], commands: readonly CommandFact[], files: readonly FileFact[]): Round {
  const troubles = new Map<string, ErrorFact>();
  const failed = new Map<string, ErrorFact | undefined>();
  for (const error of later) {
    const key = troubleKey({ ...error, status: "open" });
    if (!troubles.has(key)) troubles.set(key, error);
    failed.set(error.from, failed.get(error.from) ?? (error.status === "fixed" ? error : undefined));
  }
  const passed = commands
    .filter(({ command, outcome }) => outcome === "ok" && !isProbe(command))
    .map(({ command, source }) => ({ run: identifyCommand(command), source }));
  const written = files.filter(({ operation }) => operation !== "read");
  return { troubles, failed, passed, written, paths: new Set(written.map(({ path }) => path)) };
}

function carryOpen(error: ErrorFact, { failed, passed, written, paths }: Round): readonly ErrorFact[] {
  const { from } = error;
  // `Edit(src/x.ts)`: the edit went through at last.
  if (from.endsWith(")") && [...from.matchAll(/\(/g)].some(({ index }) => paths.has(from.slice(index + 1, -1))))
    return [];
  const run = identifyCommand(from);
  const fixedAt = passed.find((success) => settles(success.run, run))?.source ?? failed.get(from)?.fixedAt;
  if (fixedAt !== undefined) return [closed(error, fixedAt, written)];
  return failed.has(from) ? [] : [error];
}

function closed(error: ErrorFact, fixedAt: Source, written: readonly FileFact[]): ErrorFact {
  const edits = written.filter(({ source }) => isBefore(source, fixedAt));
  const fix = fixText({
    edits: edits.map(({ path, operation }) => ({ path, operation })),
    command: undefined,
    said: edits.at(-1)?.reason,
  });
  return { ...error, status: "fixed", ...(fix === undefined ? {} : { fix }), fixedAt };
}

// Failures that are no errors of the work: looking for what is not there, being told to read a file first, being
// stopped by the user.

const LOOKED_IN_VAIN =
  /^(?:<tool_use_error>)?(?:error: )?(?:file (?:does not exist|not found|has not been read yet|has been modified since read)|\(eval\):cd:|.{0,40}\bcd: |(?:cat|ls|grep|sed|head|tail|find|stat): .{0,300}no such file|no (?:files|matches|results) found|ENOENT: no such file)/i;
const STOPPED =
  /^(?:<tool_use_error>)?(?:the user (?:doesn't|does not|denied|rejected|declined)|\[?request interrupted|sibling tool call errored|.{0,60}(?:permission to use|was rejected by the user)|command aborted|interrupted by|operation aborted|inputvalidationerror)|\[setup failed\]$/i;

/** Tools that look at things: that they found nothing, or were asked wrongly, leaves nothing to mend. */
const LOOKING = new Set("read grep glob ls list search find view fetch webfetch".split(" "));

function isLookingTool(name: string): boolean {
  return hasWord(toolWords(name), LOOKING);
}

function isNoise(text: string): boolean {
  return LOOKED_IN_VAIN.test(text) || STOPPED.test(text);
}
