// What to say where a filter leaves nothing: mostly its name is written otherwise.
import type { ObservationStore } from "../../observations/observation-store.ts";
import { memoryStats } from "../../observations/reading/memory-overview.ts";
import { nearest } from "../../text/nearest-name.ts";
import { shownName } from "./row-view.ts";

const MOST_NAMED = 10;

interface Asked {
  readonly project?: string | undefined;
  readonly scope?: string | undefined;
}

/** A line of its own behind a space; empty where project and scope are known names. */
export async function filterHint(store: ObservationStore, { project, scope }: Asked): Promise<string> {
  const projects = project?.trim() ? (await memoryStats(store)).projects : [];
  const hints: string[] = [];
  if (project !== undefined && projects.length > 0 && !projects.includes(project)) {
    const meant = nearest(project, projects);
    const names = projects.slice(0, MOST_NAMED).map((name) => shownName(name));
    const more = projects.length > names.length ? `, and ${projects.length - names.length} more` : "";
    const guess = meant === undefined ? "" : ` Did you mean ${shownName(meant)}?`;
    hints.push(`No memory has the project ${shownName(project)}.${guess} There are: ${names.join(", ")}${more}.`);
  }
  if (scope?.trim() && !/^(?:project|personal)$/i.test(scope.trim()))
    hints.push(`${shownName(scope)} is no scope: it is read as "project"; the other one is "personal".`);
  return hints.map((hint) => ` ${hint}`).join("");
}
