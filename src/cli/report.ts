// What a command reports: its result on stdout, one JSON object for a script or what is rendered for a person; its progress
// on stderr.
import { Writable } from "node:stream";
import { printable } from "../text/printable.ts";
import type { CommonFlags } from "./flags.ts";
import { type Colors, colorsOf, loadPackage, type OutputStream, ownColours, type Terminal } from "./terminal.ts";

/** `isReport`: the result only reports what was done, so with `--quiet` there is nothing to say. */
export function printResult(
  value: object,
  render: (colors: Colors) => string,
  { json, quiet }: CommonFlags,
  terminal: Terminal,
  { isReport = false }: { readonly isReport?: boolean } = {},
): void {
  const { stdout } = terminal;
  if (isReport && quiet === true && json !== true) return;
  stdout.write(json === true ? `${JSON.stringify(value)}\n` : render(colorsOf(stdout, terminal)));
}

// Progress: lines on stderr while a command works. On a terminal they are drawn by clack's log, not by
// its spinner: that one puts the keyboard into raw mode, where Ctrl-C ends the process at once with exit code 0.

export interface Progress {
  /** A step that may take a while. Shown on a terminal only. */
  step(text: string): void;
  /** Something the person should know. Always shown, but with --quiet. */
  warn(text: string): void;
}

export function createProgress({ stderr }: Terminal, { quiet }: CommonFlags): Progress {
  if (quiet === true) return { step: () => undefined, warn: () => undefined };
  if (stderr.isTTY !== true) return { step: () => undefined, warn: (text) => void stderr.write(`warning: ${text}\n`) };
  const options = { output: asWritable(stderr), spacing: 0 };
  const { log } = loadPackage("@clack/prompts") as typeof import("@clack/prompts");
  return { step: (text) => log.step(printable(text), options), warn: (text) => log.warn(printable(text), options) };
}

function asWritable(stream: OutputStream): Writable {
  return new Writable({
    decodeStrings: false,
    write(chunk: unknown, _encoding, done) {
      stream.write(ownColours(String(chunk)));
      done();
    },
  });
}
