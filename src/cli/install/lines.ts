// The lines in which two texts differ, as people read a change.

/** Cells of the table of a comparison; above, all lines are shown as changed. */
const MOST_CELLS = 4_000_000;

/** `+ …` and `- …`, in order, `@@ n` before the first of lines that stand together. A comma at an end is no difference. */
export function changedLines(before: string, after: string): readonly string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const isEqual = (i: number, j: number) => bare(old[i]) === bare(now[j]);
  let start = 0;
  while (start < old.length && start < now.length && isEqual(start, start)) start += 1;
  let [i, j] = [old.length, now.length];
  while (i > start && j > start && isEqual(i - 1, j - 1)) [i, j] = [i - 1, j - 1];
  const shown: string[] = [];
  let last = -1;
  const show = (sign: string, line: string | undefined, at: number) => {
    if (at !== last) shown.push(`@@ ${at + 1}`);
    last = sign === "+" ? at + 1 : at;
    shown.push(`${sign} ${line}`);
  };
  const common = longestCommon(start, i, j, isEqual);
  for (let [x, y] = [start, start]; x < i || y < j; ) {
    if (x < i && y < j && isEqual(x, y)) [x, y] = [x + 1, y + 1];
    else if (x < i && (y >= j || common(x + 1, y) >= common(x, y + 1))) show("-", old[x++], y);
    else show("+", now[y], y++);
  }
  return shown.map((line, index) => aroundChange(line, shown[line.startsWith("-") ? index + 1 : index - 1] ?? ""));
}

const LONGEST = 160;
const AROUND = 40;

/** Of a long line, what is not as in the line that it replaces, or that replaces it. */
function aroundChange(line: string, other: string): string {
  if (line.length <= LONGEST) return line;
  const most = Math.min(line.length, other.length);
  let [start, end] = [1, 0];
  while (start < most && line[start] === other[start]) start += 1;
  while (end < most - start && line.at(-end - 1) === other.at(-end - 1)) end += 1;
  const [from, to] = [Math.max(2, start - AROUND), Math.min(line.length, line.length - end + AROUND)];
  return `${line.slice(0, 2)}${from > 2 ? "…" : ""}${line.slice(from, to)}${to < line.length ? "…" : ""}`;
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
}

function bare(line: string | undefined): string | undefined {
  return line?.replace(/,\s*$/, "");
}

/** How many lines two rests have in common, in order. */
function longestCommon(start: number, i: number, j: number, isEqual: (x: number, y: number) => boolean) {
  const [rows, columns] = [i - start + 1, j - start + 1];
  if (rows * columns > MOST_CELLS) return () => 0;
  const table = new Uint32Array(rows * columns);
  const at = (x: number, y: number) => (x - start) * columns + y - start;
  for (let x = i - 1; x >= start; x -= 1)
    for (let y = j - 1; y >= start; y -= 1)
      table[at(x, y)] = isEqual(x, y)
        ? 1 + (table[at(x + 1, y + 1)] ?? 0)
        : Math.max(table[at(x + 1, y)] ?? 0, table[at(x, y + 1)] ?? 0);
  return (x: number, y: number) => table[at(x, y)] ?? 0;
}
