// `agent-compact memory-files --plan-out`: the plan as a file that --plan carries out. It never takes the place of a file of
// the workspace.
import { join } from "node:path";
import type { MemoryFilesResult } from "../../../memory-files/compact-memory-files.ts";
import { ARCHIVE_FOLDER } from "../../../memory-files/workspace/workspace.ts";
import type { CommonFlags } from "../../flags.ts";
import { shellWord } from "../../open-compactor.ts";
import { checkOutput, chooseOutput } from "../../output/output-place.ts";
import { writeOutput } from "../../output/write-output.ts";
import { printResult } from "../../print-result.ts";
import { type MemoryFilesView, renderView } from "../../render/memory-files/view.ts";
import type { Colors, Terminal } from "../../terminal.ts";

export interface PlanOutput {
  /** `-` for stdout. */
  readonly out: string;
  readonly viewOf: (colors: Colors) => MemoryFilesView;
}

const RULES = { keptAs: "a file of the workspace", flag: "--plan-out" } as const;

export async function writePlan(
  result: MemoryFilesResult,
  { out, viewOf }: PlanOutput,
  flags: CommonFlags,
  terminal: Terminal,
): Promise<void> {
  const { plan, workspace } = result;
  const place = chooseOutput({ cwd: terminal.cwd, out, input: undefined, extension: ".json" });
  for (const { file } of [...result.memory_files, ...result.notes, ...result.unread])
    await checkOutput(place, { ...RULES, kept: join(workspace, file), closed: join(workspace, ARCHIVE_FOLDER) });
  await writeOutput(place, `${JSON.stringify(plan, undefined, 2)}\n`, terminal);
  if (place.kind === "stdout") return;
  const { totals, memory_size_before, memory_size_after } = plan;
  printResult(
    { plan: place.path, totals, memory_size_before, memory_size_after },
    (colors) => {
      if (flags.quiet === true) return `${place.shown}\n`;
      const view = { ...viewOf(colors), hasIds: true };
      const apply = colors.cyan(`agent-compact memory-files ${view.word} --plan ${shellWord(place.shown)}`);
      return renderView(result, view, `The plan is in ${place.shown}. To carry it out:\n  ${apply}`);
    },
    flags,
    terminal,
  );
}
