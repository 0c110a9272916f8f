// What a command knows of the outside: arguments, streams, folder, environment. Passed in, so that commands run
// the same in a test as in a shell. Also the two questions that are asked of a terminal: colours, and how wide.
import picocolors from "picocolors";

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

export type Colors = ReturnType<typeof picocolors.createColors>;

/** Colours for what goes to `stream`: only on a terminal, and never with NO_COLOR. */
export function colorsOf(stream: OutputStream, { env }: Terminal): Colors {
  const isWanted = stream.isTTY === true && (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb";
  return picocolors.createColors(isWanted);
}

const USUAL_WIDTH = 100;

export function widthOf({ columns }: OutputStream): number {
  return Math.min(Math.max(columns ?? USUAL_WIDTH, 60), 140);
}
