// What was done between a failure and the success, in a few words: the files that were edited, with the line itself
// where it is a single one; else the command that was run; else what the assistant said.
import { cutWords } from "../calls/last-sentence.ts";
import type { FileOperation } from "../files/file-operation.ts";

const MOST_PATHS = 3;
const LONGEST_FIX = 240;
const LONGEST_LINE = 100;

/** What happened since the last failure. */
export interface Steps {
  readonly edits: readonly FileOperation[];
  /** The last command that went well before the one that had failed. */
  readonly command: string | undefined;
  readonly said: string | undefined;
}

export function fixText({ edits, command, said }: Steps): string | undefined {
  const paths = [...new Set(edits.map(({ path }) => path))];
  if (paths.length > 0) {
    const more = paths.length > MOST_PATHS ? ` and ${paths.length - MOST_PATHS} more` : "";
    const line = edits.length === 1 ? onlyLine(edits[0]) : undefined;
    const words = [`edited ${paths.slice(0, MOST_PATHS).join(", ")}${more}`, line ?? said].filter(
      (text) => text !== undefined,
    );
    return cutWords(words.join(": "), Math.max(LONGEST_FIX, words[0]?.length ?? 0));
  }
  return command === undefined ? said : cutWords(`ran ${command}`, LONGEST_FIX);
}

function onlyLine(edit: FileOperation | undefined): string | undefined {
  const added = (edit?.change ?? []).filter(({ mark, text }) => mark === "+" && text.trim() !== "");
  const line = added[0]?.text.trim();
  return added.length === 1 && line !== undefined && line.length <= LONGEST_LINE ? `\`${line}\`` : undefined;
}
