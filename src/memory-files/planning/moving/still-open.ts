// Does a text say that something is still to be done or waited for? Errs on one side: an entry of a log that only sounds
// like it stays where it is.

/** Anything in a box but a tick, and boxes that are characters. */
const BOX = /(?:^|[ \t])\[(?:[ \t]?|[-/>!?~*o.])\](?=[ \t]|$)|[☐⬜🔲□⏳⌛🚧]/mu;
const CUES =
  /(?<![\p{L}\p{N}])(?:to-?dos?|fixme|tbd|tba|wip|pending|unresolved|outstanding|await(?:ing|s)?|waiting (?:for|on)|waits (?:for|on)|in progress|not (?:yet|done)|still (?:open|to|needs?|has to|have to|missing)|follow[- ]?ups?|open (?:question|issue|item|point|task|end)s?|open:|blocked (?:by|on)|action items?|offene?[nrsm]?|ausstehend\p{L}{0,2}|zu erledigen|noch (?:zu|nicht|offen)|wart(?:en|et|e) (?:auf|noch)|pendientes?|por hacer|esperando|sin resolver|en attente|à faire|reste à|en cours|a fazer|pendentes?|aguardando|em andamento|da fare)(?![\p{L}\p{N}])|待办|待辦|待处理|待處理|待确认|待確認|待定|待做|待完成|未完成|未解决|未解決|尚未|还没|還沒|等待|进行中|進行中|未対応|未着手|対応中|要対応|やること|할 일|미완료|진행 ?중|대기|ожида|осталось|не сделано/iu;

export function isStillOpen(text: string): boolean {
  return BOX.test(text) || CUES.test(text);
}
