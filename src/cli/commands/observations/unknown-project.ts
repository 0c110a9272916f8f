// What to say of a project that no live row has: mostly it is written otherwise.
import type { ObservationStore } from "../../../observations/observation-store.ts";
import { memoryStats } from "../../../observations/reading/memory-stats.ts";
import { figure, oneLine } from "../../render/table.ts";

const MOST_NAMED = 12;
const LONGEST_NAME = 40;

/** A line; empty where some row has it, where none was asked for, and where no row has a project. */
export async function unknownProject(store: ObservationStore, asked: string | undefined): Promise<string> {
  if (asked === undefined) return "";
  const { projects } = await memoryStats(store);
  if (projects.length === 0 || projects.includes(asked)) return "";
  const same = projects.find((name) => name.toLowerCase() === asked.toLowerCase());
  const meant = same === undefined ? "" : ` Did you mean ${named(same)}?`;
  const more = projects.length > MOST_NAMED ? ` and ${figure(projects.length - MOST_NAMED)} more` : "";
  const names = projects.slice(0, MOST_NAMED).map(named);
  return `No row has the project ${named(asked)}.${meant} There are: ${names.join(", ")}${more}.\n`;
}

function named(project: string): string {
  return Array.from(oneLine(project)).slice(0, LONGEST_NAME).join("");
}
