// A table in words: a small one row by row, a large one as what it holds.
import { type Summed, sumTable } from "./alike-rows.ts";
import { plainWords } from "./plain-lines.ts";

const MOST_ROWS = 8;
const MOST_CELLS = 4;
const MOST_UNITS = 400;
/** Names of columns that say nothing. */
const GENERIC =
  /^(?:values?|descriptions?|notes?|details?|wert|beschreibung|valor|descripción|valeur|值|数值|说明|描述|内容|備考)?$/iu;

export function readTable(lines: readonly string[]): Summed | { readonly told: readonly string[] } {
  const [names = [], , ...rows] = lines.map(cellsOf);
  const told = rows.map((cells) => rowOf(names, cells)).filter((row) => row !== "");
  const isSmall = rows.length <= MOST_ROWS && names.length <= MOST_CELLS && told.join("; ").length <= MOST_UNITS;
  return isSmall ? { told } : sumTable(names, rows);
}

/** `tank low: may wait yes`. */
function rowOf(names: readonly string[], [first = "", ...rest]: readonly string[]): string {
  const said = rest.flatMap((cell, at) => {
    const name = names[at + 1] ?? "";
    if (cell === "" || cell === "-") return [];
    return [GENERIC.test(name) ? cell : `${name} ${cell}`];
  });
  if (first === "") return said.join(", ");
  return said.length === 0 ? first : `${first}: ${said.join(", ")}`;
}

function cellsOf(line: string): readonly string[] {
  const bare = line.replace(/^[\s>]{0,60}\|?/u, "").replace(/\|\s*$/u, "");
  return bare.split(/(?<!\\)\|/u).map((cell) => plainCell(cell));
}

function plainCell(cell: string): string {
  return cell.includes("`") ? cell.trim() : cell.replaceAll("**", "").trim() || plainWords(cell);
}
