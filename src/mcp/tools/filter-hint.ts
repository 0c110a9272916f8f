// What to say where a filter leaves nothing: mostly its name is written otherwise.
import type { ObservationStore } from "../../observations/observation-store.ts";
import { memoryStats } from "../../observations/reading/memory-overview.ts";
import { unknownNameText } from "../../text/nearest-name.ts";
import { shownName } from "./row-view.ts";

interface Asked {
  readonly project?: string | undefined;
  readonly scope?: string | undefined;
}

/** A line of its own behind a space; empty where project and scope are known names. */
export async function filterHint(store: ObservationStore, { project, scope }: Asked): Promise<string> {
  const projects = project?.trim() ? (await memoryStats(store)).projects : [];
  const hints: string[] = [];
  if (project !== undefined && projects.length > 0 && !projects.includes(project))
    hints.push(
      unknownNameText({ what: "memory has the project", asked: project, known: projects }, (name) => shownName(name)),
    );
  if (scope?.trim() && !/^(?:project|personal)$/i.test(scope.trim()))
    hints.push(`${shownName(scope)} is no scope: it is read as "project"; the other one is "personal".`);
  return hints.map((hint) => ` ${hint}`).join("");
}
