// Words by which an answer shows that it is no summary: it declines, acts, chats, reports a failure, or talks about
// itself. Looked for at its beginning only, and only where it holds on to nothing of the input.
import type { Section } from "../shapes.ts";

const OPENING = 400;

/** First person, because a summary may well say what others could not do. */
const REFUSES =
  /\bi(?:'m| am)? (?:really |very |so )?(?:sorry|afraid|can(?:'t|not| not)|could(?:n't| not)|won't|will not|(?:un|not )able to|(?:must|have to) (?:decline|refuse))\b|\bas an ai\b|\b(?:não posso|desculpe|no puedo|lo siento|je ne peux pas|désolée?|non posso|mi dispiace|(?:es )?tut mir leid|ich kann (?:\p{L}{2,12} ){0,2}nicht)(?!\p{L})|我无法|我不能|抱歉|对不起|申し訳|できません|죄송|할 수 없습니다|извините|не могу/u;

/** A tool call, a program, a page of a server. */
const IS_CODE = /^(?:<[!/|a-z]|\[(?:calls?|tool_calls?|tool_code)\b|[[{]\s{0,10}"|(?:```|~~~)[a-z])/;
const CHATS =
  /^(?:(?:great|sure|okay|ok|alright|got it|perfect|certainly|of course|absolutely|understood|thanks|hello|hi)[!,.:… ]|(?:user|assistant|human|system|tool|action|thought|observation) ?[:：]|(?:ótimo|claro|certo|perfeito|vale|perfecto|bien sûr|d'accord|parfait|gerne|klar|alles klar|verstanden|va bene|понял|хорошо)(?!\p{L})|好的|当然|はい|了解|承知|네,|알겠)/u;
/** What is announced in a quotation somebody else announced. */
const ACTS =
  /^(?:let me|let's|i need to|i should|(?:now|next|first),? i|continuing|proceeding|resuming|moving on|vou|voy a|je vais|ich werde|我将|我来)(?!\p{L})|^(?:running|checking|starting|looking|working|opening|reading|searching|fixing|updating) [^\n]{0,160}(?:…|\.\.\.| now\b)|(?<!["“«„])\b(?:i'll|i will|i'm going to|let me) [a-z]/u;

const FAILS =
  /^[[({"']{0,5}(?:[\w.]{0,60}(?:error|exception) ?[:(]|error|exception|traceback|fatal|failed to|http\S{0,5} ?\d{3}|[45]\d\d\b|rate.?limit|too many requests|service unavailable|internal server error|bad gateway|gateway time-?out|request timed out|quota exceeded|overloaded|connection (?:refused|reset|error))/;

const ABOUT_ITSELF =
  /^[\s*_>#(-]{0,8}(?:(?:(?:here(?:'s| is| are)|below is|this is|(?:the )?following is)[^\n]{0,60}? (?:summary|record|recap|log)\b|(?:compression|compaction|compressed)\b[^\n]{0,40}\d ?%|(?:word|token|character) count\b|let me know\b|i hope (?:this|that)\b|feel free to\b|i(?:'ve| have) (?:summari[sz]ed|condensed|preserved|written)\b|this (?:summary|record) (?:is|covers|captures|preserves|follows|keeps|includes|contains)\b|(?:summary|record) (?:complete|ends?)\b|end of (?:the )?(?:summary|record)\b|(?:aqui está|segue) (?:o|um) resumo|(?:aquí está|este es) (?:el|un) resumen|voici (?:le|un) résumé|hier ist (?:die|eine) zusammenfassung)|以下是|以下が|다음은)/i;

const NOTHING =
  /^[-*•\s([_]{0,5}(?:none|nothing|n\/a|not applicable|empty|keine|ning[uú]n[oa]|nenhum|nenhuma|aucune?|nessun[oa]|无|没有|なし|없음|-|—)(?![\p{L}\d])/iu;
/** In a list of things somebody may put its emptiness in a sentence; elsewhere such a sentence may say something. */
const NO_SUCH =
  /^(?:(?:no|there (?:were|are|is|was) no|keine[nr]?|no hay|no hubo|nenhuma?|não há|não houve|aucune?|nessuna?)\s|無|특별한)/iu;
const LISTS: ReadonlySet<Section> = new Set(["rules", "decisions", "state", "errors", "commands", "written", "names"]);
const SHORT = 60;

const ORDERS =
  /^[\W_]{0,8}(?:(?:system|developer)(?: (?:message|prompt|note|override))?\s?[:：]|(?:please )?(?:ignore|disregard|forget|override) (?:all |any |the |your |of |these |those ){0,4}(?:previous|prior|above|earlier|preceding|other|system) (?:instructions?|messages?|rules|prompts?|guidelines)|you are now (?:an?|in|the)\b|from now on,? you\b)/i;

/** Beginning of an answer without titles, as the cues are written. */
function openingOf(text: string): string {
  return text
    .slice(0, OPENING * 2)
    .replace(/^[ \t]*#{1,6}[^\n]*\n/gm, "")
    .replaceAll("’", "'")
    .replace(/^[\s*_>"“-]{1,20}/, "")
    .slice(0, OPENING)
    .toLowerCase();
}

export function declines(text: string): boolean {
  return REFUSES.test(openingOf(text));
}

/** Acts, chats, or asks: goes on with the conversation instead of recording it. */
export function actsOrChats(text: string): boolean {
  const opening = openingOf(text);
  return [IS_CODE, CHATS, ACTS].some((cue) => cue.test(opening)) || (text.length <= OPENING && /[?？]\s*$/.test(text));
}

export function reportsFailure(text: string): boolean {
  return FAILS.test(openingOf(text));
}

function isCited(statement: string): boolean {
  return /\[[^\]\n]{0,20}\d\]/.test(statement);
}

/** A preface or a trailer: about the summary, not about the conversation. One line; it rests on no message. */
export function isAboutItself(statement: string): boolean {
  return statement.length <= OPENING && !isCited(statement) && ABOUT_ITSELF.test(statement.replaceAll("’", "'"));
}

/** "None.", "No errors were encountered.": short, and resting on no message. Code may know better. */
export function saysNothing(statement: string, section: Section): boolean {
  if (statement.length > SHORT || isCited(statement)) return false;
  return NOTHING.test(statement) || (LISTS.has(section) && NO_SUCH.test(statement));
}

/** Speaks to whoever reads the record, as hidden orders do. A finding says who gave the order to whom. */
export function givesOrders(text: string): boolean {
  return ORDERS.test(text.slice(0, OPENING));
}
