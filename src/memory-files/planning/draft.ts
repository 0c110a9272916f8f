// What the planners of this folder hand over: changes without their number, which the whole plan gives them.
import type { MemoryFile } from "../memory-file.ts";
import type { HeldChange, PlannedChange, PlannedEdit } from "../plan.ts";
import { type LineRange, plannedRange, savedBytes, textWithout } from "./line-ranges.ts";

type WithoutId<Change> = Change extends PlannedChange ? Omit<Change, "id"> : never;
export type Draft<Change extends PlannedChange = PlannedChange> = WithoutId<Change>;

export interface Drafts {
  readonly changes: readonly Draft[];
  readonly held: readonly HeldChange[];
}

export const NOTHING: Drafts = { changes: [], held: [] };

export function join(...all: readonly Drafts[]): Drafts {
  return { changes: all.flatMap(({ changes }) => changes), held: all.flatMap(({ held }) => held) };
}

interface EditOf {
  readonly kind: PlannedEdit["kind"];
  readonly apply: boolean;
  readonly reason: string;
  readonly ranges: readonly LineRange[];
  /** Ranges of a change that is made before this one, in the same file. */
  readonly before?: readonly LineRange[];
  /** Besides the file itself. */
  readonly restsOn?: Readonly<Record<string, string>>;
}

/** Its figures are those of the file as it stands after `before`. */
export function draftEdit(file: MemoryFile, count: (text: string) => number, edit: EditOf): Draft<PlannedEdit> {
  const { kind, apply, reason, ranges, before = [], restsOn = {} } = edit;
  const planned = ranges.map((range) => plannedRange(file, range));
  const all = [...before, ...ranges].sort((left, right) => left.from - right.from);
  const bytes = file.bytes.length - savedBytes(before.map((range) => plannedRange(file, range)));
  return {
    kind,
    apply,
    reason,
    file: file.file,
    bytes_before: bytes,
    bytes_after: bytes - savedBytes(planned),
    tokens_before: count(textWithout(file, before)),
    tokens_after: count(textWithout(file, all)),
    rests_on: { ...restsOn, [file.file]: file.sha256 },
    ranges: planned,
  };
}

export function plural(count: number, one: string): string {
  return `${count.toLocaleString("en-US")} ${one}${count === 1 ? "" : "s"}`;
}
