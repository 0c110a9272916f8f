// What the command is told: `--sessions PATTERN` and `--peers PATTERN` (of their names), `--quick`, `--kept` (no replays,
// one run each), `--workers COUNT`; `--json FILE` keeps the figures, `--from FILE`, once or
// more often, writes the page from kept ones.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";

export interface Options {
  /** Of file names. */
  readonly sessions: RegExp;
  readonly peers: RegExp;
  /** The three smallest sessions, one budget. */
  readonly isQuick: boolean;
  /** Less than everything was asked for: the page is printed, not written. */
  readonly isPart: boolean;
  /** No replays, and one run each: a tenth of the time. */
  readonly isKeptOnly: boolean;
  readonly workers: number;
  readonly json: string | undefined;
  readonly from: readonly string[];
}

export function readOptions(given: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...given],
    options: {
      sessions: { type: "string" },
      peers: { type: "string" },
      kept: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
      workers: { type: "string" },
      json: { type: "string" },
      from: { type: "string", multiple: true, default: [] },
    },
  });
  const { sessions, peers, quick, workers, json, from } = values;
  return {
    sessions: new RegExp(sessions ?? "", "i"),
    peers: new RegExp(peers ?? "", "i"),
    isQuick: quick,
    isKeptOnly: values.kept,
    isPart: quick || values.kept || sessions !== undefined || peers !== undefined,
    workers: Math.max(1, Number(workers ?? availableParallelism()) || 1),
    json,
    from,
  };
}
