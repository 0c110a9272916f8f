// Link reference definitions at the head of a paragraph: `[name]: target "title"`. The first thing that is none ends
// them, so a text is gone through once and no more than one title is sought in vain.

const LONGEST_LABEL = 999;
const CLOSINGS: Readonly<Record<string, string>> = { '"': '"', "'": "'", "(": ")" };

/** Per definition, the line after its last; in `lines`, without the blanks at their beginnings. */
export function definitionEnds(lines: readonly string[]): readonly number[] {
  if (lines[0]?.startsWith("[") !== true) return [];
  const text = lines.join("\n");
  const ends: number[] = [];
  let line = 0;
  for (let at = 0; at < text.length; ) {
    const end = endOfDefinition(text, at);
    if (end === undefined) break;
    for (; at <= end; at = lineEndFrom(text, at) + 1) line += 1;
    ends.push(line);
  }
  return ends;
}

function lineEndFrom(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

/** Offset of its line end. */
function endOfDefinition(text: string, at: number): number | undefined {
  const label = endOfLabel(text, at);
  if (label === undefined || text.charAt(label) !== ":") return undefined;
  const target = endOfTarget(text, skip(text, label + 1, " \t\n"));
  if (target === undefined) return undefined;
  return endWithTitle(text, target) ?? lineEndAt(text, target);
}

function endOfLabel(text: string, at: number): number | undefined {
  if (text.charAt(at) !== "[") return undefined;
  let isNamed = false;
  for (let index = at + 1; index <= at + LONGEST_LABEL + 1; index++) {
    const sign = text.charAt(index);
    if (sign === "]") return isNamed ? index + 1 : undefined;
    if (sign === "" || sign === "[") return undefined;
    isNamed ||= !" \t\n".includes(sign);
    if (sign === "\\" && isOneOf(text.charAt(index + 1), "[]\\")) index += 1;
  }
  return undefined;
}

function endOfTarget(text: string, at: number): number | undefined {
  return text.charAt(at) === "<" ? endOfBracketed(text, at + 1) : endOfBare(text, at);
}

function endOfBracketed(text: string, at: number): number | undefined {
  for (let index = at; index < text.length; index++) {
    const sign = text.charAt(index);
    if (sign === ">") return index + 1;
    if (sign === "<" || sign === "\n") return undefined;
    if (sign === "\\" && isOneOf(text.charAt(index + 1), "<>\\")) index += 1;
  }
  return undefined;
}

/** Without blanks and control characters; round brackets in pairs. */
function endOfBare(text: string, at: number): number | undefined {
  let open = 0;
  let index = at;
  for (; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code <= 32 || code === 127) break;
    const sign = text.charAt(index);
    if (sign === "(") open += 1;
    if (sign === ")") open -= 1;
    if (open < 0) return undefined;
    if (sign === "\\" && isOneOf(text.charAt(index + 1), "()\\")) index += 1;
  }
  return index > at && open === 0 ? index : undefined;
}

function endWithTitle(text: string, target: number): number | undefined {
  const start = skip(text, target, " \t\n");
  const closing = CLOSINGS[text.charAt(start)];
  if (start === target || closing === undefined) return undefined;
  for (let index = start + 1; index < text.length; index++) {
    const sign = text.charAt(index);
    if (sign === closing) return lineEndAt(text, index + 1);
    if (sign === "(" && closing === ")") return undefined;
    if (sign === "\\") index += 1;
  }
  return undefined;
}

/** The line end behind nothing but blanks. */
function lineEndAt(text: string, at: number): number | undefined {
  const end = skip(text, at, " \t");
  return end === text.length || text.charAt(end) === "\n" ? end : undefined;
}

function skip(text: string, at: number, signs: string): number {
  let index = at;
  while (index < text.length && signs.includes(text.charAt(index))) index += 1;
  return index;
}

function isOneOf(sign: string, signs: string): boolean {
  return sign !== "" && signs.includes(sign);
}
