// The words of a sentence as they are compared: to see what a sentence is about. Numbers, negations, names and paths always stay what they are, so nothing that differs in them is equal.

const EDGE =
  /^[\s.,;:!?"'“”‘’«»()[\]{}*_`。，、！？；：「」『』（）…]+|[\s.,;:!?"'“”‘’«»()[\]{}*_`。，、！？；：「」『』（）…]+$/gu;
const CJK_RUN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu;
const IS_CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/u;
const FUNCTION_CHARACTERS =
  /[的了吧吗呢请不要别再可以现在必须禁止都也就在把是和与我你他们修改使用这那\p{Script=Hiragana}]/u;

/** Without case and punctuation; words that are not only letters keep their case. */
function splitWords(text: string): readonly string[] {
  const found: string[] = [];
  for (const word of text.split(/[\s,;:，、。；：]+/u)) {
    const bare = word.replace(EDGE, "").replaceAll("’", "'");
    if (bare !== "") found.push(/^[\p{L}\p{M}']+$/u.test(bare) ? bare.toLowerCase() : bare);
  }
  return found;
}

/** Words that say how, not what about, in the Latin-script languages of the cue lists. */
const WEAK = new Set(
  `a an and any are as at be before but by can do does done don't dont each ever every feel for free from go going have i if in into is it it's its
  just let let's make may me more must my need never no not now of on once only or our out please should so some sure tell than that the them then
  there these they thing this those to touch until up us use used using we when with without you your always again after all anyway also actually
  instead rather first new add adding added edit editing change changing modify modifying create creating write writing keep run running put get set
  allowed ok okay fine forget about rule rules restriction said say earlier longer drop ignore lift ahead want will would like still yet here both
  de la el los las un una y o en con por para que se no nunca siempre ahora puedes puede ya tocar toques toca modificar modifiques usar uses usa
  agora pode sempre mexer mexa modificar use usar não você o os as um uma e em do da dos das com sem
  der die das den dem ein eine einen und oder zu nicht nie niemals immer jetzt darfst kannst du wieder bitte mit auf ändern ändere anfassen fass an verwenden verwende
  le les des du et ou ne pas jamais toujours maintenant tu peux vous pouvez toucher touche touchez utiliser utilise utilisez modifier modifie à dans sur une`
    .split(/\s+/u)
    .filter((word) => word !== ""),
);

/** What a sentence is about: its words without those that any rule may hold; for Chinese and Japanese, pairs of characters. */
export function subjectWords(text: string): ReadonlySet<string> {
  const subjects = new Set<string>();
  for (const word of splitWords(text)) {
    for (const run of word.match(CJK_RUN) ?? []) {
      if (IS_CJK.test(run)) addPairs(run, subjects);
      else if (!WEAK.has(run.toLowerCase())) subjects.add(stem(run.replace(EDGE, "")));
    }
  }
  subjects.delete("");
  return subjects;
}

function addPairs(run: string, subjects: Set<string>): void {
  const characters = [...run];
  for (let at = 0; at + 1 < characters.length; at += 1) {
    const pair = `${characters[at]}${characters[at + 1]}`;
    if (!FUNCTION_CHARACTERS.test(pair)) subjects.add(pair);
  }
}

/** Plural and trailing slash off; nothing that could make two names one. */
function stem(word: string): string {
  const bare = word.replace(/\/$/u, "");
  return /^[\p{L}]{4,}s$/u.test(bare) && !bare.endsWith("ss") ? bare.slice(0, -1) : bare;
}
