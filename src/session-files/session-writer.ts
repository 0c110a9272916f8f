// What the rest of the product knows about session files that a host goes on from. Adding a host is one file that implements
// `SessionWriter`, and its line in the list of writers.
import { CompactError } from "../errors.ts";
import type { SessionText } from "./session-reader.ts";

/** What a compaction left of a session, for the same host to go on from. */
export interface CompactedSession {
  /** Of the new session, as `newId` gave it. */
  readonly id: string;
  /** ISO 8601 with `Z`. */
  readonly now: string;
  /** Stands for the messages that leave. Absent where every message stays. */
  readonly summary?: { readonly text: string; readonly tokensBefore: number };
  /** Indices in `SessionRead.messages` of those that stay: the last ones, and what users said before. */
  readonly kept: ReadonlySet<number>;
  /** What stands for the results of these calls, by the id of the call as `messages` has it. */
  readonly results: ReadonlyMap<string, string>;
}

/** Writes sessions that a host goes on from by its own command. */
export interface SessionWriter {
  /** What the host's own compactions left out has no place in what is written: the host would send it again. */
  readonly forgets?: true;
  /** `before`: the id of the session that it comes from. */
  newId(before: string | undefined): string;
  /** The file's name, in the folder of the session that it came from. */
  fileName(session: Pick<CompactedSession, "id" | "now">): string;
  /** The commands that go on with it, one after the other, as words. */
  resume(id: string, file: string): readonly (readonly string[])[];
  /** Throws `InvalidInput` (`UNKNOWN_SESSION`) for a text whose shape the host is not known to go on from. */
  write(from: SessionText, session: CompactedSession): string;
}

export function unknownSession(host: string): CompactError {
  return new CompactError("InvalidInput", `This session of ${host} is not of a kind that it is known to go on from.`, {
    code: "UNKNOWN_SESSION",
    hint: "`agent-compact conversation` compacts it into a list of messages.",
  });
}

/** Lines of a file by what becomes of the messages that they make up: one that stays keeps all of its lines. */
export function linesLeft(
  sources: readonly (readonly number[])[],
  { kept }: Pick<CompactedSession, "kept">,
): { readonly first: number; readonly dropped: ReadonlySet<number> } {
  const staying = new Set(sources.flatMap((lines, index) => (kept.has(index) ? lines : [])));
  const dropped = new Set(sources.flat().filter((line) => !staying.has(line)));
  return { first: [...staying].reduce((least, line) => Math.min(least, line), Number.POSITIVE_INFINITY), dropped };
}

/** One value a line, as hosts write them. */
export function jsonLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}
