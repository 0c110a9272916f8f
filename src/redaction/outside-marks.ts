// What was redacted already is never redacted again: a find that reaches into a mark gives only what lies outside. Without
// it a pattern such as `[A-Z]{8}` would find the mark's own letters, and the text would grow with each pass.
import { type Find, MARK } from "./spans.ts";

export function outsideMarks(text: string, finds: readonly Find[]): readonly Find[] {
  if (finds.length === 0 || !text.includes(MARK)) return finds;
  const marks = placesOf(MARK, text);
  return finds.flatMap((find) => without(marks, find));
}

function placesOf(mark: string, text: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + mark.length)) places.push(at);
  return places;
}

function without(marks: readonly number[], find: Find): readonly Find[] {
  const pieces: Find[] = [];
  let { start } = find;
  for (let index = firstEndingBehind(marks, start); index < marks.length; index++) {
    const mark = marks[index] ?? find.end;
    if (mark >= find.end) break;
    if (mark > start) pieces.push({ ...find, start, end: mark });
    start = mark + MARK.length;
  }
  if (start < find.end) pieces.push({ ...find, start });
  return pieces;
}

function firstEndingBehind(marks: readonly number[], position: number): number {
  let [low, high] = [0, marks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((marks[middle] ?? 0) + MARK.length > position) high = middle;
    else low = middle + 1;
  }
  return low;
}
