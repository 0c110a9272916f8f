// The short line in which an identifier stands: what says more about it than its form. Whole words, at most 120
// characters, never cut inside a character.
import { cutAt, cutTail } from "../../text/cut.ts";

const CONTEXT_UNITS = 120;
/** How far around the place is looked for the line's ends. */
const REACH = 400;

/** Undefined when the line says nothing besides the value itself. */
export function contextLine(text: string, index: number, value: string): string | undefined {
  if (value.length > CONTEXT_UNITS - 10) return undefined;
  const end = index + value.length;
  const before = lineEnd(text.slice(Math.max(0, index - REACH), index));
  const after = lineStart(text.slice(end, end + REACH));
  const room = CONTEXT_UNITS - value.length;
  const short = before.length + after.length <= room;
  const left = short ? before : wholeTail(before, Math.max(Math.floor(room / 2), room - after.length));
  const right = short ? after : wholeHead(after, room - left.length);
  const line = `${left}${value}${right}`.trim();
  return /[\p{L}\p{N}]/u.test(line.replaceAll(value, "")) ? line : undefined;
}

function lineEnd(text: string): string {
  return plain(text.slice(text.lastIndexOf("\n") + 1)).replace(/^[\s>*#•|-]{1,20}/, "");
}

function lineStart(text: string): string {
  const end = text.indexOf("\n");
  return plain(end < 0 ? text : text.slice(0, end));
}

function plain(text: string): string {
  return text.toWellFormed().replace(/\s+/g, " ");
}

function wholeTail(text: string, units: number): string {
  if (text.length <= units) return text;
  const tail = cutTail(text, Math.max(0, units - 1));
  const space = tail.search(/[\s，。、]/);
  return `…${space < 0 || space > 40 ? tail : tail.slice(space + 1)}`;
}

function wholeHead(text: string, units: number): string {
  if (text.length <= units) return text;
  const head = cutAt(text, Math.max(0, units - 1));
  const space = head.search(/[\s，。、][^\s，。、]{0,40}$/);
  return `${space < 0 ? head : head.slice(0, space)}…`;
}
