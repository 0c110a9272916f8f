// Does a section hold a rule that is to last? Errs on one side: a log entry that only sounds like one stays where it is.
import { findRuleSentences } from "../../../facts/spoken/rule-sentences.ts";
import { runThrough } from "../../../tokens/turns/stepwise.ts";

const CUES =
  /(?<![\p{L}\p{N}])(?:must|never|always|do not|don['’]t|prohibited|forbidden|mandatory|niemals|immer|nunca|siempre|sempre|jamais|toujours)(?![\p{L}\p{N}])|禁止|严禁|嚴禁|必须|必須|务必|務必|不要|不得|不准|不许|不許|切勿|绝不|絕不|永远|永遠|一律|絶対|してはならない|반드시|금지/iu;

export function holdsRule(text: string): boolean {
  return CUES.test(text) || runThrough(findRuleSentences(text, false)).length > 0;
}
