// Keeps the errors of a stretch in order and settles them: by the success of the same command, tool and path, or by
// a run in which the error shows no more after something was changed.
import { cutWords } from "../calls/last-sentence.ts";
import { type CommandIdentity, identifyCommand } from "../commands/command-text.ts";
import type { FileOperation } from "../files/file-operation.ts";
import type { ErrorFact, Source } from "../ledger.ts";
import { fixText } from "./fix-text.ts";
import { settles } from "./same-run.ts";

const LONGEST_ERROR = 300;
/** Older ones stay open, but nothing is looked for that settles them: time must not grow with their square. */
const MOST_WATCHED = 100;

interface OpenError {
  readonly text: string;
  readonly from: string;
  readonly run: CommandIdentity;
  readonly edits: FileOperation[];
  /** The last that went well since. */
  command: string | undefined;
  said: string | undefined;
}

export class ErrorBook {
  readonly #facts = new Map<OpenError, ErrorFact>();
  readonly #open = new Set<OpenError>();

  fail(from: string, line: string, source: Source): void {
    const text = cutWords(line.replace(/\s+/g, " ").trim(), LONGEST_ERROR);
    for (const error of [...this.#open]) {
      if (error.from !== from) continue;
      // Another error of the same command: what was changed cured the first; unchanged it is the same trouble anew.
      if (error.text !== text && error.edits.length > 0) this.#settle(error, source);
      else this.#drop(error);
    }
    const run = identifyCommand(from);
    const error: OpenError = { text, from, run, edits: [], command: undefined, said: undefined };
    this.#open.add(error);
    for (const oldest of this.#open) {
      if (this.#open.size <= MOST_WATCHED) break;
      this.#open.delete(oldest);
    }
    this.#facts.set(error, { kind: "error", text, from, status: "open", source });
  }

  /** `command`: what ran, for the note of what helped; undefined for a tool without a script. */
  succeed(from: string, source: Source, command?: string): void {
    const run = identifyCommand(from);
    for (const error of [...this.#open]) if (settles(run, error.run)) this.#settle(error, source);
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

  /** Failed edits of a file are settled by any that went through. */
  written(path: string, source: Source): void {
    for (const error of [...this.#open]) if (error.from.endsWith(`(${path})`)) this.#settle(error, source);
  }

  facts(): readonly ErrorFact[] {
    return [...this.#facts.values()];
  }

  /** The same line of another command is the same error. */
  #settle(error: OpenError, fixedAt: Source): void {
    this.#open.delete(error);
    for (const other of [...this.#open]) if (other.text === error.text) this.#settle(other, fixedAt);
    const fix = fixText(error);
    const fact = this.#facts.get(error);
    if (fact !== undefined)
      this.#facts.set(error, { ...fact, status: "fixed", ...(fix === undefined ? {} : { fix }), fixedAt });
  }

  #drop(error: OpenError): void {
    this.#open.delete(error);
    this.#facts.delete(error);
  }
}
