// Which cue lists a text is tried against: all whose script it is written in and whose gate it passes. A message may
// mix languages, so there is no guessing of one.
import { chinese } from "./chinese.ts";
import type { Language } from "./cues.ts";
import { english } from "./english.ts";
import { french } from "./french.ts";
import { german } from "./german.ts";
import { japanese } from "./japanese.ts";
import { portuguese } from "./portuguese.ts";
import { spanish } from "./spanish.ts";

const LATIN: readonly Language[] = [english, spanish, portuguese, german, french];
const KANA = /[\u3041-\u3096\u30a1-\u30fa]/u;
const HAN = /[\u4e00-\u9fff]/u;

/** Languages that `text` may be written in, in part at least. */
export function languagesOf(text: string): readonly Language[] {
  const hasKana = KANA.test(text);
  if (!hasKana && !HAN.test(text)) return LATIN;
  return hasKana ? [...LATIN, japanese, chinese] : [...LATIN, chinese];
}
