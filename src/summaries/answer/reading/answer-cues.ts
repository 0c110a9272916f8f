// Words by which an answer shows that it is no summary: it declines, acts, chats, reports a failure, or talks about
// itself. Looked for at the beginning of a short stretch only, and only where the answer holds on to nothing of the input.
import type { Section } from "../../shapes.ts";

const OPENING = 400;

/** First person, because a summary may well say what others could not do. */
const REFUSALS: readonly RegExp[] = [
  /\bi(?:'m| am)? ?(?:really |very |so |truly )?(?:sorry|afraid)\b/,
  /\bi (?:can(?:'t|not| not)|could(?:n't| not)|won't|will not|am (?:un|not )able to|'m (?:unable|not able) to|must (?:decline|refuse)|have to decline|do(?:n't| not) (?:feel comfortable|think i (?:can|should)))\b/,
  /\bi'm (?:unable|not able) to\b/,
  /\b(?:unable|not able) to (?:help with|assist|comply|summari[sz]e|fulfil)/,
  /\bas an ai\b|\bagainst (?:my|our|the) (?:guidelines|policy|policies)\b|\bcontent policy\b/,
  /\b(?:não posso|não consigo|desculpe|sinto muito|lamento)\b|\b(?:no puedo|lo siento|disculpa)\b/,
  /\bje (?:ne peux pas|suis désolée?|ne suis pas en mesure)|\bdésolée?\b/,
  /\b(?:ich kann (?:das |dabei |diese[ms]? |hierbei )?(?:leider )?nicht|es tut mir leid|tut mir leid|leider kann ich)\b/,
  /(?:我无法|我不能|抱歉|对不起|無法|申し訳|できません|お手伝いできません|죄송|할 수 없습니다|извините|не могу)/,
];

const ACTS: readonly RegExp[] = [
  /^(?:great|sure|okay|ok|alright|all right|got it|perfect|certainly|of course|absolutely|no problem|understood|right|done|thanks|thank you|hello|hi|hey)\b[!,.:… ]/,
  /^(?:let me|let's|i'll|i will|i'm going to|i am going to|i'm now|i am now|now i|now let|next,? i|first,? i|i need to|i should|i have (?:now )?(?:started|run|fixed|updated))\b/,
  /^(?:running|checking|starting|looking|working|executing|opening|reading|searching|fixing|updating) [^\n]{0,160}(?:…|\.\.\.| now\b)/,
  /^(?:好的|当然|我将|我来|はい|了解|承知|네,|알겠)/,
  /^(?:user|assistant|human|ai|system|tool|action|thought|observation|final answer)\s?[:：]/,
  /^(?:continuing|proceeding|resuming|moving on|picking up)\b/,
  // Not right behind a quotation mark: there somebody else said so.
  /(?<!["“«„])\b(?:i'll|i will|i'm going to|let me) (?:now |next |then |first )?[a-z]/,
  /^(?:ótimo|claro|certo|vou|perfeito|entendido|vale|perfecto|voy a|bien sûr|d'accord|je vais|parfait|compris)(?!\p{L})/u,
  /^(?:gerne|klar|alles klar|verstanden|in ordnung|ich werde|ich führe|va bene|capito|oké|begrepen|понял|хорошо)(?!\p{L})/u,
  /^(?:<\/?(?:tool|function|invoke|antml|calls?\b)|\[(?:calls?|tool_calls?|tool_code)\b)/,
  /^(?:```[a-z_]{0,12}\s{0,4})?[[{]\s{0,10}"/,
  // A program: a fence of text was opened already.
  /^(?:```|~~~)[a-z]/,
];

const FAILURES =
  /^(?:[[(<{"'\s]{0,5})(?:[a-z_.]{0,60}(?:error|exception)\s?[:(]|!doctype html|(?<=<)html\b|error|exception|traceback|fatal|failed to|http(?:\/\d(?:\.\d)?)?\s?\d{3}|[45]\d\d\b|rate.?limit|too many requests|service unavailable|internal server error|bad gateway|gateway time-?out|request timed out|upstream|quota exceeded|insufficient_quota|overloaded|connection (?:refused|reset|error))/;

const ABOUT_ITSELF =
  /^[\s*_>#(-]{0,8}(?:(?:here(?:'s| is| are)|below is|this is|following is|the following is) (?:the|a|an|your|my|that)?\s?(?:[\w-]{1,20} ){0,4}(?:summary|record|digest|recap|ledger|log)\b|(?:compression|compaction|reduction|compressed)\b[^\n]{0,40}\d{1,3}(?:[.,]\d{1,3})? ?%|(?:summary|record) (?:complete|completed|ends?|generated|written|length)\b|end of (?:the )?(?:summary|record)\b|(?:word|token|character) count\b|(?:total )?(?:words|tokens)(?: used)?: ?\d|let me know\b|i hope (?:this|that)\b|feel free to\b|i(?:'ve| have)? (?:now )?(?:summari[sz]ed|condensed|compressed|compacted|preserved|omitted|written|kept)\b|(?:this|the) (?:summary|record) (?:is|was|has|covers|captures|preserves|follows|keeps|includes|contains|above)\b|note: (?:this|the|i)\b[^\n]{0,60}(?:summary|record)|no tool calls were made|(?:aqui está|segue) (?:o|um) resumo|(?:aquí está|este es) (?:el|un) resumen|voici (?:le|un) (?:résumé|compte rendu)|hier ist (?:die|eine) zusammenfassung|以下是|以下が|다음은)/i;

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
  const opening = openingOf(text);
  return REFUSALS.some((cue) => cue.test(opening));
}

/** Acts, chats, or asks: goes on with the conversation instead of recording it. */
export function actsOrChats(text: string): boolean {
  const opening = openingOf(text);
  if (ACTS.some((cue) => cue.test(opening))) return true;
  return text.length <= OPENING && /[?？]\s*$/.test(text);
}

export function reportsFailure(text: string): boolean {
  return FAILURES.test(openingOf(text));
}

/** A preface or a trailer: about the summary, not about the conversation. One line; it rests on no message. */
export function isAboutItself(statement: string): boolean {
  if (statement.length > OPENING || /\[[^\]\n]{0,20}\d\]/.test(statement)) return false;
  return ABOUT_ITSELF.test(statement.replaceAll("’", "'"));
}

/** What stands in a section to say that nothing does. */
const NOTHING =
  /^[-*•\s([_]{0,5}(?:none|nothing|n\/a|not applicable|empty|keine|ninguno|ninguna|nenhum|nenhuma|aucune?|nessuno|无|沒有|没有|なし|없음|-|—)(?![\p{L}\d])/iu;
const NO_SUCH =
  /^[-*•\s([_]{0,5}(?:(?:no|there (?:were|are|is|was) no|keine[nr]?|no hay|no hubo|nenhuma?|não há|não houve|aucune?|il n'y a (?:pas|aucune?)|nessuna?|没有|無|특별한)[ \p{L}])/iu;
/** Sections whose emptiness somebody may put in a sentence; elsewhere such a sentence may say something. */
const LISTS: ReadonlySet<Section> = new Set(["rules", "decisions", "state", "errors", "commands", "written", "names"]);
const SHORT = 60;

/** "None.", "No errors were encountered.": short, and resting on no message. Code may know better. */
export function saysNothing(text: string, section: Section): boolean {
  if (text.length > SHORT || /\[[^\]\n]{0,20}\d\]/.test(text)) return false;
  return NOTHING.test(text) || (LISTS.has(section) && NO_SUCH.test(text));
}

const ORDERS =
  /^[\W_]{0,8}(?:(?:system|developer)(?: (?:message|prompt|note|override))?\s?[:：]|(?:please )?(?:ignore|disregard|forget|override) (?:all |any |the |your |of |these |those ){0,4}(?:previous|prior|above|earlier|preceding|other|system) (?:instructions?|messages?|rules|prompts?|guidelines)|you are now (?:an?|in|the)\b|from now on,? you\b)/i;

/** Speaks to whoever reads the record, as hidden orders do. A finding says who gave the order to whom. */
export function givesOrders(text: string): boolean {
  return ORDERS.test(text.slice(0, OPENING));
}
