// A pattern that names notes. It may come from anybody, so what would make matching slow is refused, and what would leave the
// workspace too.
import { CompactError } from "../../../errors.ts";

export interface NoteGlob {
  /** Folder below which all matches are; `""` for the root. */
  readonly base: string;
  readonly isMatch: (file: string) => boolean;
}

const LONGEST = 500;
/** What it takes to match rises with the power of their number: of a name, and of the whole. */
const MOST_STARS = 3;
const SPECIAL = /[*?[\]{}@\\]/;

/** @throws InvalidInput (`INVALID_GLOB`, `OUTSIDE_WORKSPACE`). */
export async function readGlob(glob: string): Promise<NoteGlob> {
  const written = glob.replace(/^(?:\.\/){1,100}/, "");
  const steps = written.split("/");
  if (written.startsWith("/") || steps.includes("..")) throw refused(glob, "OUTSIDE_WORKSPACE", "leaves the workspace");
  const fault = faultOf(written, steps);
  if (fault !== undefined) throw refused(glob, "INVALID_GLOB", fault);
  const { default: picomatch } = await import("picomatch");
  const options = { dot: false, nonegate: true, noextglob: true, windows: false };
  const variable = steps.findIndex((step) => SPECIAL.test(step));
  return { base: steps.slice(0, variable).join("/"), isMatch: picomatch(literally(written), options) };
}

function faultOf(written: string, steps: readonly string[]): string | undefined {
  if (written.trim() === "") return "is empty";
  if (written.length > LONGEST) return `is longer than ${LONGEST} characters`;
  const isHard =
    steps.filter((step) => step.includes("**")).length > MOST_STARS ||
    steps.some((step) => step.split("*").length - 1 > MOST_STARS);
  return isHard ? "has more than three stars in a row of folders, or in one name" : undefined;
}

/** Names hold round brackets and plus signs; in a pattern they would be expressions of their own. */
function literally(written: string): string {
  return written.replace(/\\.|[()|+]/gs, (found) => (found.startsWith("\\") ? found : `\\${found}`));
}

function refused(glob: string, code: string, fault: string): CompactError {
  return new CompactError("InvalidInput", `The pattern of the notes ${fault}.`, {
    code,
    hint: 'Write it from the workspace, as "notes/*.md" or "journal/**/*.md".',
    data: { pattern: glob.slice(0, LONGEST) },
  });
}
