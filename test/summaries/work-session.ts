// A long session whose every sentence is its own, so that a summary always has more to say: requests, reports, edits,
// runs. Written by count, the same each time.
import { assistant, type ChatMessage, pair, user } from "../conversation/support.ts";

const PLACES = ["parser", "ledger", "mailer", "queue", "router", "cache", "index", "gateway", "session", "export"];
const FAULTS = ["drops", "doubles", "delays", "reorders", "truncates", "misreads", "forgets", "mixes"];
const CAUSES = ["a stale lock", "an old header", "the wrong offset", "two clocks", "a lost retry", "an empty page"];

const pick = (list: readonly string[], n: number) => list[n % list.length] ?? "";

/** One turn: a request, what was found on the way, an edit, a run of its test, a report. */
export function workTurn(n: number): readonly ChatMessage[] {
  const place = pick(PLACES, n);
  const fault = pick(FAULTS, n * 3);
  const cause = pick(CAUSES, n * 5);
  const path = `src/${place}/part-${n}.ts`;
  return [
    user(`The ${place} ${fault} entry ${n * 37} on shard ${n % 7}; find out why and mend it.`),
    assistant(`I look at ${path} first.`),
    ...pair([`e${n}`], "ok", "edit_file", {
      path,
      old_string: `function read${place}${n}(at) {`,
      new_string: `function read${place}${n}(at, limit = ${n * 11}) {`,
    }),
    ...pair([`t${n}`], `Tests ${n + 3} passed (${n + 3})`, "run_command", {
      command: `npx vitest run test/${place}-${n}`,
    }),
    assistant(
      [
        `The cause is ${cause} in step ${n * 13} of the ${place}.`,
        `It came in with release ${n % 9}.${n % 4}.${n} and shows only when ${n * 7} entries wait.`,
        `I gave the reader a limit of ${n * 11}, which bounds the wait to ${n * 17} ms.`,
        `All ${n + 3} tests of part ${n} pass.`,
        `What remains is the note for operators about shard ${n % 7} and window ${n * 19}.`,
      ].join(" "),
    ),
  ];
}

export const workSession = (turns: number): readonly ChatMessage[] =>
  Array.from({ length: turns }, (_, n) => workTurn(n + 1)).flat();
