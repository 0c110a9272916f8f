// Cuts text so that no unbroken run of letters, blanks or signs is long: byte pair merging takes quadratic time
// on one long piece, and one log line of 200,000 equal letters would block for a minute. Ordinary text comes
// back whole; a cut costs at most about one token of error and never falls inside a surrogate pair.

const LETTER = 1;
const BLANK = 2;
const DIGIT = 3;
const SIGN = 4;
/** Belongs to whatever run it stands in: combining marks, halves of surrogate pairs. */
const JOINING = 5;

/** UTF-8 bytes of one run before it is cut. Measured: 1 MB of any unbroken run takes about a second. */
const MAX_RUN_BYTES = 384;

function classify(unit: number): number {
  if (unit >= 0xd800 && unit <= 0xdfff) return JOINING;
  const character = String.fromCharCode(unit);
  if (/\p{L}/u.test(character)) return LETTER;
  if (/\p{M}/u.test(character)) return JOINING;
  if (/\p{N}/u.test(character)) return DIGIT;
  return /\s/u.test(character) || unit === 0x85 ? BLANK : SIGN;
}

function createClassifier(): (unit: number) => number {
  const known = new Uint8Array(0x10000);
  return (unit) => {
    const seen = known[unit] as number;
    if (seen !== 0) return seen;
    const found = classify(unit);
    known[unit] = found;
    return found;
  };
}

let classOf: ((unit: number) => number) | undefined;

function byteCost(unit: number): number {
  if (unit < 0x80) return 1;
  return unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3;
}

/** Offsets (UTF-16 units, ascending, never 0 or the length) at which `text` is to be cut before encoding. */
export function findRunCuts(text: string): readonly number[] {
  if (text.length * 3 <= MAX_RUN_BYTES) return [];
  classOf ??= createClassifier();
  const cuts: number[] = [];
  let runClass = 0;
  let runBytes = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const found = classOf(unit);
    const unitClass = found === JOINING ? joined(runClass) : found;
    if (unitClass !== runClass || unitClass === DIGIT) {
      runClass = unitClass;
      runBytes = 0;
    } else if (runBytes >= MAX_RUN_BYTES && !(unit >= 0xdc00 && unit <= 0xdfff)) {
      cuts.push(index);
      runBytes = 0;
    }
    runBytes += byteCost(unit);
  }
  return cuts;
}

function joined(runClass: number): number {
  return runClass === LETTER ? LETTER : SIGN;
}
