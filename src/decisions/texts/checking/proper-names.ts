// Names by their capitals, for those that look like no identifier: products, people, places. A word that opens a sentence
// has a capital anyway, so it counts unless it is one of those that sentences open with.

const WORD = /[\p{L}\p{N}][\p{L}\p{N}_'’-]{0,60}/gu;
const OPENERS = new Set(
  `a an the this that these those it its they there one both each all some no not never none nothing without because since although though
  while when where after before until unless once if as by for from in into on of at to with over under per via so but and or then also however
  instead rather only still yet even now later first next last finally result results reason reasons outcome decision decided decide lesson lessons
  learned learnt why what who how which we our i he she you chose chosen choose choosing picked pick kept keep keeping took take taking used use
  using adopted adopt adopting moved move moving switched switch switching added add adding removed remove removing replaced replace replacing
  made make making built build building ran run running wrote write writing shipped ship fixed fix fixing avoided avoid avoiding split merged merge
  dropped drop dropping rejected reject failed fail failing succeeded worked work works stayed stay saved save saving cut kept went led left let
  must should may might can could will would do does did was were is are be been has have had always every pause check test store
  preferred prefer given due despite during testing reviewing review releasing release expected expect wait waiting`
    .split(/\s+/u)
    .filter((word) => word !== ""),
);

/** Is every word of `text` with a capital also one of the record, in any case? */
export function holdsNames(text: string, record: string): boolean {
  const known = new Set((record.match(WORD) ?? []).flatMap((word) => [keyOf(word), ...partsOf(word)]));
  for (const match of text.matchAll(WORD)) {
    const word = match[0];
    if (!/\p{Lu}/u.test(word) || known.has(keyOf(word))) continue;
    if (partsOf(word).every((part) => known.has(part)) && partsOf(word).length > 1) continue;
    if (opensSentence(text, match.index) && OPENERS.has(keyOf(word))) continue;
    if (opensSentence(text, match.index) && isFormOf(word, known)) continue;
    return false;
  }
  return true;
}

function keyOf(word: string): string {
  return word
    .toLowerCase()
    .replace(/['’]s?$/u, "")
    .replace(/[-_]+$/u, "");
}

function partsOf(word: string): readonly string[] {
  return word
    .split(/[-_'’]/u)
    .filter(Boolean)
    .map(keyOf);
}

/** Another ending of a word of the record: `Exported` where it has `export`. */
function isFormOf(word: string, known: ReadonlySet<string>): boolean {
  const key = keyOf(word);
  for (let length = key.length - 1; length >= 4 && length >= key.length - 3; length -= 1) {
    const stem = key.slice(0, length);
    for (const ending of ["", "e", "s", "ed", "es", "ing"]) if (known.has(stem + ending)) return true;
  }
  return false;
}

function opensSentence(text: string, index: number): boolean {
  return (
    index === 0 ||
    /[.!?:;。！？]["'”’)\]*_`]{0,3}\s{1,3}["'“‘(*_`[]{0,3}$/u.test(text.slice(Math.max(0, index - 10), index))
  );
}
