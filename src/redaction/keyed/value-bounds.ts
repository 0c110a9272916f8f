// Where the value after a secret's name begins and ends: inside its quotes (escaped ones too), or up to what
// ends a bare word. Looks a bounded way ahead for a closing quote, so that unclosed ones stay linear.

export interface ValueBounds {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
  /** The bare word goes on behind the end: only this much is read before it is known to be a secret. */
  readonly goesOn?: RegExp;
}

/** UTF-16 units to look for a closing quote. */
const QUOTE_REACH = 4_000;
/** UTF-16 units of a bare word that are read before it is judged. */
const BARE_REACH = 1_000;
const OPENING = /(\\{0,32})(["'`])/y;
/** A bare word; a bracket only inside it. */
const BARE = /(?:[^\s"'`&;)\]}<>\\]|[)\]}](?=[A-Za-z0-9])){1,1000}/y;
const WHOLE_LINE = /[^\s"'`\\]{1,1000}/y;

/** The value at `position`, which stands after the separator. `takesAll`: only blanks and quotes end a bare word. */
export function boundsAt(text: string, position: number, takesAll: boolean): ValueBounds {
  OPENING.lastIndex = position;
  const opening = OPENING.exec(text);
  if (opening !== null) {
    const start = OPENING.lastIndex;
    const end = closingQuote(text, start, opening[1]?.length ?? 0, opening[2] ?? '"');
    if (end !== undefined) return { start, end, isQuoted: true };
    return bareBounds(start, endOf(BARE, text, start), true, BARE);
  }
  const pattern = takesAll ? WHOLE_LINE : BARE;
  const end = endOf(pattern, text, position);
  return bareBounds(position, takesAll ? end : withoutTail(text, position, end), false, pattern);
}

function bareBounds(start: number, end: number, isQuoted: boolean, pattern: RegExp): ValueBounds {
  return end - start < BARE_REACH ? { start, end, isQuoted } : { start, end, isQuoted, goesOn: pattern };
}

/** The bounds of a secret to its true end. What is read here is never read again, so its length needs no limit. */
export function extended(text: string, bounds: ValueBounds): ValueBounds {
  const { goesOn, start } = bounds;
  if (goesOn === undefined) return bounds;
  let { end } = bounds;
  for (let next = endOf(goesOn, text, end); next > end; next = endOf(goesOn, text, end)) end = next;
  return { start, end, isQuoted: bounds.isQuoted };
}

function endOf(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : position;
}

/**
 * A quote closes what was opened with `depth` backslashes when it has no more than as many; without any, when
 * their number is even. So `\"pass\\\"word\"` inside a JSON string ends at the right place.
 */
function closingQuote(text: string, start: number, depth: number, quote: string): number | undefined {
  const reach = Math.min(text.length, start + QUOTE_REACH);
  let backslashes = 0;
  for (let index = start; index < reach; index++) {
    const character = text[index];
    if (character === "\\") {
      backslashes++;
      continue;
    }
    const isClosing = depth === 0 ? backslashes % 2 === 0 : backslashes <= depth;
    if (character === quote && isClosing) return depth === 0 ? index : index - backslashes;
    backslashes = 0;
  }
  return undefined;
}

/** A comma ends a bare word where another field or the line's end follows; full stops and colons end a sentence. */
function withoutTail(text: string, start: number, end: number): number {
  const word = text.slice(start, Math.min(end, start + QUOTE_REACH));
  const field = /,(?=$|[A-Za-z_][\w.-]{0,40}[=:])/.exec(word);
  let last = field === null ? end : start + field.index;
  while (last > start && ",.:".includes(text[last - 1] ?? "")) last--;
  return last;
}
