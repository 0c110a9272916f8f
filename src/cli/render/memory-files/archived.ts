// What can be brought back, and what was, for a person.
import type { ArchivedChange, RestoredChange, RestoreReport } from "../../../memory-files/report.ts";
import type { Colors } from "../../terminal.ts";
import { type Cell, figure, plural, renderTable } from "../table.ts";
import { WARNING } from "./analysis.ts";
import { cutToCells, wrapCells } from "./cells.ts";
import { renderSettled } from "./report.ts";

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
export function renderArchived(changes: readonly ArchivedChange[], { shown, restore, colors }: ArchivedView): string {
  const left = changes.filter(({ state }) => state !== "restored");
  const back = changes.length - left.length;
  const also = back === 0 ? "" : ` ${plural(back, "change is", "changes are")} back already.`;
  if (left.length === 0) return `There is nothing to restore in ${shown}.${also}\n`;
  const rows = left
    .slice(0, MOST_CHANGES)
    .map(({ id, at, kind, file, what, state }): readonly Cell[] => [
      { text: id, paint: colors.cyan },
      at.slice(0, 10),
      kind.replaceAll("_", " "),
      cutToCells(file, FILE_CELLS),
      state === "unclear"
        ? { text: `${WARNING} unclear`, paint: colors.yellow }
        : { text: cutToCells(what.join("; "), WHAT_CELLS), paint: colors.dim },
    ]);
  const more = left.length - rows.length;
  return [
    `${colors.bold(plural(left.length, "change"))} in ${shown} can be undone.${also}`,
    renderTable(COLUMNS, rows, colors),
    ...(more > 0 ? [`  and ${figure(more)} older: --json`] : []),
    "",
    "To undo one, or everything:",
    `  ${colors.cyan(`${restore} ${left[0]?.id}`)}`,
    `  ${colors.cyan(`${restore} --all`)}`,
    "",
  ].join("\n");
}

const COLUMNS = [{ title: "id" }, { title: "day" }, { title: "what" }, { title: "file" }, { title: "" }];

const HOW: Readonly<Record<RestoredChange["how"], string>> = {
  exact: "as it was, byte for byte",
  merged: "what left is back in its place; what was written since stays",
  at_end: "its place is gone, so what left stands at the end",
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
        wrapCells(`${id} ${file} (${kind.replaceAll("_", " ")}): ${HOW[how]}`, WIDTH, "    ", "  "),
      ),
      ...(already.length === 0 ? [] : wrapCells(`Back already: ${already.join(", ")}`, WIDTH, "  ")),
    ].join("\n"),
    ...(refused.length === 0
      ? []
      : [
          [
            colors.yellow(`${plural(refused.length, "change")} not restored`),
            ...refused.flatMap(({ id, file, message }) =>
              wrapCells(`${id} ${file}: ${message}`, WIDTH, "    ", `  ${WARNING} `),
            ),
          ].join("\n"),
        ]),
    ...renderSettled(settled, colors),
  ];
  return `${blocks.join("\n\n")}\n`;
}
