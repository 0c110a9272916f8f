// The tokens by which the specification compares texts: coarse on purpose, since the figures are shown to people. That
// two texts have the same tokens never means that they say the same.

/** Latin letters and digits, or characters of Chinese, Japanese and Korean. */
const RUNS = /[a-z0-9]+|([\u4e00-\u9fff\u3040-\u309f\u30a0-\u30ff\uac00-\ud7af]+)/g;

/**
 * Runs of Latin letters and digits longer than one, and neighbouring pairs of CJK characters (a lone one is itself), in
 * small letters, in the order in which they first stand.
 */
export function tokenize(text: string | null): ReadonlySet<string> {
  const tokens = new Set<string>();
  for (const [run, cjk] of (text ?? "").toLowerCase().matchAll(RUNS)) {
    if (cjk === undefined) {
      if (run.length > 1) tokens.add(run);
    } else if (cjk.length === 1) tokens.add(cjk);
    else for (let at = 1; at < cjk.length; at += 1) tokens.add(cjk.slice(at - 1, at + 1));
  }
  return tokens;
}
