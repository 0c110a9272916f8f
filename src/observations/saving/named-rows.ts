// Reads lists of ids as clients send them: a real array or its JSON as text. Anything that is not exactly a list of
// whole positive numbers is refused as a whole, since a wrong reading would delete somebody's notes.
import { CompactError } from "../../errors.ts";
import type { Observation } from "../observation.ts";
import type { ObservationFilter, ObservationReader } from "../observation-store.ts";
import { successorsOf } from "../reading/row-view.ts";

/** Most ids of one compaction. */
export const MOST_COMPACTED = 200;

/** Distinct ids in their order. Throws `InvalidInput` that names the parameter and what is wrong with it. */
export function readIds(name: string, value: unknown, most: number): readonly number[] {
  const list = typeof value === "string" ? parseIds(name, value) : value;
  if (!Array.isArray(list)) throw refuseIds(name, `it is ${kindOf(list)}`);
  if (list.length === 0) throw new CompactError("InvalidInput", `'${name}' array is empty.`, idsHint(name));
  const wrong = list.findIndex((id) => !Number.isSafeInteger(id) || id < 1);
  if (wrong >= 0) throw refuseIds(name, `element ${wrong + 1} is ${shown(list[wrong])}`);
  const ids = [...new Set(list as number[])];
  if (ids.length <= most) return ids;
  throw new CompactError("InvalidInput", `Cannot take more than ${most} observations at once, got ${ids.length}.`, {
    code: "TOO_MANY_IDS",
    hint: `Call again with at most ${most} ids in '${name}', then with the rest.`,
  });
}

function parseIds(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refuseIds(name, "the text is not JSON");
  }
}

function refuseIds(name: string, what: string): CompactError {
  return new CompactError(
    "InvalidInput",
    `'${name}' must be a valid JSON array of integers, e.g. "[1, 2, 3]"; ${what}.`,
    idsHint(name),
  );
}

function idsHint(name: string) {
  return { code: "INVALID_IDS", hint: `Send the ids of observations as ${name}: [1, 2, 3].` };
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function shown(value: unknown): string {
  if (typeof value === "string") return "a text";
  return typeof value === "number" ? `the number ${value}` : kindOf(value);
}

// The rows that a call may change: those that exist and are live. Every id at fault is named.

/** In the order of the ids. Throws `InvalidInput` for what is no id, `NotFound` for unknown, `Conflict` for deleted ones. */
export async function liveRows(rows: ObservationReader, ids: readonly number[]): Promise<readonly Observation[]> {
  const found = await existingRows(rows, ids);
  const deleted = found.filter((row) => row.deleted_at !== null).map((row) => row.id);
  if (deleted.length === 0) return found;
  throw new CompactError("Conflict", `Nothing was changed: ${named(deleted)} deleted.`, {
    code: "DELETED_OBSERVATION",
    hint: "Restore it first, or use a live observation.",
    data: { deleted },
  });
}

/** Deleted ones too. Throws `InvalidInput` for what is no id, `NotFound` for unknown ones. */
export async function existingRows(rows: ObservationReader, ids: readonly number[]): Promise<readonly Observation[]> {
  for (const id of ids) checkId("id", id);
  const found = await rows.observations(ids);
  const known = new Set(found.map((row) => row.id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length === 0) return found;
  throw new CompactError("NotFound", `Nothing was changed: ${named(unknown)} not in the store.`, {
    code: "UNKNOWN_OBSERVATION",
    hint: "A search shows the ids that there are.",
    data: { unknown },
  });
}

/** Throws `InvalidInput` for anything but a whole number above zero. */
export function checkId(name: string, id: number): void {
  if (Number.isSafeInteger(id) && id > 0) return;
  throw new CompactError("InvalidInput", `'${name}' must be a whole number above 0, not ${id}.`, {
    code: "INVALID_ID",
    hint: "Send an id as a search or a save gives it.",
  });
}

function named(ids: readonly number[]): string {
  return ids.length === 1 ? `observation ${ids[0]} is` : `observations ${ids.join(", ")} are`;
}

// Which of the ids asked for may be compacted: live rows of the project and scope that were named. One that may not
// refuses the whole call, by name, since a summary was written of all of them.

/** The rows, in the order of the ids. Throws `NotFound`, `Conflict` or `InvalidInput` that names every id at fault. */
export async function compactableRows(
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
      `is not of ${describeFilter(filter)}`,
      `are not of ${describeFilter(filter)}`,
    ),
  ];
  throw new CompactError(
    refusalKind(unknown, foreign),
    `Nothing was changed: ${sentences.filter(Boolean).join("; ")}.`,
    {
      code: "IDS_REFUSED",
      hint: "Leave these ids out, and list the candidates again if they should be there.",
      data: { unknown, deleted: deleted.map(({ id }) => id), outside: foreign.map(({ id }) => id) },
    },
  );
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

function refusalKind(unknown: readonly unknown[], foreign: readonly unknown[]) {
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

function describeFilter({ project, scope, namespace }: ObservationFilter): string {
  const parts = [
    project === undefined ? undefined : `project ${JSON.stringify(project)}`,
    scope === undefined ? undefined : `scope ${scope}`,
    namespace === undefined ? undefined : `namespace ${JSON.stringify(namespace)}`,
  ];
  return parts.filter((part) => part !== undefined).join(", ");
}
