// Keeps files readable in one sitting, and file names free of words that hide what is inside.
// The ceiling of functions is in biome.json.
import { posix } from "node:path";
import type { Violation } from "./layer-check.ts";
import { ceilings } from "./layers.ts";
import type { FileMap } from "./source-files.ts";

const hollowWords = [
  "manager",
  "service",
  "helper",
  "helpers",
  "util",
  "utils",
  "processor",
  "handler",
  "data",
  "info",
];
/** Named by the specification, so users look for it. */
const allowedNames = new Set(["compact-manager.ts"]);

/** Checks the files of src/ (paths relative to it). Prompts and generated files may be long. */
export function checkCeilings(sources: FileMap): Violation[] {
  const violations: Violation[] = [];
  for (const [path, text] of sources) {
    const lines = text.replace(/\n$/, "").split("\n").length;
    if (lines > ceilings.fileLines && !mayBeLong(path)) {
      violations.push(`${path}:${lines} has ${lines} lines, at most ${ceilings.fileLines}: split it by idea`);
    }
    const hollow = allowedNames.has(posix.basename(path)) ? undefined : hollowWord(path);
    if (hollow !== undefined) violations.push(`${path}:1 "${hollow}" in a name says nothing: name what it does`);
  }
  return violations;
}

function mayBeLong(path: string): boolean {
  return /(?:-prompts?|\.generated)\.ts$/.test(path);
}

function hollowWord(path: string): string | undefined {
  const words = path.replace(/\.ts$/, "").split(/[/-]/);
  return words.find((word) => hollowWords.includes(word));
}
