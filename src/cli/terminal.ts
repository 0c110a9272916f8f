// What a command knows of the outside: arguments, streams, folder, environment. Passed in, so that commands run
// the same in a test as in a shell. Also colours, width, and what is done before the process ends.
import { createRequire } from "node:module";
import process from "node:process";
import picocolors from "picocolors";
import { printable } from "../text/printable.ts";
import { settledWithin } from "../timeout.ts";

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
  /** What starts this program, both absolute: Node, and the file that it runs. */
  readonly program?: readonly [node: string, main: string];
  /** Aborted by Ctrl-C: what is being written is finished, nothing new is started. */
  readonly signal?: AbortSignal;
  /** Takes what is to be done when the process ends before the command does; gives what takes it back. */
  readonly beforeExit?: (close: () => Promise<void>) => () => void;
}

/** Thrown when a program that was run ends with a code of its own, which is then ours. */
export class AgentEnded extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`ended with ${exitCode}`);
    this.exitCode = exitCode;
  }
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

// The one place through which text reaches the terminal. Nothing that a terminal obeys comes from a file, an archive or a
// store: colours are ours alone, and are told from others by a sign that no text can know.

/** Of this process. Parameters of a colour: a table that measures its cells takes them for one. */
let sign: string | undefined;

function ownSign(): string {
  const part = () => 1000 + Math.floor(Math.random() * 9000);
  sign ??= `${part()};${part()};`;
  return sign;
}

/** The text with its colours marked as ours: for what was coloured by code, around text that is printable. */
export function ownColours(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a colour begins with
  return text.replace(/\u001b\[(?=[\d;]{1,9}m)/g, `\u001b[${ownSign()}`);
}

/** What is ours stays as it is, marks and all; everything else is made printable. */
export function besideOwnColours(text: string, ours: (colour: string) => string = (colour) => colour): string {
  if (!text.includes("\u001b")) return printable(text);
  const pieces = text.split(new RegExp(`(\u001b\\[${ownSign()}[\\d;]{1,9}m)`));
  return pieces.map((piece, index) => (index % 2 === 0 ? printable(piece) : ours(piece))).join("");
}

/** Texts are made printable; bytes, which are results and not for reading, go through as they are. */
export function printableTerminal(terminal: Terminal): Terminal {
  return { ...terminal, stdout: printableStream(terminal.stdout), stderr: printableStream(terminal.stderr) };
}

function printableStream(stream: OutputStream): OutputStream {
  const asColour = (colour: string) => colour.replace(ownSign(), "");
  return {
    isTTY: stream.isTTY,
    columns: stream.columns,
    write: (content) => stream.write(typeof content === "string" ? besideOwnColours(content, asColour) : content),
  };
}

/** At once, in the middle of what is shown: packages that draw take longer to open than many commands run. */
export const loadPackage = createRequire(import.meta.url);

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
