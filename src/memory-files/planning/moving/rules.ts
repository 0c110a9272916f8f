// Does a section hold a rule that is to last? Errs on one side: a log entry that only sounds like one stays where it is.
import { findRuleSentences } from "../../../facts/rules.ts";

const CUES = new RegExp(
  [
    `(?<![\\p{L}\\p{N}])(?:${[
      "must|never|always|do not|don['’]t|no longer|not allowed|cannot|can['’]t|may not|prohibited|forbidden|mandatory",
      "niemals|immer|verboten|darf(?:st)? (?:nicht|nur|kein)|dürfen (?:nicht|nur|kein)|wird nicht|werden nicht|nicht mehr|muss|müssen",
      "nunca|siempre|no se (?:debe|puede)|prohibid[oa]s?|hay que|obligatori[oa]",
      "sempre|proibid[oa]s?|não (?:se )?(?:deve|pode|fazer)|obrigatóri[oa]",
      "jamais|toujours|il (?:ne )?faut|ne (?:doit|doivent|pas|jamais)|interdit[es]{0,2}|obligatoire",
      "не|нельзя|никогда|всегда|запрещ\\p{L}{1,5}|обязательно",
    ].join("|")})(?![\\p{L}\\p{N}])`,
    "禁止|严禁|嚴禁|必须|必須|务必|務必|不要|不得|不准|不许|不許|不能|不可|切勿|请勿|勿|绝不|絕不|永远|永遠|一律|只能|只允许",
    "絶対|必ず|してはならない|ないこと|てはいけない|ないでください|べからず|べきで",
    "반드시|금지|하지 ?마|안 ?됩니다|항상|절대",
  ].join("|"),
  "iu",
);

export function holdsRule(text: string): boolean {
  return CUES.test(text) || findRuleSentences(text).length > 0;
}
