// Makes a text fit what hosts take of a hook: above 10,000 characters they set it aside, and the model sees its beginning
// only. Lines leave from the end of the summary, where what matters least stands; its frame stays whole.
import { cutAt } from "../../../text/cut.ts";

/** UTF-16 units, with room below the hosts' limit. */
export const MOST_UNITS = 9500;
/** Of the requests below the summary. */
const MOST_ENDING_UNITS = 2500;

export interface ContextParts {
  readonly opening: string;
  /** Frame included. */
  readonly summary: string;
  /** May be empty. */
  readonly ending: string;
}

export function fitContext({ opening, summary, ending }: ContextParts): string {
  const last = cutAt(ending, MOST_ENDING_UNITS);
  const room = MOST_UNITS - opening.length - last.length - 2;
  return [opening, cutLines(summary, room), ...(last === "" ? [] : [last])].join("\n");
}

/** Whole lines from the beginning, and the last one, which closes the frame. */
function cutLines(text: string, room: number): string {
  if (text.length <= room) return text;
  const lines = text.split("\n");
  const closing = lines.pop() ?? "";
  let left = room - closing.length - NOTE.length - 2;
  const kept: string[] = [];
  for (const line of lines) {
    left -= line.length + 1;
    if (left < 0) break;
    kept.push(line);
  }
  return [...kept, NOTE, closing].join("\n");
}

const NOTE = "(The record goes on; the archive has all of it.)";
