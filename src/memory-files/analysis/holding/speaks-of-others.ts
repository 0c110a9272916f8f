// Whether a text beside a section may speak of the section too: an introduction that says what holds for all below it, a
// remark behind it. Where no word points on, narrows or takes back, a text speaks of itself.
import { narrows, takesBack } from "./carries-nothing.ts";

const POINTS_ON =
  /(?<![\p{L}\p{N}])(?:below|following|follows|everything|anything|all|both|each|every|these|those|this|here|rest|next|next part|appl(?:y|ies)|only|until|unless|valid|scope|belongs?|according|claims?|says|said|thinks?|heard|guess(?:es|ed)?|doubts?|maybe|perhaps|folgende?[nrs]?|unten|alle[srn]?|diese[rsnm]?|hier|gilt|gelten|nur|früher|siguientes?|abajo|todos?|todas?|est[oae]s?|aqu[ií]|s[oó]lo|vale|suivante?s?|ci-dessous|tou[ts]e?s?|ces|cette|ici|seulement|uniquement|seguintes?|abaixo|tudo|esses?|só|somente)(?![\p{L}\p{N}])|以下|下面|下列|本文|本页|全部|所有|这些|這些|这里|此处|仅|只|适用|適用|针对|針對|据说|听说/iu;
const LABEL = /[:：]\s{0,9}[*_]{0,2}\s*$/;
/** The words above know Latin script and Chinese. */
const OTHER_SCRIPT =
  /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Thai}]/u;
/** Raw HTML may strike or fold away what stands around it. */
const MARKUP = /<[a-z!/]/i;

export function speaksOfOthers(text: string): boolean {
  return (
    POINTS_ON.test(text) ||
    LABEL.test(text) ||
    OTHER_SCRIPT.test(text) ||
    MARKUP.test(text) ||
    narrows(text) ||
    takesBack(text)
  );
}
