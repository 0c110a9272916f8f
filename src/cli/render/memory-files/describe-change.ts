// One change of a plan in words: what it does, with which flag, and to what of its file.
import type { PlannedChange } from "../../../memory-files/plan.ts";
import { figure, plural } from "../table.ts";
import { cutToCells } from "./cells.ts";

const FILE_CELLS = 40;
const MOST_PARTS = 2;

export function titleOf(change: PlannedChange): string {
  const file = cutToCells(change.file, FILE_CELLS);
  switch (change.kind) {
    case "remove_sections":
      return `remove ${plural(change.ranges.length, "section")} of ${file}`;
    case "tidy":
      return `tidy ${plural(change.ranges.length, "place")} of ${file}`;
    case "move_sections":
      return `move ${plural(change.ranges.length, "section")} of ${file}`;
    case "rotate":
      return `rotate ${file}`;
    case "digest":
      return `one digest of ${plural(change.notes.length, "note")} of ${change.month}`;
  }
}

/** What switches a proposed change on. */
export function leverFlag({ kind, apply }: PlannedChange): string | undefined {
  if (apply) return undefined;
  const flags = { remove_sections: "--contained", tidy: "--aggressive", move_sections: "--move", digest: "--digest" };
  return kind === "rotate" ? undefined : flags[kind];
}

/** Where what leaves goes, and the first places that it leaves from. */
export function placesOf(change: PlannedChange): string {
  if (change.kind === "rotate") return `kept in ${change.archive}`;
  if (change.kind === "digest") return `${change.file} takes their place`;
  const isMove = change.moved_to !== undefined;
  const parts = change.ranges
    .slice(0, isMove ? 1 : MOST_PARTS)
    .map(({ heading, preview, line_from, line_to }, index) => {
      const where = line_from === line_to ? `line ${line_from}` : `lines ${line_from}-${line_to}`;
      const held = change.held_by?.[index];
      const holder = held === undefined ? "" : `, held by ${held.file}:${held.line_from}`;
      return `${where}${holder}: ${cutToCells(heading ?? (preview.trim() === "" ? "blank" : preview), FILE_CELLS)}`;
    });
  const left = change.ranges.length - parts.length;
  return [
    ...(isMove ? [`to ${change.moved_to}`] : []),
    ...parts,
    ...(left > 0 ? [`and ${figure(left)} more`] : []),
  ].join("; ");
}
