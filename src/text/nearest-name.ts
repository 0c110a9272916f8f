// Which known name a misspelt one probably stands for. Where a suggestion costs nothing the guess is generous; where a call
// is refused for it, only what is plainly a slip of the hand counts.

/** The known name that a slip of the hand turns into `name`; undefined when none is near. For suggestions. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({
      candidate,
      distance: editDistance(name.slice(0, 80).toLowerCase(), candidate.toLowerCase()),
    }))
    .sort((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= Math.max(2, name.length / 3) ? best.candidate : undefined;
}

const LONGEST = 80;
/** Letters of a name from which one slip is told from another word, and from which two are. */
const ONE_SLIP_FROM = 4;
const TWO_SLIPS_FROM = 9;

/**
 * The known name that `name` plainly stands for: the same letters in another case or with other separators, or one slip
 * away, two in a long name. Undefined for everything else. For refusals.
 */
export function misspelt(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST) return undefined;
  const letters = bare(name);
  const same = known.find((candidate) => bare(candidate) === letters);
  return same ?? known.find((candidate) => isSlip(letters, bare(candidate)));
}

function isSlip(letters: string, meant: string): boolean {
  const allowed = meant.length >= TWO_SLIPS_FROM ? 2 : meant.length >= ONE_SLIP_FROM ? 1 : 0;
  if (Math.abs(letters.length - meant.length) > allowed || allowed === 0) return false;
  return editDistance(letters, meant) <= allowed || isSwapped(letters, meant);
}

/** Two letters side by side in the wrong order: for a hand one slip. */
function isSwapped(letters: string, meant: string): boolean {
  if (letters.length !== meant.length) return false;
  const at = [...meant].findIndex((_, index) => letters[index] !== meant[index]);
  const swapped = `${meant.slice(0, at)}${meant[at + 1] ?? ""}${meant[at] ?? ""}${meant.slice(at + 2)}`;
  return at >= 0 && letters === swapped;
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** Levenshtein distance of two short names. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current[j] = Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1);
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
