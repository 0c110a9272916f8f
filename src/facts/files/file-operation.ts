// What one call did to one file.
import type { FileFact } from "../ledger.ts";
import type { ChangedLine } from "./change.ts";

export interface FileOperation {
  readonly path: string;
  readonly operation: FileFact["operation"];
  /** New path of a moved file. */
  readonly to?: string;
  readonly change?: readonly ChangedLine[];
}
