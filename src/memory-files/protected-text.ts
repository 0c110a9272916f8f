// What keeps a text from being taken away: marks that people write at it, open tasks, rules, a name in the memory.
import { findRuleSentences } from "../facts/rules.ts";
import { type MemoryFile, textOf } from "./workspace.ts";

const MARKS: readonly RegExp[] = [
  /<!--[ \t]{0,9}(?:keep|pin|pinned|permanent|do not remove|do-not-remove)(?![\p{L}\p{N}])/iu,
  /[[(（【][ \t]{0,9}(?:keep|pinned|permanent|置顶|置頂|永久)[ \t]{0,9}[\])）】]/iu,
  /(?<![\p{L}\p{N}_/&#])#(?:keep|pin|pinned|permanent)(?![\p{L}\p{N}_-])/iu,
  /📌|📍|置顶|置頂/u,
];

/** The text, of one line or many, says of itself that it is to be kept. */
export function isMarked(text: string): boolean {
  return MARKS.some((mark) => mark.test(text));
}

// Does a text say that something is still to be done or waited for? Errs on one side: an entry of a log that only sounds
// like it stays where it is.

/** Anything in a box but a tick, and boxes that are characters. */
const OPEN_BOX = /(?:^|[ \t])\[(?:[ \t]?|[-/>!?~*o.])\](?=[ \t]|$)|[☐⬜🔲□⏳⌛🚧]/mu;
const OPEN_CUES =
  /(?<![\p{L}\p{N}])(?:to-?dos?|fixme|tbd|tba|wip|pending|unresolved|outstanding|await(?:ing|s)?|waiting (?:for|on)|waits (?:for|on)|in progress|not (?:yet|done)|still (?:open|to|needs?|has to|have to|missing)|follow[- ]?ups?|open (?:question|issue|item|point|task|end)s?|open:|blocked (?:by|on)|action items?|offene?[nrsm]?|ausstehend\p{L}{0,2}|zu erledigen|noch (?:zu|nicht|offen)|wart(?:en|et|e) (?:auf|noch)|pendientes?|por hacer|esperando|sin resolver|en attente|à faire|reste à|en cours|a fazer|pendentes?|aguardando|em andamento|da fare)(?![\p{L}\p{N}])|待办|待辦|待处理|待處理|待确认|待確認|待定|待做|待完成|未完成|未解决|未解決|尚未|还没|還沒|等待|进行中|進行中|未対応|未着手|対応中|要対応|やること|할 일|미완료|진행 ?중|대기|ожида|осталось|не сделано/iu;

export function isStillOpen(text: string): boolean {
  return OPEN_BOX.test(text) || OPEN_CUES.test(text);
}

// Does a section hold a rule that is to last? Errs on one side: a log entry that only sounds like one stays where it is.

const RULE_CUES = new RegExp(
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
  return RULE_CUES.test(text) || findRuleSentences(text).length > 0;
}

// Which notes the memory speaks of by their file name: a link to one that left would lead to nothing.

export function notesNamedBy(memory: readonly MemoryFile[]): (note: MemoryFile) => boolean {
  const texts = memory.map((file) => textOf(file));
  return ({ file }) => {
    const name = file.slice(file.lastIndexOf("/") + 1);
    return texts.some((text) => text.includes(name));
  };
}
