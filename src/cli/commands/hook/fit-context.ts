// Makes a text fit what hosts take of a hook: above 10,000 characters they set it aside, and the model sees its beginning
// only. Of the summary the oldest lines of its longest section leave, for what was said last tells most; its frame stays
// whole.

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

function cutLines(text: string, room: number): string {
  if (text.length <= room) return text;
  const lines = text.split("\n");
  const closing = lines.pop() ?? "";
  const { from, to } = longestSection(lines);
  let excess = text.length + NOTE.length + 1 - room;
  let end = from;
  while (end < to && excess > 0) {
    excess -= (lines[end]?.length ?? 0) + 1;
    end += 1;
  }
  const kept = [...lines.slice(0, from), NOTE, ...lines.slice(end)];
  return [...(excess > 0 ? fromBeginning(kept, room - closing.length - 1) : kept), closing].join("\n");
}

/** The lines below its heading. */
function longestSection(lines: readonly string[]): { readonly from: number; readonly to: number } {
  const headings = lines.flatMap((line, index) => (line.startsWith("## ") ? [index] : []));
  const sections = headings.map((heading, at) => {
    const to = headings[at + 1] ?? lines.length;
    return { from: heading + 1, to, length: lines.slice(heading, to).join("\n").length };
  });
  return sections.sort((a, b) => b.length - a.length)[0] ?? { from: lines.length, to: lines.length };
}

function fromBeginning(lines: readonly string[], room: number): readonly string[] {
  let left = room - NOTE.length - 1;
  const end = lines.findIndex((line) => {
    left -= line.length + 1;
    return left < 0;
  });
  return end === -1 ? lines : [...lines.slice(0, end), NOTE];
}

const NOTE = "(Lines were left out here; the archive has all of it.)";
