// A tool's context over one store, with a fixed clock and exact counts.
import { createMemoryArchive } from "../../../src/archive/archives.ts";
import type { ToolContext } from "../../../src/mcp/tool.ts";
import type { ObservationStore } from "../../../src/observations/observation-store.ts";
import { createTokenCounter } from "../../../src/tokens.ts";
import { NOW } from "../../observations/rows.ts";

const counter = createTokenCounter({ encoding: "o200k_base" });
export const countTokens = (text: string): number => counter.count(text);

export function toolContext(store: ObservationStore, changes: Partial<ToolContext> = {}): ToolContext {
  const archive = createMemoryArchive();
  return {
    store: async () => store,
    archive: async () => archive,
    now: () => NOW,
    count: countTokens,
    maxTokens: 8000,
    ...changes,
  };
}
