// `agent-compact observations export`: the whole store as one JSON object, deleted rows, relations and all.
import { exportObservations } from "../../../observations/transfer/export-observations.ts";
import { refuseTwoOutputs } from "../../flags.ts";
import { type StoreFlags, withStore } from "../../open-store.ts";
import { checkOutput, chooseOutput } from "../../output/output-place.ts";
import { writeOutput } from "../../output/write-output.ts";
import { printResult } from "../../print-result.ts";
import type { Terminal } from "../../terminal.ts";

export interface ExportFlags extends StoreFlags {
  readonly project?: string;
  readonly out?: string;
}

/** Without `--out` to stdout, where it is the one JSON object that `--json` promises. */
export async function exportStore(flags: ExportFlags, terminal: Terminal): Promise<void> {
  refuseTwoOutputs(flags);
  const { project } = flags;
  const place = chooseOutput({ cwd: terminal.cwd, out: flags.out ?? "-", input: undefined, extension: ".json" });
  await withStore(flags, terminal, {}, async ({ store, path, shown }) => {
    await checkOutput(place, { kept: path });
    const request = { now: Date.now, ...(project === undefined ? {} : { project }) };
    await writeOutput(place, exportObservations(store, request), terminal);
    if (place.kind === "stdout") return;
    printResult(
      { db: shown, out: place.path },
      () => (flags.quiet === true ? `${place.shown}\n` : `Exported ${shown} to ${place.shown}\n`),
      flags,
      terminal,
    );
  });
}
