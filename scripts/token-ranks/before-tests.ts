// Vitest's global setup: the suite runs on the sources, so the compiled ranks must stand beside them.
import { writeRanks } from "./write-ranks.ts";

export function setup(): void {
  writeRanks();
}
