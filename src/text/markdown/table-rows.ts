// The first two lines of a table: as many cells in the row of names as in the row of dashes below it.
import { isBlankCode } from "./cursor.ts";
import { endOfRun } from "./leaf-lines.ts";

const PIPE = 124;
const BACKSLASH = 92;
const COLON = 58;
const DASH = 45;

/** 0 for a line that cannot be the head of a table. */
export function countCells(row: string): number {
  let cells = 0;
  let signs = 0;
  let isBehindPipe = row.charCodeAt(0) !== PIPE;
  for (let index = 0; index < row.length; index++) {
    const code = row.charCodeAt(index);
    if (isBlankCode(code)) continue;
    signs += 1;
    if (isBehindPipe) cells += 1;
    isBehindPipe = code === PIPE;
    if (code !== BACKSLASH) continue;
    const escaped = row.charCodeAt(index + 1);
    if (escaped === BACKSLASH || escaped === PIPE) index += 1;
  }
  return signs === 1 && row.charCodeAt(0) === PIPE ? 0 : cells;
}

/** Cells of `| --- | :-: |`; 0 for any other line. A row of one cell needs a colon or a pipe to be no underline. */
export function countDelimiters(text: string, at: number): number {
  let cells = 0;
  let isTable = false;
  let index = at;
  if (text.charCodeAt(index) === PIPE) {
    isTable = true;
    index = skip(text, index + 1);
  }
  while (index < text.length) {
    const end = endOfCell(text, index);
    if (end === undefined) return 0;
    cells += 1;
    isTable ||= text.charCodeAt(index) === COLON || text.charCodeAt(end - 1) === COLON;
    index = skip(text, end);
    if (index === text.length) break;
    if (text.charCodeAt(index) !== PIPE) return 0;
    isTable = true;
    index = skip(text, index + 1);
  }
  return isTable ? cells : 0;
}

function endOfCell(text: string, at: number): number | undefined {
  const start = text.charCodeAt(at) === COLON ? at + 1 : at;
  const end = endOfRun(text, start, DASH);
  if (end === start) return undefined;
  return text.charCodeAt(end) === COLON ? end + 1 : end;
}

function skip(text: string, at: number): number {
  let index = at;
  while (index < text.length && isBlankCode(text.charCodeAt(index))) index += 1;
  return index;
}
