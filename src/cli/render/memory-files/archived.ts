// What can be brought back, and what was, for a person.
import type { ArchivedChange, RestoredChange, RestoreReport } from "../../../memory-files/report.ts";
import type { Colors } from "../../terminal.ts";
import { type Cell, figure, plural, renderTable } from "../table.ts";
import { WARNING } from "./analysis.ts";
import { cutToCells, wrapCells } from "./cells.ts";
import { about, renderSettled } from "./report.ts";

const WIDTH = 80;
const MOST_CHANGES = 40;
const FILE_CELLS = 27;
const WHAT_CELLS = 18;

export interface ArchivedView {
  readonly shown: string;
  /** The command that restores, without ids. */
  readonly restore: string;
  readonly colors: Colors;
}

/** `changes`: the newest first. */
export function renderArchived(changes: readonly ArchivedChange[], view: ArchivedView): string {
  const { shown, restore, colors } = view;
  const left = changes.filter(({ state }) => state !== "restored");
  const back = changes.length - left.length;
  const also = back === 0 ? "" : ` ${plural(back, "change is", "changes are")} back already.`;
  if (left.length === 0) return `There is nothing to restore in ${shown}.${also}\n`;
  const possible = left.filter(({ missing }) => missing === undefined);
  const rows = left
    .slice(0, MOST_CHANGES)
    .map(({ id, at, kind, file, what, state, missing }): readonly Cell[] => [
      { text: id, paint: colors.cyan },
      at.slice(0, 10),
      kind.replaceAll("_", " "),
      cutToCells(file, FILE_CELLS),
      missing !== undefined || state === "unclear"
        ? { text: `${WARNING} ${missing === undefined ? "unclear" : "archive gone"}`, paint: colors.yellow }
        : { text: cutToCells(what.join("; "), WHAT_CELLS), paint: colors.dim },
    ]);
  const more = left.length - rows.length;
  return [
    `${titleOf(possible.length, left.length - possible.length, view)}${also}`,
    renderTable(COLUMNS, rows, colors),
    ...(more > 0 ? [`  and ${figure(more)} older: --json`] : []),
    ...(possible.length === 0
      ? []
      : [
          "",
          "To undo one, or everything:",
          `  ${colors.cyan(`${restore} ${possible[0]?.id}`)}`,
          `  ${colors.cyan(`${restore} --all`)}`,
        ]),
    "",
  ].join("\n");
}

/** What left a file can only come back from the archive. */
function titleOf(possible: number, gone: number, { shown, colors }: ArchivedView): string {
  const lost = gone === 0 ? "" : ` ${plural(gone, "change")} cannot: what left is gone from the archive.`;
  return `${colors.bold(plural(possible, "change"))} in ${shown} can be undone.${lost}`;
}

const COLUMNS = [{ title: "id" }, { title: "day" }, { title: "what" }, { title: "file" }, { title: "" }];

const HOW: Readonly<Record<RestoredChange["how"], string>> = {
  exact: "as it was, byte for byte",
  merged: "what left is back in its place; what was written since stays",
  at_end: "its place is gone, so what left stands at the end",
};

/** Its notes come back, and it goes. */
const HOW_DIGEST: Readonly<Record<RestoredChange["how"], string>> = {
  exact: "its notes are back, the digest is gone",
  merged: "its notes are back; the digest was edited since and stays",
  at_end: "its notes are back",
};

export function renderRestored({ restored, already, refused, settled }: RestoreReport, view: ArchivedView): string {
  const { shown, colors } = view;
  const blocks = [
    [
      colors.bold(
        restored.length === 0
          ? `Nothing was restored in ${shown}`
          : `Restored ${plural(restored.length, "change")} in ${shown}`,
      ),
      ...restored.flatMap(({ id, kind, file, how }) =>
        wrapCells(
          `${id} ${file} (${kind.replaceAll("_", " ")}): ${(kind === "digest" ? HOW_DIGEST : HOW)[how]}`,
          WIDTH,
          "    ",
          "  ",
        ),
      ),
      ...(already.length === 0 ? [] : wrapCells(`Back already: ${already.join(", ")}`, WIDTH, "  ")),
    ].join("\n"),
    ...(refused.length === 0
      ? []
      : [
          [
            colors.yellow(`${plural(refused.length, "change")} not restored`),
            ...refused.flatMap(({ id, file, message }) =>
              wrapCells(`${id}${about(file, message)}`, WIDTH, "    ", `  ${WARNING} `),
            ),
          ].join("\n"),
        ]),
    ...renderSettled(settled, colors),
  ];
  return `${blocks.join("\n\n")}\n`;
}
