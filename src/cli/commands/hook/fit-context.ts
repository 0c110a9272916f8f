// Makes a text fit what hosts take of a hook: above 10,000 characters they set it aside, and the model sees its beginning
// only. Lines leave from the end of the summary, where what matters least stands; its frame stays whole.

/** UTF-16 units, with room below the hosts' limit. */
const MOST_UNITS = 9500;
/** Of the requests below the summary; more where the summary leaves room. */
const REQUEST_UNITS = 1800;
const TITLE = "Asked last, when the host compacted (the user's words):";

interface ContextParts {
  readonly opening: string;
  /** Frame included. */
  readonly summary: string;
  /** Lines, the newest last. */
  readonly requests: readonly string[];
}

export function fitContext({ opening, summary, requests }: ContextParts): string {
  const free = MOST_UNITS - opening.length - summary.length - 2;
  const ending = newestOf(requests, Math.max(REQUEST_UNITS, free) - TITLE.length - 1);
  const last = ending.length === 0 ? [] : [TITLE, ...ending];
  const room = MOST_UNITS - opening.length - last.join("\n").length - 2;
  return [opening, cutLines(summary, room), ...last].join("\n");
}

function newestOf(requests: readonly string[], room: number): readonly string[] {
  let left = room;
  const first = requests.findLastIndex((request) => {
    left -= request.length + 1;
    return left < 0;
  });
  return requests.slice(first + 1);
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
