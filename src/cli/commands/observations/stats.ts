// `agent-compact observations stats`: how much the store holds.
import { memoryStats } from "../../../observations/reading/memory-stats.ts";
import { type StoreFlags, withStore } from "../../open-store.ts";
import { printResult } from "../../print-result.ts";
import { oneLine, renderTable } from "../../render/table.ts";
import type { Terminal } from "../../terminal.ts";

export async function showStats(flags: StoreFlags, terminal: Terminal): Promise<void> {
  await withStore(flags, terminal, {}, async ({ store, shown, count }) => {
    const stats = await memoryStats(store, { count });
    printResult(
      { db: shown, ...stats },
      (colors) => {
        const rows = [
          ["live observations", stats.observations],
          ["  their tokens", stats.tokens ?? 0],
          ["  of them summaries", stats.summaries],
          ["compacted or deleted", stats.deleted],
          ["relations", stats.relations],
          ["sessions", stats.sessions],
          ["user prompts", stats.prompts],
        ];
        const table = renderTable([{ title: "" }, { title: "", isNumber: true }], rows, colors);
        const projects = stats.projects.length === 0 ? "none" : stats.projects.map(oneLine).join(", ");
        return `${colors.bold(shown)}\n${table}\nProjects: ${projects}\n`;
      },
      flags,
      terminal,
    );
  });
}
