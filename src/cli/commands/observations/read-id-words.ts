// Reads ids as a person types them: apart, or with commas.
import { badFlag, quoted } from "../../flags.ts";

export function readIdWords(words: readonly string[]): readonly number[] {
  return words
    .flatMap((word) => word.split(","))
    .map((word) => word.trim())
    .filter((word) => word !== "")
    .map((word) => {
      const id = /^#?(\d{1,15})$/.exec(word)?.[1];
      if (id !== undefined && Number(id) > 0) return Number(id);
      throw badFlag(
        `An id must be a whole number from 1, not ${quoted(word)}.`,
        "agent-compact observations stale shows the ids.",
      );
    });
}
