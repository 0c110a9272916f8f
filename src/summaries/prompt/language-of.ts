// Which language a conversation is in, by script and by the small words every text is full of. Only names it for a
// prompt: where nothing is certain it says nothing, and the prompt asks for the user's language as such.
import { headTail } from "../../text/quote.ts";
import type { Passage } from "../summarizer.ts";

/** Characters of the users' words that are looked at. */
const LOOKED_AT = 24_000;
/** Share of the letters from which a script decides: names and code are Latin in any language. */
const SCRIPT_SHARE = 0.15;
const LEAST_HITS = 3;

const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ["Japanese", /[\u3041-\u3096\u30a1-\u30fa]/gu],
  ["Korean", /\p{Script=Hangul}/gu],
  ["Chinese", /\p{Script=Han}/gu],
  ["Ukrainian", /[іїєґ]/giu],
  ["Russian", /\p{Script=Cyrillic}/gu],
  ["Persian", /[پچژگ]/gu],
  ["Arabic", /\p{Script=Arabic}/gu],
  ["Hebrew", /\p{Script=Hebrew}/gu],
  ["Greek", /\p{Script=Greek}/gu],
  ["Thai", /\p{Script=Thai}/gu],
  ["Hindi", /\p{Script=Devanagari}/gu],
];
/** Letters that tell a language from its neighbours are rarer than those of a script. */
const TELLING = new Set(["Ukrainian", "Persian"]);
const TELLING_SHARE = 0.02;

const SMALL_WORDS: Readonly<Record<string, string>> = {
  English: "the and is are was to of in that it this with for not you have be please on what do don't can should",
  Portuguese:
    "não que os uma um para com você isso está são também mas já é do da dos das no na ao pelo pela foi ele ela agora então por favor",
  Spanish:
    "que los las una un para con usted eso está son también pero ya es del el la y en no por favor ahora entonces hay esto muy cuando",
  French:
    "que les une un pour avec vous cela est sont aussi mais déjà du des le la et dans pas ne il elle nous maintenant donc au ce",
  German:
    "der die das und ist nicht ein eine mit für auf den dem zu von wir ich du auch aber noch schon bitte wenn werden kann soll",
  Italian:
    "che gli una un per con questo è sono anche ma già del della il la e in non di si come nel alla più perché adesso",
  Dutch: "de het een en is niet met voor op van we ik je ook maar nog al te dat die zijn wordt kan moet naar bij",
  Polish: "nie jest się na do że to i w z jak ale już są dla tak czy po proszę tylko przez może być",
  Turkish: "bir ve bu için ile değil da de ne var mı çok ama şimdi olarak daha gibi lütfen kadar sonra",
  Swedish: "och att det är inte en ett för med på som av vi jag du också men till den har kan ska om",
  Vietnamese: "không và của là có cho một với được này trong các những đã để khi người tôi bạn thì",
  Indonesian: "yang dan di ini itu untuk dengan tidak dari ke akan saya anda juga sudah ada pada bisa jangan",
  Czech: "je se na že to a v s jak ale už jsou pro tak nebo po prosím jen aby může být není",
};

/** Name of the language in English; undefined when it cannot be told. Users' words decide, else the assistant's. */
export function languageOf(passages: readonly Passage[]): string | undefined {
  for (const source of ["user", "assistant", "note", "record"] as const) {
    const texts = passages.filter((passage) => passage.source === source).map(({ text }) => text);
    const found = languageOfText(prose(texts));
    if (found !== undefined) return found;
  }
  return undefined;
}

function languageOfText(text: string): string | undefined {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters === 0) return undefined;
  for (const [name, characters] of SCRIPTS) {
    const share = (text.match(characters)?.length ?? 0) / letters;
    if (share >= (TELLING.has(name) ? TELLING_SHARE : SCRIPT_SHARE)) return name;
  }
  return languageByWords(text);
}

function languageByWords(text: string): string | undefined {
  const counts = new Map<string, number>();
  for (const word of text.toLowerCase().match(/[\p{L}'’]{1,20}/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1);
  // A word that occurs a hundred times says no more than one that occurs three times.
  const scoreOf = (words: string) =>
    [...new Set(words.split(" "))].reduce((sum, word) => sum + Math.min(3, counts.get(word) ?? 0), 0);
  const scored = Object.entries(SMALL_WORDS).map(([name, words]) => ({ name, score: scoreOf(words) }));
  const [best, second] = scored.sort((a, b) => b.score - a.score);
  if (best === undefined || best.score < LEAST_HITS || best.score === second?.score) return undefined;
  return best.name;
}

/** Without code in fences: its words are English whatever is spoken. The newest words count most, so the end is kept. */
function prose(texts: readonly string[]): string {
  const spoken = texts.map((text) => {
    const { head, tail } = headTail(text, 1500, 500);
    const parts = `${head}\n${tail}`.split("```");
    return parts.filter((_, at) => at % 2 === 0).join(" ");
  });
  return spoken.join("\n").slice(-LOOKED_AT);
}
