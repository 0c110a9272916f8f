// What a reader of session files says about the things it left out or put right. Empty where there was nothing.
import type { JsonLineFault } from "../../text/jsonl.ts";
import type { ReadNote } from "./reader.ts";

export function noteFaults(faults: readonly JsonLineFault[]): readonly ReadNote[] {
  const [torn] = faults.filter(({ reason }) => reason === "torn");
  const unreadable = faults.filter(({ reason }) => reason !== "torn").length;
  return [
    ...(torn === undefined ? [] : [note("torn_line", `line ${torn.line} is cut off and was left out`)]),
    ...(unreadable === 0 ? [] : [note("unreadable_lines", `${count(unreadable, "line")} could not be read`)]),
  ];
}

export function noteJoined(sessions: number): readonly ReadNote[] {
  if (sessions < 2) return [];
  return [note("joined_sessions", `${sessions} sessions in the file were joined, one after another`)];
}

export function noteRepeated(lines: number): readonly ReadNote[] {
  if (lines === 0) return [];
  const repeats = lines === 1 ? "repeats" : "repeat";
  return [note("repeated_lines", `${count(lines, "line")} that ${repeats} an earlier one left out`)];
}

export function noteRewound(prompts: number): readonly ReadNote[] {
  if (prompts === 0) return [];
  const [thatWas, were] = prompts === 1 ? ["that was", "was"] : ["that were", "were"];
  return [note("rewound_prompts", `${count(prompts, "prompt")} ${thatWas} taken back ${were} left out`)];
}

export function noteGaps(gaps: number): readonly ReadNote[] {
  if (gaps === 0) return [];
  return [
    note(
      "missing_parents",
      `${count(gaps, "time")} the message before was not in the file, and the nearest one was taken`,
    ),
  ];
}

export function noteCompactions(compactions: number): readonly ReadNote[] {
  if (compactions === 0) return [];
  return [
    note(
      "host_compactions",
      `${count(compactions, "compaction")} of the host undone: the messages before are in the file`,
    ),
  ];
}

export function noteUnsigned(passages: number): readonly ReadNote[] {
  if (passages === 0) return [];
  const were = passages === 1 ? "was" : "were";
  return [
    note(
      "unsigned_reasoning",
      `${count(passages, "passage")} of reasoning without a signature that Anthropic knows ${were} left out`,
    ),
  ];
}

/** `what` goes on from the noun: "of the host's own". */
export function noteLeftOut(number: number, noun: string, what: string): readonly ReadNote[] {
  if (number === 0) return [];
  return [note("left_out", `${count(number, noun)} ${what} ${number === 1 ? "was" : "were"} left out`)];
}

function note(code: ReadNote["code"], message: string): ReadNote {
  return { code, message };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
