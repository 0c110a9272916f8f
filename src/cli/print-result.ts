// How a command says its result: one JSON object for a script, or what is rendered for a person.
import type { CommonFlags } from "./flags.ts";
import { type Colors, colorsOf, type Terminal } from "./terminal.ts";

/** `isTold`: the result only tells what was done, so with `--quiet` there is nothing to say. */
export function printResult(
  value: object,
  render: (colors: Colors) => string,
  { json, quiet }: CommonFlags,
  terminal: Terminal,
  { isTold = false }: { readonly isTold?: boolean } = {},
): void {
  const { stdout } = terminal;
  if (isTold && quiet === true && json !== true) return;
  stdout.write(json === true ? `${JSON.stringify(value)}\n` : render(colorsOf(stdout, terminal)));
}
