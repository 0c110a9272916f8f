// Which rows a reading asks for: a blank text restricts nothing, a scope is read as a save reads it.
import type { ObservationFilter } from "../observation-store.ts";
import { filterScope } from "../saving/normal-form.ts";

export interface RowsAsked {
  /** Exact name. Absent or blank: all. */
  readonly project?: string | undefined;
  /** `project` or `personal`. Absent or blank: both. */
  readonly scope?: string | undefined;
  readonly namespace?: string | undefined;
  readonly type?: string | undefined;
}

export function rowFilter({ project, scope, namespace, type }: RowsAsked): ObservationFilter {
  const normalScope = filterScope(scope);
  return {
    ...(isBlank(project) ? {} : { project }),
    ...(normalScope === undefined ? {} : { scope: normalScope }),
    ...(isBlank(namespace) ? {} : { namespace }),
    ...(isBlank(type) ? {} : { type }),
  };
}

/** A number of rows as a caller means it: whole, and the usual one where absent or below 1. */
export function sizeOf(asked: number | undefined, usual: number): number {
  return asked === undefined || !(asked >= 1) ? usual : Math.floor(asked);
}

function isBlank(text: string | undefined): text is undefined {
  return text === undefined || text.trim() === "";
}
