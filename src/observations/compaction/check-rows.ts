// Which of the ids asked for may be compacted: live rows of the project and scope that were named. One that may not
// refuses the whole call, by name, since a summary was written of all of them.
import { CompactError } from "../../errors.ts";
import type { Observation } from "../observation.ts";
import type { ObservationFilter, ObservationReader } from "../observation-store.ts";
import { successorsOf } from "../reading/standing.ts";

/** The rows, in the order of the ids. Throws `NotFound`, `Conflict` or `InvalidInput` that names every id at fault. */
export async function liveRows(
  rows: ObservationReader,
  ids: readonly number[],
  filter: ObservationFilter,
): Promise<readonly Observation[]> {
  const found = await rows.observations(ids);
  const known = new Set(found.map(({ id }) => id));
  const unknown = ids.filter((id) => !known.has(id));
  const deleted = found.filter(({ deleted_at }) => deleted_at !== null);
  const foreign = found.filter((row) => row.deleted_at === null && !isIn(row, filter));
  if (unknown.length + deleted.length + foreign.length === 0) return found;
  const successors = await successorsOf(rows, deleted);
  const sentences = [
    sentence(unknown, "does not exist", "do not exist"),
    sentence(
      deleted.map(({ id }) => {
        const [latest] = successors.get(id) ?? [];
        return latest === undefined ? id : `${id} (compacted into ${latest})`;
      }),
      "is already deleted",
      "are already deleted",
    ),
    sentence(
      foreign.map((row) => `${row.id} (${belonging(row)})`),
      `is not of ${described(filter)}`,
      `are not of ${described(filter)}`,
    ),
  ];
  throw new CompactError(kindOf(unknown, foreign), `Nothing was changed: ${sentences.filter(Boolean).join("; ")}.`, {
    code: "IDS_REFUSED",
    hint: "Leave these ids out, and list the candidates again if they should be there.",
    data: { unknown, deleted: deleted.map(({ id }) => id), outside: foreign.map(({ id }) => id) },
  });
}

export function isIn(
  row: Pick<Observation, "project" | "scope" | "namespace">,
  { project, scope, namespace }: ObservationFilter,
): boolean {
  return (
    (project === undefined || row.project === project) &&
    (scope === undefined || row.scope === scope) &&
    (namespace === undefined || row.namespace === namespace)
  );
}

function kindOf(unknown: readonly unknown[], foreign: readonly unknown[]) {
  if (unknown.length > 0) return "NotFound";
  return foreign.length > 0 ? "InvalidInput" : "Conflict";
}

function sentence(ids: readonly (number | string)[], one: string, many: string): string | undefined {
  if (ids.length === 0) return undefined;
  return ids.length === 1 ? `observation ${ids[0]} ${one}` : `observations ${ids.join(", ")} ${many}`;
}

function belonging({ project, scope }: Observation): string {
  return project === null ? `no project, scope ${scope}` : `project ${JSON.stringify(project)}, scope ${scope}`;
}

function described({ project, scope, namespace }: ObservationFilter): string {
  const parts = [
    project === undefined ? undefined : `project ${JSON.stringify(project)}`,
    scope === undefined ? undefined : `scope ${scope}`,
    namespace === undefined ? undefined : `namespace ${JSON.stringify(namespace)}`,
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}
