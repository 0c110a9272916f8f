// What a command knows of the outside: arguments, streams, folder, environment. Passed in, so that commands run
// the same in a test as in a shell. Also colours, width, and what is done before the process ends.
import process from "node:process";
import picocolors from "picocolors";
import { settledWithin } from "../timeout.ts";
import { besideOwnColours, ownColours } from "./printable.ts";

export interface OutputStream {
  write(content: string | Uint8Array): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

export interface Terminal {
  /** Without the program's own two. */
  readonly argv: readonly string[];
  readonly stdin: AsyncIterable<Uint8Array | string> & { readonly isTTY?: boolean | undefined };
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C: what is being written is finished, nothing new is started. */
  readonly signal?: AbortSignal;
  /** Takes what is to be done when the process ends before the command does; gives what takes it back. */
  readonly beforeExit?: (close: () => Promise<void>) => () => void;
}

/** The first word that is no flag and no flag's value. */
export function commandOf(argv: readonly string[]): string | undefined {
  return argv.find((word, index) => !word.startsWith("-") && argv[index - 1] !== "--config");
}

export type Colors = ReturnType<typeof picocolors.createColors>;

/** Colours for what goes to `stream`: only on a terminal, and never with NO_COLOR. */
export function colorsOf(stream: OutputStream, { env }: Terminal): Colors {
  const isWanted = stream.isTTY === true && (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb";
  const colors = picocolors.createColors(isWanted);
  if (!isWanted) return colors;
  const signed = Object.entries(colors).map(([name, paint]) => [
    name,
    typeof paint === "function" ? (text: unknown) => ownColours(paint(besideOwnColours(String(text)))) : paint,
  ]);
  return Object.fromEntries(signed) as Colors;
}

const USUAL_WIDTH = 100;

export function widthOf({ columns }: OutputStream): number {
  return Math.min(Math.max(columns ?? USUAL_WIDTH, 60), 140);
}

// What is still to be done when the process has to end in the middle of a command: events on their way are sent, within two
// seconds. A second signal ends it at once. While nothing is to be done, signals do what they always do.

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
    await settledWithin(Promise.all([...this.#steps].map((close) => close())), LONGEST_END_MS);
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
