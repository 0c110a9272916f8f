// A file that nobody may write is one that somebody wants as it is. Replacing it by a rename would get round that, so the mode
// is asked, whoever runs this.
import { CompactError } from "../../errors.ts";

const ANY_WRITE = 0o222;

/** @throws Conflict (`READ_ONLY`). `mode` as the system has it. */
export function refuseReadOnly(file: string, mode: number): void {
  if ((mode & ANY_WRITE) !== 0) return;
  throw new CompactError(
    "Conflict",
    `${file} is read-only, so it stays as it is; to allow the change, make it writable (chmod u+w) and run this again.`,
    { code: "READ_ONLY", data: { file } },
  );
}
