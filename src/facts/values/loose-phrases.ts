// Sentences that tie a subject to an address or a date in whatever words, and corrections in passing. A number alone
// says too little for so loose a sentence: it counts only where the wording names a change or a limit.
import { WRITTEN_DATE } from "./month-names.ts";
import { type Phrase, phrase } from "./phrase.ts";

const START = "(?<![\\p{L}\\p{N}_])";
const WORD = "[\\p{L}\\p{N}_'’-]{1,40}";
const KEY = `(${WORD}(?: ${WORD}){0,3}?)`;
const HOST = "[A-Za-z0-9][\\w.-]{1,80}:\\d{2,5}(?!\\w)|https?://[^\\s,;)]{4,120}";
const DATE = "\\d{4}-\\d{2}-\\d{2}(?:(?:T|,? )\\d{1,2}:\\d{2})?";
const PLACED = `(${HOST}|${DATE}|${WRITTEN_DATE})`;
const NUMBER = "[-+]?[$€£]?\\d[\\d.,_]{0,20}(?![\\w/:@-])(?: ?[\\p{L}%°]{1,14})?";
const ANY = `(${HOST}|${DATE}|${WRITTEN_DATE}|${NUMBER})`;
const ARTICLE =
  "(?:the|our|my|their|der|die|das|unsere?|el|la|los|las|nuestr[oa]|le|les|l['’]|notre|o|a|os|as|noss[oa])";
const AT = "(?:at|on|in|to|by|from|under|bei|auf|am|in|unter|nach|en|el|a|al|em|para|à|sur|sous|dans)";

export const LOOSE_PHRASES: readonly Phrase[] = [
  // "The audit is on 2031-04-02", "Staging answers at host:8443".
  phrase(
    ":|-",
    `(?:^|(?<=[.!?,;:] ))(?:${ARTICLE} |l['’])?${KEY} [\\p{L}]{2,16}(?: (?!no|not|nicht|keine?|never|nie|nunca)[\\p{L}]{2,12}){0,2} ${AT} ${PLACED}`,
  ),
  // "The cap is at 30 since today".
  phrase(
    " at | bei | en | à | em | on ",
    `${START}${ARTICLE} ${KEY} (?:is|are|stands|sits|lies|ist|liegt|steht|está|queda|est|se situe|fica)(?: (?!no|not|nicht|nie)[\\p{L}]{2,10}){0,2} (?:at|bei|en|à|em|on) ${ANY}`,
  ),
  // "Staging no longer answers there but at host:8443".
  phrase(
    "no longer|ya no|nicht mehr|já não|n'est plus|any more",
    `(?:^|(?<=[.!?,;:] ))(?:${ARTICLE} |l['’])?${KEY} (?:is |are |does |ist |est |n['’]est )?(?:[\\p{L}]{2,16} )?(?:no longer|not|ya no|nicht mehr|já não|plus)(?: (?!but|sino|sondern|mais|mas)[\\p{L}]{2,16}){0,5},? (?:any more,? )?(?:but|sino|sondern|mais|mas)(?: now| ahora| jetzt)? ${AT} ${ANY}`,
  ),
  // "They pushed the audit back, it is on 2031-04-02 now".
  phrase(
    "it is |it's |it’s |es |está |er ist |sie ist ",
    `${START}(?:pushed|moved|shifted|postponed|brought|put|raised|lowered|changed|verschoben|movieron|cambiaron) ${ARTICLE} ${KEY}(?: (?:back|forward|up|down|off|out|again))?,? (?:so |and |now )?(?:it is|it['’]s|está|er ist|sie ist)(?: now)? (?:${AT} )?${ANY}`,
  ),
  // "The deadline is 12 May", "Die Frist wurde auf den 3. Juni verschoben".
  phrase(
    " is | ist | es | est | é | será | sera | will be ",
    `${START}${ARTICLE} ${KEY} (?:is|ist|es|est|é|será|sera|will be)(?: now| jetzt| ahora| agora| maintenant)?(?: der| den| el| le| o| the)? (${WRITTEN_DATE})`,
  ),
  phrase(
    " auf | to | al | au | para ",
    `${START}(?:${ARTICLE} )?${KEY} (?:wurden?|wird|got|was|has been|se|ha sido|a été|foi)(?: [\\p{L}]{2,14}){0,2} (?:auf|to|al|au|para)(?: den| dem| el| le| o| the)? (${DATE}|${WRITTEN_DATE})`,
  ),
  // "API version is v2": a short sentence of its own.
  phrase(
    " is | are ",
    `^([A-Z][\\w-]{1,30}(?: [\\w-]{1,30}){0,2}) (?:is|are) (?:now )?(${HOST}|${DATE}|v?\\d[\\d.]{0,12}(?: ?[\\p{L}%]{1,12})?)[.!]?$`,
    { isUsers: true },
  ),
  // "The flag is called beta_checkout", "we renamed the flag to checkout_v2".
  phrase(" called | named ", `${START}${ARTICLE} ${KEY} (?:is|are|was|were)(?: now)? (?:called|named) (\\S{1,80})`),
  phrase("renamed |rename ", `${START}renamed? ${ARTICLE} ${KEY} to (\\S{1,80})`),
  // "Give the importer 12 threads", "12 threads for the importer".
  phrase("ive ", `${START}give ${ARTICLE} ${KEY} (\\d[\\d.,]{0,12} [\\p{L}%]{2,14})`, { isUsers: true }),
  phrase(
    " for ",
    `${START}(\\d[\\d.,]{0,12} [\\p{L}%]{2,14}) for ${ARTICLE} ${KEY}(?=[.,;!]|$| (?:after all|now|instead|please|then))`,
    { isReversed: true, isUsers: true },
  ),
];
