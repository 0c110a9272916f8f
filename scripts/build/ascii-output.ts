// A step of the build: what is written holds ASCII alone. A single "…" makes the engine keep and read the whole file as
// sixteen bits a character; an escape in its place means the same in texts and patterns.
import type { Plugin } from "rolldown";

export function asciiOutput(): Plugin {
  return {
    name: "ascii-output",
    // Last of all: what prints the code anew writes characters again.
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what they begin
        if (file.type === "chunk") file.code = file.code.replace(/[^\x00-\x7f]/g, escaped);
      }
    },
  };
}

/** One unit of UTF-16, so that both halves of a pair are escaped as they stand. */
function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
