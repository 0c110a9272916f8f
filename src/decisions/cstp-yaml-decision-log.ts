// A decision log in a folder of YAML files, one a record, as people keep them under version control: the same contract as a
// database. The files are the truth; edits of other programs are seen at the next read, and what is written touches nothing
// but the keys that change.
import { createTransactionQueue } from "../engine/serial-queue.ts";
import { type DecisionLog, logClosed } from "./decision-log.ts";

export interface CstpYamlDecisionLogOptions {
  /** The folder that the years stand in. */
  readonly path: string;
  /** Makes it, at the first write, where it is missing. Default false: `NotFound` (`NO_FOLDER`). */
  readonly create?: boolean;
}

/** Opened at the first call. Nothing is written by reading. */
export function createCstpYamlDecisionLog({ path, create = false }: CstpYamlDecisionLogOptions): DecisionLog {
  const transactions = createTransactionQueue(logClosed);
  let opened: Promise<Pick<DecisionLog, "read" | "write">> | undefined;
  // The parser of YAML is loaded with the first folder.
  const open = () =>
    (opened ??= import("./folder/open-decision-folder.ts").then((folder) => folder.openDecisionFolder(path, create)));
  return {
    adapter: "cstp-yaml",
    location: path,
    read: (work) => transactions.take(async () => (await open()).read(work)),
    write: (work) => transactions.take(async () => (await open()).write(work)),
    close: transactions.close,
  };
}
