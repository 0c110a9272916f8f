// Tells whether a user's message opens as an answer, and of which form. Every language's openings are tried, since
// short answers ("ok", "no") rarely show which language they are.
import type { Language } from "../language/cues.ts";
import { languagesOf } from "../language/languages.ts";
import { splitSentences } from "../language/sentences.ts";
import type { ResponseFact } from "../ledger.ts";

/** Openings are short; what stands after this is not looked at. */
const OPENING = 160;
/** The longest message in which an approval may stand before a question and still be one. */
const SHORT = 60;

export function formOfAnswer(text: string): ResponseFact["form"] | undefined {
  const start = text.trimStart().slice(0, OPENING);
  const line = (start.split("\n", 1)[0] ?? "").trim();
  if (line === "" || /^[<{[|/`](?!Request interrupted)/u.test(line)) return undefined;
  const sentence = splitSentences(line)[0] ?? line;
  const languages = languagesOf(line);
  if (/^\[Request interrupted by user/u.test(line)) return "correction";
  const form = openingForm(line, languages);
  if (form === undefined) return undefined;
  if (form === "approval") return isAsking(sentence, line) ? undefined : form;
  // "no errors?" asks; it answers nothing.
  return /[?？]\s*$/u.test(sentence) && sentence.length < SHORT && form !== "refusal" && !/[,.]/u.test(sentence)
    ? undefined
    : form;
}

/** Refusals go first: "no, don't" also opens as a correction. */
function openingForm(line: string, languages: readonly Language[]): ResponseFact["form"] | undefined {
  for (const form of ["refusal", "correction", "approval"] as const) {
    if (languages.some(({ responses }) => responses[form].test(line))) return form;
  }
  return undefined;
}

/** "sure?" and "right, how does this work?" ask; "yes, can you add a test?" approves and asks. */
function isAsking(sentence: string, line: string): boolean {
  if (!/[?？]\s*$/u.test(sentence)) return false;
  return !/^(?:yes|yeah|yep|yup|sí|sim|ja|oui|好的|はい)[,.! ，、]/iu.test(line);
}

/** The choice an answer names by number or letter: `4`, "option 2", "do B". */
export function namedOption(text: string): string | undefined {
  const line = text.trim().slice(0, OPENING);
  const bare = /^\(?(?:#|no\.? )?(\d{1,2}|[a-hA-H])[).]?(?:[\s,.!].{0,60})?$/u.exec(line);
  const named =
    /(?:^|[\s,.])(?:options?|opción|opção|variante|approach|solution|choice|number|nr\.|numéro|número)\s*#?(\d{1,2}|[a-hA-H])(?![\p{L}\p{N}])/iu.exec(
      line,
    ) ??
    /(?:方案|选项|選項|案|オプション|选|選)\s*(\d{1,2}|[a-hA-H])/u.exec(line) ??
    /^(?:(?:ok|okay|yes|yeah|let's|do|go|with|take|use|i'd|say|then|alright|cool|prefer|sí|ja|oui|sim)[\s,]+){1,5}#?(\d{1,2}|[A-H])[.! ]*$/iu.exec(
      line,
    );
  return named?.[1] ?? (bare !== null && isBareAnswer(line) ? bare[1] : undefined);
}

/** "4", "4!", "b)" and nothing that begins a list or a sentence with the article "a". */
function isBareAnswer(line: string): boolean {
  return (
    /^\(?#?(?:\d{1,2}|[a-hA-H])[).!]?$/u.test(line) || /^\d{1,2}(?: (?:please|seems|looks|sounds|is)|,\s)/iu.test(line)
  );
}
