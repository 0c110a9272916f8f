// What stands in a message but was only pasted into it: fenced code, tagged blocks, quotes, tables, log lines; and which
// sentence is speech.

const FENCE = /^\s{0,12}(?:```|~~~)/u;
const OPEN_TAG = /^\s*<([A-Za-z][\w:-]{0,60})>\s*$/u;
/** Tagged blocks that hold an instruction, not something pasted. */
const INSTRUCTION_TAG = /rule|instruction|guideline|constraint|polic|command-args|important|prompt|system/iu;
/** Longer lines are data, not speech. */
const LONGEST_LINE = 20_000;

/** Where the pasted block that begins at this line ends; undefined where none begins. */
export function pastedEnd(
  lines: readonly string[],
  at: number,
  closings: ReadonlyMap<string, number>,
): number | undefined {
  const line = (lines[at] ?? "").trimEnd();
  return FENCE.test(line) ? fenceEnd(lines, at) : taggedEnd(line, at, closings);
}

/** The line that closes a tagged block of pasted text; undefined where none begins, or where it is never closed. */
function taggedEnd(line: string, at: number, closings: ReadonlyMap<string, number>): number | undefined {
  const tag = OPEN_TAG.exec(line)?.[1];
  if (tag === undefined || INSTRUCTION_TAG.test(tag)) return undefined;
  const end = closings.get(`</${tag}>`) ?? -1;
  return end > at ? end : undefined;
}

export function isPasted(line: string): boolean {
  if (line.length > LONGEST_LINE) return true;
  return /^\s*(?:>|\||[+-]{1,3}\s{2,}|@@|\d+[:│|]|at \S+ \(|Traceback|File ")/u.test(line) || /[│█┃⋮]/u.test(line);
}

function fenceEnd(lines: readonly string[], start: number): number {
  for (let at = start + 1; at < lines.length; at += 1) if (FENCE.test(lines[at] ?? "")) return at;
  return lines.length;
}

/** Where each line that only closes a tag stands last. */
export function lastClosings(lines: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [at, line] of lines.entries()) {
    const closing = line.length < 80 && line.includes("</") ? line.trim() : "";
    if (closing.startsWith("</")) places.set(closing, at);
  }
  return places;
}

/** Speech, not code or a log: mostly letters once code spans and paths are left out. */
export function isProse(sentence: string): boolean {
  const spoken = sentence.includes("`") ? sentence.replace(/`[^`\n]{0,200}`/g, "x") : sentence;
  const words = spoken.includes("/") ? spoken.replace(/\S{0,80}\/\S{0,80}/g, "x") : spoken;
  if (/=>|\(\);|[{};]$|::|\bself\.|^#|^\d+\s|^\S+\(/.test(words)) return false;
  let others = 0;
  for (let at = 0; at < words.length; at += 1) if (!isLetterOrSpace(words.charCodeAt(at))) others += 1;
  return others <= words.length * 0.25;
}

function isLetterOrSpace(unit: number): boolean {
  if (unit > 0x7f) return unit >= 0xc0 && !(unit >= 0x2000 && unit <= 0x2fff) && !(unit >= 0x3000 && unit <= 0x303f);
  return unit === 0x20 || (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a);
}
