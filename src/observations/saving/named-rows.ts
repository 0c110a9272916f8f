// Reads lists of ids as clients send them: a real array or its JSON as text. Anything that is not exactly a list of
// whole positive numbers is refused as a whole, since a wrong reading would delete somebody's notes.
import { CompactError } from "../../errors.ts";
import { MESSAGE_LIMITS, parseJson } from "../../text/parse-json.ts";
import type { Observation } from "../observation.ts";
import type { ObservationFilter, ObservationReader } from "../observation-store.ts";
import { isId, successorsOf } from "../reading/row-view.ts";
import { matches } from "../row-filter.ts";

/** Most ids of one compaction. */
export const MOST_COMPACTED = 200;

/** Distinct ids in their order. Throws `InvalidInput` that names the parameter and what is wrong with it. */
export function readIds(name: string, value: unknown, most: number): readonly number[] {
  const code = "INVALID_IDS";
  const hint = `Send the ids of observations as ${name}: [1, 2, 3].`;
  const refuse = (what: string) => {
    const message = `'${name}' must be a valid JSON array of integers, e.g. "[1, 2, 3]"; ${what}.`;
    return new CompactError("InvalidInput", message, { code, hint });
  };
  let list = value;
  try {
    if (typeof value === "string") list = parseJson(value, MESSAGE_LIMITS);
  } catch {
    throw refuse("the text is not JSON");
  }
  if (!Array.isArray(list)) throw refuse(`it is ${kindOf(list)}`);
  if (list.length === 0) throw new CompactError("InvalidInput", `'${name}' array is empty.`, { code, hint });
  const wrong = list.findIndex((id) => !isId(id));
  if (wrong >= 0) {
    const element: unknown = list[wrong];
    const shown = typeof element === "number" ? `the number ${element}` : kindOf(element);
    throw refuse(`element ${wrong + 1} is ${typeof element === "string" ? "a text" : shown}`);
  }
  const ids = [...new Set(list as number[])];
  if (ids.length <= most) return ids;
  throw new CompactError("InvalidInput", `Cannot take more than ${most} observations at once, got ${ids.length}.`, {
    code: "TOO_MANY_IDS",
    hint: `Call again with at most ${most} ids in '${name}', then with the rest.`,
  });
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

// The rows that a call may change: those that exist and are live. Every id at fault is named.

/** In the order of the ids. Throws `InvalidInput` for what is no id, `NotFound` for unknown, `Conflict` for deleted ones. */
export async function liveRows(rows: ObservationReader, ids: readonly number[]): Promise<readonly Observation[]> {
  const found = await existingRows(rows, ids);
  const deleted = deletedAmong(found);
  if (deleted.length === 0) return found;
  throw new CompactError("Conflict", `Nothing was changed: ${sentence(deleted, "is deleted", "are deleted")}.`, {
    code: "DELETED_OBSERVATION",
    hint: "Restore it first, or use a live observation.",
    data: { deleted },
  });
}

/** Deleted ones too. Throws `InvalidInput` for what is no id, `NotFound` for unknown ones. */
export async function existingRows(rows: ObservationReader, ids: readonly number[]): Promise<readonly Observation[]> {
  for (const id of ids) checkId("id", id);
  const found = await rows.observations(ids);
  const unknown = missingAmong(ids, found);
  if (unknown.length === 0) return found;
  const what = sentence(unknown, "is not in the store", "are not in the store");
  throw new CompactError("NotFound", `Nothing was changed: ${what}.`, {
    code: "UNKNOWN_OBSERVATION",
    hint: "A search shows the ids that there are.",
    data: { unknown },
  });
}

/** Throws `InvalidInput` for anything but a whole number above zero. */
export function checkId(name: string, id: number): void {
  if (isId(id)) return;
  throw new CompactError("InvalidInput", `'${name}' must be a whole number above 0, not ${id}.`, {
    code: "INVALID_ID",
    hint: "Send an id as a search or a save gives it.",
  });
}

export function missingAmong(ids: readonly number[], found: readonly Observation[]): readonly number[] {
  const known = new Set(found.map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}

export function deletedAmong(found: readonly Observation[]): readonly number[] {
  return found.filter(({ deleted_at }) => deleted_at !== null).map(({ id }) => id);
}

/** `observation 3 is deleted`, `observations 3, 4 are deleted`. */
export function sentence(ids: readonly (number | string)[], one: string, many: string): string {
  return ids.length === 1 ? `observation ${ids[0]} ${one}` : `observations ${ids.join(", ")} ${many}`;
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
  const unknown = missingAmong(ids, found);
  const deleted = deletedAmong(found);
  const outside = found.filter((row) => row.deleted_at === null && !matches(row, filter));
  if (unknown.length + deleted.length + outside.length === 0) return found;
  const successors = await successorsOf(rows, found);
  const become = deleted.map((id) => {
    const [latest] = successors.get(id) ?? [];
    return latest === undefined ? id : `${id} (compacted into ${latest})`;
  });
  const place = describeFilter(filter);
  const refused = [
    ...(unknown.length === 0 ? [] : [sentence(unknown, "does not exist", "do not exist")]),
    ...(deleted.length === 0 ? [] : [sentence(become, "is already deleted", "are already deleted")]),
    ...(outside.length === 0 ? [] : [sentence(outside.map(belonging), `is not of ${place}`, `are not of ${place}`)]),
  ];
  const kind = unknown.length > 0 ? "NotFound" : outside.length > 0 ? "InvalidInput" : "Conflict";
  throw new CompactError(kind, `Nothing was changed: ${refused.join("; ")}.`, {
    code: "IDS_REFUSED",
    hint: "Leave these ids out, and list the candidates again if they should be there.",
    data: { unknown, deleted, outside: outside.map(({ id }) => id) },
  });
}

function belonging({ id, project, scope }: Observation): string {
  return `${id} (${project === null ? "no project" : `project ${JSON.stringify(project)}`}, scope ${scope})`;
}

function describeFilter(filter: ObservationFilter): string {
  const parts = Object.entries(filter).map(
    ([name, value]) => `${name} ${name === "scope" ? value : JSON.stringify(value)}`,
  );
  return parts.join(", ");
}
