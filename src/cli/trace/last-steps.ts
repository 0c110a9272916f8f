// What is still to be done when the process has to end in the middle of a command: events on their way are sent, within two
// seconds. A second signal ends it at once. While nothing is to be done, signals do what they always do.
import process from "node:process";
import { withinTime } from "../../trace/hosted/within-time.ts";

/** Of a command's trace, whatever a disk or a viewer does. */
export const LONGEST_END_MS = 2_000;

type Close = () => Promise<void>;

/** Ctrl-C is not among them: it lets the command come to its own end. */
const SIGNALS = { SIGTERM: 15, SIGHUP: 1 } as const;

export class LastSteps {
  readonly #steps = new Set<Close>();
  #isEnding = false;

  /** Gives what takes it back. */
  readonly add = (close: Close): (() => void) => {
    if (this.#steps.size === 0) this.#listen();
    this.#steps.add(close);
    return () => {
      this.#steps.delete(close);
      if (this.#steps.size === 0) this.#stopListening();
    };
  };

  /** Ends the process after the steps. */
  async endWith(code: number | undefined): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#stopListening();
    await withinTime(Promise.all([...this.#steps].map((close) => close())), LONGEST_END_MS);
    process.exit(code);
  }

  #listen(): void {
    for (const signal of Object.keys(SIGNALS)) process.once(signal, this.#onSignal);
  }

  #stopListening(): void {
    for (const signal of Object.keys(SIGNALS)) process.off(signal, this.#onSignal);
  }

  /** 128 and the signal's number, as shells do. */
  readonly #onSignal = (signal: NodeJS.Signals): void => {
    void this.endWith(128 + SIGNALS[signal as keyof typeof SIGNALS]);
  };
}
