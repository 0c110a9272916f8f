// Takes thinking aloud out of an answer: blocks in the tags that models use for it. A block that is opened and never
// closed makes the whole answer doubtful: nobody can say where it ends. One pass over the tags.

const NAMES =
  "think|thinking|thought|thoughts|analysis|scratch|scratchpad|scratch_pad|reasoning|reflection|inner_monologue|monologue|planning|draft";
const TAG = new RegExp(`[<\\[◁](/?)(${NAMES})(?:\\s[^<>\\]\\n]{0,80})?[>\\]▷]`, "gi");
/** The channels of a model whose template was not applied: only the last one is the answer, and one of thoughts is none. */
const FINAL_CHANNEL = /<\|channel\|>\s{0,3}final\s{0,3}<\|message\|>/g;
const OTHER_CHANNEL = /<\|channel\|>\s{0,3}(?:analysis|commentary)\b/;
const CONTROL_TOKEN = /<\|[a-z_]{2,20}\|>/g;

interface Tag {
  readonly name: string;
  readonly isClosing: boolean;
  readonly start: number;
  readonly end: number;
}

/** Undefined when scratch work is opened and never closed. */
export function removeScratch(answer: string): string | undefined {
  const text = finalChannel(answer);
  if (text === undefined) return undefined;
  const kept: string[] = [];
  const open: string[] = [];
  let from = 0;
  for (const tag of findTags(text)) {
    if (open.length === 0) {
      if (tag.isClosing) {
        // The opening stood in the prompt's template: everything so far was scratch.
        kept.length = 0;
        from = tag.end;
      } else {
        kept.push(text.slice(from, tag.start));
        open.push(tag.name);
      }
    } else if (!tag.isClosing) {
      if (tag.name === open[0]) open.push(tag.name);
    } else if (tag.name === open[0]) {
      open.pop();
      from = tag.end;
    }
  }
  if (open.length > 0) return undefined;
  kept.push(text.slice(from));
  return kept.join("");
}

function finalChannel(text: string): string | undefined {
  if (!text.includes("<|")) return text;
  let start = 0;
  for (const match of text.matchAll(FINAL_CHANNEL)) start = match.index + match[0].length;
  if (start === 0 && OTHER_CHANNEL.test(text)) return undefined;
  return text.slice(start).replace(CONTROL_TOKEN, "");
}

/** Tags that stand in code are talked about, not used; so is one that opens in the middle of a line and never closes. */
function findTags(text: string): readonly Tag[] {
  const found: Tag[] = [];
  for (const match of text.matchAll(TAG)) {
    const start = match.index;
    const end = start + match[0].length;
    const isQuoted = text[start - 1] === "`" || text[end] === "`" || text[start - 1] === '"';
    if (isQuoted) continue;
    found.push({ name: (match[2] ?? "").toLowerCase(), isClosing: match[1] === "/", start, end });
  }
  const lastClosing = new Map<string, number>();
  for (const { name, isClosing, start } of found) if (isClosing) lastClosing.set(name, start);
  return found.filter(
    ({ name, isClosing, start }) => isClosing || (lastClosing.get(name) ?? -1) > start || isLineStart(text, start),
  );
}

function isLineStart(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 8), at);
  return /(?:^|\n)[ \t]*$/.test(before);
}
