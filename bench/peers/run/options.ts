// What the command is told: `--sessions PATTERN`, `--peers PATTERN`, `--quick`.
import { parseArgs } from "node:util";

export interface Options {
  readonly sessions: RegExp;
  readonly peers: RegExp;
  /** The smallest sessions, one budget, no page. */
  readonly isQuick: boolean;
  /** Less than everything was asked for: nothing is written. */
  readonly isPart: boolean;
}

export function readOptions(given: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...given],
    options: { sessions: { type: "string" }, peers: { type: "string" }, quick: { type: "boolean", default: false } },
  });
  const { sessions, peers, quick } = values;
  return {
    sessions: new RegExp(sessions ?? "", "i"),
    peers: new RegExp(peers ?? "", "i"),
    isQuick: quick,
    isPart: quick || sessions !== undefined || peers !== undefined,
  };
}
