// Where the value after a secret's name begins and ends: inside its quotes (escaped ones too), or up to what
// ends a bare word. Looks a bounded way ahead for a closing quote, so that unclosed ones stay linear.

export interface ValueBounds {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
}

/** UTF-16 units to look for a closing quote. */
const QUOTE_REACH = 2_000;
const OPENING = /(\\{0,8})(["'`])/y;
/** A bare word; a bracket only inside it. Sticky and consumed as a whole, so its length needs no bound. */
const BARE = /(?:[^\s"'`&;)\]}<>\\]|[)\]}](?=[A-Za-z0-9]))+/y;
const WHOLE_LINE = /[^\s"'`\\]+/y;

/** The value at `position`, which stands after the separator. `takesAll`: only blanks and quotes end a bare word. */
export function boundsAt(text: string, position: number, takesAll: boolean): ValueBounds {
  OPENING.lastIndex = position;
  const opening = OPENING.exec(text);
  if (opening !== null) {
    const start = OPENING.lastIndex;
    const end = closingQuote(text, start, opening[1]?.length ?? 0, opening[2] ?? '"');
    if (end !== undefined) return { start, end, isQuoted: true };
    return { start, end: endOf(BARE, text, start), isQuoted: true };
  }
  const end = endOf(takesAll ? WHOLE_LINE : BARE, text, position);
  return { start: position, end: takesAll ? end : withoutTail(text, position, end), isQuoted: false };
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
