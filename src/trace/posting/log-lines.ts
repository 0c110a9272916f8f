// What an operator reads about a sink: one line when an endpoint begins to fail, one when it works again, one per run
// of events that it does not take. Never a word of an event, a key or a whole URL.

export interface LogLinesOptions {
  /** "Ariadne": each line begins with it in brackets. */
  readonly label: string;
  readonly shown: string;
  /** What to look at when nothing gets through. */
  readonly advice: string;
  readonly write: (line: string) => void;
}

export class LogLines {
  readonly #options: LogLinesOptions;
  #isFailing = false;
  #isRejecting = false;
  #isOverflowing = false;
  #doubt: string | undefined;

  constructor(options: LogLinesOptions) {
    this.#options = options;
  }

  failed(reason: string): void {
    this.#doubt = undefined;
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#write(`${this.#options.shown} takes no traces: ${reason}. ${this.#options.advice}`);
  }

  /** A batch arrived; `dropped` counts all events lost so far. */
  worked(dropped: number): void {
    if (this.#isFailing) this.#write(`${this.#options.shown} takes traces again; ${countOf(dropped)} lost so far`);
    if (this.#doubt !== undefined) this.#write(this.#doubt);
    this.#doubt = undefined;
    this.#isFailing = false;
    this.#isOverflowing = false;
  }

  rejected(count: number, complaint: string): void {
    this.#doubt = undefined;
    if (this.#isRejecting) return;
    this.#isRejecting = true;
    const what = count === 0 ? "a complaint" : `${countOf(count)} not taken`;
    this.#write(`${what} by ${this.#options.shown}: ${complaint}`);
  }

  acceptedWhole(): void {
    this.#isRejecting = false;
  }

  overflowed(): void {
    if (this.#isOverflowing || this.#isFailing) return;
    this.#isOverflowing = true;
    this.#write("more events than the queue holds: the oldest are dropped");
  }

  /** Told when a batch arrives all the same. What fails or is refused then has a line of its own for the same cause. */
  doubt(text: string): void {
    this.#doubt = text;
  }

  #write(text: string): void {
    try {
      this.#options.write(`[${this.#options.label}] ${text}`);
    } catch {
      // A log that cannot be written is never worth stopping an agent for.
    }
  }
}

function countOf(events: number): string {
  return `${events} event${events === 1 ? "" : "s"}`;
}

/** Of what a server says: on one line, without control characters, short. */
export function printable(words: string): string {
  return words
    .slice(0, 200)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ")
    .trim();
}
