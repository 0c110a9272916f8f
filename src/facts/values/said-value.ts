// What a search for values gives, and what counts as a key and as a value. How they are said stands beside this file.

export interface SaidValue {
  /** As it was written. */
  readonly key: string;
  readonly value: string;
  /** The sentence or line that says it. */
  readonly text: string;
}

/** Longer ones are passages, not values. */
export const LONGEST_VALUE = 80;
const LONGEST_KEY = 60;

const ARTICLES =
  /^(?:(?:the|our|my|your|its|their|a|an|this|that|new|current|correct|actual|right|final|same|now|only|el|la|los|las|le|les|un|una|une|nuestr[oa]|notre|der|die|das|den|dem|unser[e]?|ein[e]?|neue[rn]?|o|os|as|um|uma|nosso|nossa|novo|nova|nuevo|nueva|nouveau|nouvelle) |l['’]|我们的|我們的|(?:从|自)?(?:今天|现在|今日|明天)起|今后|以后|这个|這個|该|新的|当前|目前|现在的|その|この|新しい|今の)/i;
/** "Staging has moved to ...": the verb's part is no part of the key. */
const AUXILIARY = / (?:has|have|had|got|gets|was|were|is|are|been)$/i;
/** Words of which somebody says a number without stating a setting. */
const NO_KEY =
  /^(?:(?:component|option|step|phase|part|day|task|case|scenario|test|layer|question|example|round|section|issue) \d{1,3}|files?|tests?|times|commits?|characters?|chars|words|people|things|places|cases|half|that|than|and|or|both|look|looking|(?:we|i|you|they|he|she|it|went|there|de|von|from|du|don['’]t) .{1,60}|it|this|that|there|here|he|she|they|we|i|you|one|ones|which|what|who|.{1,60} (?:when|if|that|which|and|or|but)|.{1,60} (?:have|has|had|will|would) .{1,60}|(?:.{1,60} )?(?:if|when|whether|unless|because) .{1,60}|(?:creates?|renames?|adds?|removes?|updates?|changes|uses|checks?|returns?|calls?|prints?|writes?|reads?|shows?|saves?|stores?|fix(?:es)?|makes?|ensures?|gets?|tests?|verif(?:y|ies)) .{1,60}|problem|issue|answer|question|reason|file|line|lines|error|errors|output|result|results|first|second|third|last|next|change|changes|fix|bug|diff|pr|thing|point|idea|part|rest|difference|goal|plan|cause|root cause|exit|exit code|status|http|https|note|warning|todo|example|step|e\.g|i\.e|total|date|time|id|page|number|for|from|with|per|at|on|in|of|to|by|into|about|when|because|each|every|more|less|lines?|options?|changes|messages|results|ways?|es|il|das|这|那|它|これ|それ)$/i;

/** "Setze den Port nicht auf 80" gives the port no value; `not 8443` names what is replaced. */
const NEGATED =
  /(?:^|\s)(?:not|never|nicht|nie|niemals|no|nunca|não|nem|jamais|pas|kein\p{L}{0,2})(?:\s|$)|^(?:请)?(?:千万)?(?:不要|不能|不许|别|禁止|切勿|勿)/iu;
const REPLACED = /^(?:not|instead of|rather than) \S{0,80}\d/i;

/** Compared without case, spaces, `-` and `_`. */
export function comparableKey(key: string): string {
  return bareKey(key)
    .normalize("NFC")
    .toLowerCase()
    .replace(/[\s_`'"-]+/g, "");
}

export function comparableValue(value: string): string {
  return value
    .normalize("NFC")
    .toLowerCase()
    .replace(/(?<=\d),(?=\d{3})|\s+/g, "");
}

/** The key without articles, marks and quotes; undefined when nothing is named. */
export function readKey(raw: string | undefined): string | undefined {
  const key = bareKey(raw ?? "");
  const isUsable =
    /^(?:..|[A-Z]$)/u.test(key) &&
    key.length <= LONGEST_KEY &&
    /\p{L}/u.test(key) &&
    !NO_KEY.test(key) &&
    (!NEGATED.test(key) || REPLACED.test(key));
  return isUsable ? key : undefined;
}

function bareKey(raw: string): string {
  let key = raw.trim().replace(/^[^\p{L}\p{N}_$]{1,6}|["'`”»*:.,;!?]{1,4}$/gu, "");
  for (let removed = 0; removed < 4 && ARTICLES.test(key); removed += 1) key = key.replace(ARTICLES, "");
  return key.replace(AUXILIARY, "").trim();
}

/** The value without quotes and the sentence's punctuation. */
export function readValue(raw: string | undefined): string | undefined {
  const trimmed = (raw ?? "").trim();
  const quoted = /^(?:"([^"]*)"|'([^']*)'|`([^`]*)`|“([^”]*)”|«([^»]*)»|「([^」]*)」)/.exec(trimmed);
  const value = quoted?.slice(1).find((part) => part !== undefined) ?? withoutTail(trimmed);
  return value.trim() !== "" && value.length <= LONGEST_VALUE ? value.trim() : undefined;
}

/** Does it look like a value on its own: a number, something quoted, a name of code or of a place in a system? */
export function isValueLike(raw: string): boolean {
  return /\d|^["'`“«「]|^(?:true|false|null|none|on|off|enabled|disabled|yes|no)\b|\w[_/@:]\w|\w-\w{1,20}-\w|[a-z][A-Z]|^[A-Z][A-Z_]{2,}/.test(
    raw,
  );
}

/** Without the marks that end a sentence; but what closes a bracket of the value's own belongs to it: `<REDACTED>`. */
function withoutTail(value: string): string {
  return value.replace(/[.,;:!?)\]}>`"'*]{1,6}$/, (tail) => {
    const own =
      value.lastIndexOf("<") > value.lastIndexOf(">", value.length - tail.length - 1) ? tail.indexOf(">") : -1;
    return tail.slice(0, own + 1);
  });
}
