// How a command says its result: one JSON object for a script, or what is rendered for a person.
import type { CommonFlags } from "./flags.ts";
import { type Colors, colorsOf, type Terminal } from "./terminal.ts";

export function printResult(
  value: object,
  render: (colors: Colors) => string,
  { json }: CommonFlags,
  terminal: Terminal,
): void {
  const { stdout } = terminal;
  stdout.write(json === true ? `${JSON.stringify(value)}\n` : render(colorsOf(stdout, terminal)));
}
