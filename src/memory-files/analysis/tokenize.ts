// The tokens by which the specification compares texts: coarse on purpose, since the figures are shown to people. That
// two texts have the same tokens never means that they say the same.

/**
 * Runs of Latin letters and digits longer than one, and neighbouring pairs of CJK characters (a lone one is itself), in
 * small letters, in the order in which they first stand.
 */
export function tokenize(text: string | null): ReadonlySet<string> {
  const tokens = new Set<string>();
  const lower = (text ?? "").toLowerCase();
  // By code units, not by a pattern: every word of every note comes through here.
  for (let at = 0; at < lower.length; ) {
    const kind = kindOf(lower.charCodeAt(at));
    const from = at;
    do at += 1;
    while (at < lower.length && kindOf(lower.charCodeAt(at)) === kind);
    if (kind === LATIN) {
      if (at - from > 1) tokens.add(lower.slice(from, at));
    } else if (kind === CJK) addPairs(tokens, lower, from, at);
  }
  return tokens;
}

function addPairs(tokens: Set<string>, text: string, from: number, to: number): void {
  if (to - from === 1) tokens.add(text.slice(from, to));
  for (let at = from + 1; at < to; at += 1) tokens.add(text.slice(at - 1, at + 1));
}

const OTHER = 0;
const LATIN = 1;
const CJK = 2;

/** Chinese characters, kana and Korean syllables are one kind. */
function kindOf(unit: number): number {
  if (unit < 0x80) return (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39) ? LATIN : OTHER;
  const isCjk =
    (unit >= 0x4e00 && unit <= 0x9fff) || (unit >= 0x3040 && unit <= 0x30ff) || (unit >= 0xac00 && unit <= 0xd7af);
  return isCjk ? CJK : OTHER;
}
