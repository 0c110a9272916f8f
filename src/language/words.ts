// What words say of the text they stand in: kind by kind, language by language, as data, with one matcher for all of them.

/** Alternatives of whole words, a line a language; a trailing `*` stands for any ending. Lines in Chinese count anywhere. */
const WORDS = {
  denies: `not|instead of|rather than|no|never|nothing|neither|without|cannot|[a-z]+n't|isnt|dont|doesnt|cant
    |nicht|statt|anstatt|nie|niemals|kein|keine*|ohne|weder
    |no|nunca|jamás|ningún|ninguna|ninguno|sin|tampoco
    |não|nunca|jamais|nenhum|nenhuma|sem|nem
    |ne|n'[a-zé]+|pas|jamais|aucun|aucune|sans|ni
    |не|нет|никогда|без|ни|нельзя
    |不|没|沒|未|勿|别|別|ない|ません|않|없|못`,
  /** May stand for a denial, and a denial for it. */
  avoids: `avoid*|remov*|missing|only`,
  /** What follows may be so or not. */
  supposes: `if|whether|until|might|may
    |wenn|falls|ob|warum|bis
    |si|hasta
    |se|até
    |si|jusqu*
    |если|ли
    |如果|若|もし|만약`,
  agrees: `yes|yep|yeah|ok|okay|sure|agreed|agree|approve*|accept*|confirm*|continue|go ahead|lgtm|perfect|great|good|correct|exactly|right|do it|proceed
    |ja|jawohl|gut|passt|genau|richtig|einverstanden|zugestimmt|genehmigt|bestätigt|mach weiter|weiter
    |sí|vale|de acuerdo|correcto|perfecto|adelante|aprobad*|aceptad*|confirmad*
    |sim|certo|perfeito|de acordo|aprovad*|aceit*|confirmad*|pode continuar
    |oui|d'accord|parfait|approuvé*|accepté*|confirmé*|vas-y
    |да|хорошо|согласен|одобрено|продолжай
    |好的|同意|可以|批准|はい|承認|了解|네|좋아|승인`,
  refuses: `no|nope|nah*|refus*|reject*|declin*|veto*|don't|do not|stop|never|wrong|not correct|not right|cancel*|turned down
    |nein|abgelehnt|verworfen|falsch|lass das|auf keinen fall
    |rechazad*|incorrecto|cancelad*
    |rejeitad*|recusad*|errado
    |non|refusé*|rejeté*|faux
    |отклонено|отказ*|неверно
    |拒绝|拒否|却下|いいえ|거부|아니요`,
  done: `done|complete|completed|completes|finished|fixed|solved|resolved|settled|closed|implemented|added|created|written|updated|merged|committed|pushed|deployed|installed|renamed|removed|deleted|moved|pass|passes|passed|passing|succeed*|successfully|successful|green|0 issues|no errors|verified
    |fertig|erledigt|behoben|abgeschlossen|umgesetzt|gelöst|läuft|bestanden
    |hecho|hecha|terminad*|completad*|arreglad*|resuelt*|funciona
    |feito|concluíd*|terminad*|corrigid*|resolvid*|pronto
    |fait|faite|terminé*|fini*|corrigé*|résolu*|fonctionne
    |готово|сделано|исправлено|завершено
    |完成|完了|已|済み|修正した|완료|끝`,
  open: `not started|not yet|pending|todo|to do|open|unresolved|remaining|in progress|ongoing|still|next|fail|fails|failed|blocked|will|need to|planned
    |offen|ausstehend|noch|in arbeit|fehlt|fehlgeschlagen|steht aus|nicht begonnen
    |pendiente|pendientes|falta|abierto|en curso|todavía|aún
    |pendente|pendentes|falta|aberto|em andamento|ainda
    |en attente|ouvert|en cours|encore|reste
    |осталось|ещё|открыто|не начато|в процессе
    |未|待|进行中|進行中|残り|まだ|미완|아직`,
  passes: `pass|passes|passed|succeed*|success*|green|0 issues|no (?:errors|issues|failures)|compiles|compiled`,
  fails: `fail|fails|failed|failing|failure*|errors?|broken|exit code [1-9]`,
  /** What a heading or a label says of what stands below: to be done, settled, learnt, wanted. */
  next: `next(?: (?:steps?|actions?|tasks?|session))?|to[- ]?dos?|open (?:items?|points?|questions?|tasks?|issues?)|pending|follow[- ]?ups?|remaining|backlog|future work|roadmap
    |nächste(?:r|s)?(?: schritte?)?|offen(?:e|es)?(?: punkte| fragen)?|zu tun|ausstehend
    |próxim[oa]s?(?: pasos?| passos)?|siguientes?(?: pasos?)?|pendientes?|por hacer|pendências?|a fazer
    |prochain(?:e|es|s)?(?: étapes?)?|à faire|en attente|à suivre
    |下一步|待办|待辦|后续|後續|未完成|待解决|待处理|待處理|次の|次回|今後|未完了|残り|課題|やること`,
  settled: `decisions?|decided|agreed|agreements?|choices?|rules?|conventions?|polic(?:y|ies)|guidelines?|constraints?|principles?
    |entscheidung(?:en)?|entschieden|beschl(?:uss|üsse|ossen)|regeln?|vereinbarung(?:en)?|konventionen|vorgaben|richtlinien|grundsätze
    |decisi(?:ón|ones)|decidido|acordado|acuerdos?|reglas?|normas?|convenciones|principios|decis(?:ão|ões)|acordos?|regras?|convenções|princípios|diretrizes
    |décisions?|décidé|règles?|accords?|consignes|principes
    |决定|决策|決定|規則|规则|约定|約定|原则|原則|规范|規範|准则|ルール|方針|規約|決まり`,
  learnt: `lessons?|learn(?:ed|t|ings?)|takeaways?|insights?|findings?|conclusions?|causes?|root causes?|why|reasons?|problems?|issues?|bugs?|fix(?:es|ed)?|faults?|failures?|incidents?|solutions?|workarounds?|gotchas?|pitfalls?|caveats?
    |lehren?|gelernt|erkenntnis(?:se)?|ursachen?|gründe?|probleme?|fehler|lösung(?:en)?|behoben|fazit|warum|störung(?:en)?
    |lecci(?:ón|ones)|aprendid[oa]s?|causas?|problemas?|soluci(?:ón|ones)|conclusi(?:ón|ones)|por ?qu[éêe]|fallos?|errores|liç(?:ão|ões)|soluç(?:ão|ões)|correç(?:ão|ões)|conclus(?:ão|ões)|erros|falhas?
    |leçons?|appris|problèmes?|corrections?|pourquoi|pannes?|erreurs
    |教训|教訓|经验|經驗|学到|洞察|启示|原因|根因|问题|問題|修复|修復|解决|故障|错误|結論|结论|注意事项|学び|学んだ|知見|修正|解決|不具合|気づき|障害`,
  aim: `targets?|goals?|aims?|objectives?|purpose|summary|ziele?|zusammenfassung|objetivos?|resumen|resumo|objectifs?|résumé
    |目标|目標|目的|总结|總結|まとめ|要約`,
  /** Who a sentence speaks of, and to whom. */
  speaker: `i|i'm|i've|i'd|my|me|mine|we|our|us|ich|mein\\p{L}{0,2}|mir|mich|wir|uns\\p{L}{0,3}|je|j'\\p{L}+|mon|ma|mes|moi|nous|nos|notre|yo|mi|mis|nosotros|nuestr\\p{L}{1,2}|eu|meus?|minhas?|nós|noss\\p{L}{1,2}|io|mio|mia|noi|nostr\\p{L}|я|мой|моя|мне|мы|нас|наш\\p{L}{0,2}
    |我|俺|僕|私|나는|저는|우리`,
  listener: `you|your|yours|you're|you've|du|dein\\p{L}{0,2}|dir|dich|ihr|euch|tu|ton|ta|tes|toi|vous|vos|votre|tú|usted|ustedes|você|vocês|ty|ты|тебе|вы|вас|ваш\\p{L}{0,2}
    |你|您|あなた|당신`,
  /** Whoever the assistant works for, as a record names them. */
  user: `users?|nutzer\\p{L}{0,3}|benutzer\\p{L}{0,3}|anwender\\p{L}{0,3}|usuari[oa]s?|usuári[oa]s?|utilisateurs?|utilisatrices?|utente|utenti|пользовател\\p{L}{0,3}
    |用户|用戶|使用者|ユーザー|사용자`,
  /** Something is still to be done or waited for. Errs on one side. */
  pending: `to-?dos?|fixme|tbd|tba|wip|pending|unresolved|outstanding|await(?:ing|s)?|waiting (?:for|on)|waits (?:for|on)|in progress|not (?:yet|done)|still (?:open|to|needs?|has to|have to|missing)|follow[- ]?ups?|open (?:question|issue|item|point|task|end)s?|open:|blocked (?:by|on)|action items?|offene?[nrsm]?|ausstehend\\p{L}{0,2}|zu erledigen|noch (?:zu|nicht|offen)|wart(?:en|et|e) (?:auf|noch)|pendientes?|por hacer|esperando|sin resolver|en attente|à faire|reste à|en cours|a fazer|pendentes?|aguardando|em andamento|da fare
    |待办|待辦|待处理|待處理|待确认|待確認|待定|待做|待完成|未完成|未解决|未解決|尚未|还没|還沒|等待|进行中|進行中|未対応|未着手|対応中|要対応|やること|할 일|미완료|진행 ?중|대기|ожида|осталось|не сделано`,
  /** A rule that is to last. Errs on one side. */
  lasting: `must|never|always|do not|don't|no longer|not allowed|cannot|can't|may not|prohibited|forbidden|mandatory
    |niemals|immer|verboten|darf(?:st)? (?:nicht|nur|kein)|dürfen (?:nicht|nur|kein)|wird nicht|werden nicht|nicht mehr|muss|müssen
    |nunca|siempre|no se (?:debe|puede)|prohibid[oa]s?|hay que|obligatori[oa]
    |sempre|proibid[oa]s?|não (?:se )?(?:deve|pode|fazer)|obrigatóri[oa]
    |jamais|toujours|il (?:ne )?faut|ne (?:doit|doivent|pas|jamais)|interdit[es]{0,2}|obligatoire
    |не|нельзя|никогда|всегда|запрещ\\p{L}{1,5}|обязательно
    |禁止|严禁|嚴禁|必须|必須|务必|務必|不要|不得|不准|不许|不許|不能|不可|切勿|请勿|勿|绝不|絕不|永远|永遠|一律|只能|只允许|絶対|必ず|してはならない|ないこと|てはいけない|ないでください|べからず|べきで|반드시|금지|하지 ?마|안 ?됩니다|항상|절대`,
  /** Speaks of what stands beside it. */
  pointsOn: `below|following|follows|everything|anything|all|both|each|every|these|those|this|here|rest|next|next part|appl(?:y|ies)|only|until|unless|valid|scope|belongs?|according|claims?|says|said|thinks?|heard|guess(?:es|ed)?|doubts?|maybe|perhaps|folgende?[nrs]?|unten|alle[srn]?|diese[rsnm]?|hier|gilt|gelten|nur|früher|siguientes?|abajo|todos?|todas?|est[oae]s?|aqu[ií]|s[oó]lo|vale|suivante?s?|ci-dessous|tou[ts]e?s?|ces|cette|ici|seulement|uniquement|seguintes?|abaixo|tudo|esses?|só|somente
    |以下|下面|下列|本文|本页|全部|所有|这些|這些|这里|此处|仅|只|适用|適用|针对|針對|据说|听说`,
  /** Takes back what stands before it. */
  refersBack: `wrong|corrections?|corrected|correcting|errat(?:um|a)|above|retract(?:ed|ion)|revert(?:ed)?|rolled back|undone|untrue|actually|falsch|korrektur|berichtigung|oben|corrección|correção|acima|arriba|ci-dessus
    |更正|勘误|勘誤|以上|上述|修正|撤回|訂正|정정`,
  /** Allows what was forbidden. */
  allows: `may|can|could|allowed|permitted|free to
    |darfst|dürfen|kannst|könnt|erlaubt
    |puedes|pueden|permitid[oa]s?
    |podes|você pode|permitid[oa]s?
    |peux|pouvez|permise?s?|autorisée?s?
    |puoi|potete|permess[oaie]
    |можно|можешь|можете|разрешено
    |可以|允许|允許`,
  /** Says of a rule that it does not hold any more. */
  releases: `never mind|nevermind|forget|lifted|withdrawn|waived|no longer (?:need(?:ed)?|have|required|appl(?:y|ies)|holds?|valid|forbidden|off[- ]limits)|no need to|you (?:do not|don't) (?:have|need)|you (?:need not|needn't)
    |vergiss|aufgehoben|hinfällig|(?:gilt|gelten) nicht mehr|(?:nicht mehr|nicht länger) (?:nötig|verboten)|musst nicht mehr
    |olvida|olvídate|anulad[oa]s?|ya no (?:hace falta|vale|rige|hay que|está prohibido)
    |esqueça|esquece|anulad[oa]s?|já não (?:é preciso|vale|é proibido)
    |oublie[zr]?|levée?s?|annulée?s?|(?:ne vaut|n'est) plus (?:nécessaire|interdite?|valable)?
    |dimentica|annullat[oa]|non (?:serve|vale|è) più (?:vietato|necessario)?
    |забудь|отменен[оаы]?|отменяется|больше не (?:нужно|действует|запрещено)
    |不再(?:需要|适用|適用|禁止)|不用再|不必再|取消|作废|作廢`,
  /** Stands around what is allowed or released, and names nothing. */
  fillsRelease: `rules?|about|again|anymore|any more|now|from now on|please|actually|gave|you|to|the|a|an|i|we|my|is|are|be|of|for|in|on|do|have|need|der|die|das|den|dem|du|sie|zu|ist|regel|regeln|jetzt|wieder|über|bitte|el|la|los|las|de|que|es|ahora|reglas?|sobre|o|os|as|é|agora|regras?|le|les|il|un|est|maintenant|règles?|à|sur|en|auf|em|lo|gli|ora|adesso|regol[ae]|ты|вы|теперь|снова|правило
    |现在|現在|规则|規則|这条|這條|那条|那條|了|你|的`,
  /** The order of what follows matters. */
  steps: `steps?|order(?:ed|ing)?|sequen\\p{L}{1,7}|procedures?|then|runbooks?|playbooks?|routines?|instructions?|how[ -]?to|schritt\\p{L}{0,4}|reihenfolge\\p{L}{0,2}|ablauf|abläufe|pasos?|secuencia|procedimientos?|étapes?|séquence|ordre|procédures?|passos?|etapas?|sequência|procedimento
    |步骤|步驟|顺序|順序|流程|手順|手顺|절차|순서|단계|поряд|шаг`,
  /** Something is done again, or waited for. */
  repeats: `wait|waits|pause|then|again|repeat(?:ed|s)?|once more|afterwards?|after that|next|finally|warte\\p{L}{0,2}|dann|danach|wieder\\p{L}{0,8}|erneut|nochmals?|esper[ae]r?|luego|entonces|de nuevo|otra vez|repet\\p{L}{1,4}|attend\\p{L}{0,3}|puis|ensuite|encore|répét\\p{L}{1,4}|aguard\\p{L}{1,3}|depois|novamente|de novo
    |等待|稍等|等一|然后|然後|接着|接著|再|重复|重複|又|待つ|待って|次に|もう一度|繰り返|그런 ?다음|다시|기다|затем|снова|подожд`,
} as const;

export type WordKind = keyof typeof WORDS;
const SPACELESS = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]/u;
const PATTERNS = new Map<WordKind, RegExp>();

// Patterns for any case and all letters of Unicode take milliseconds to be made, each; so the text is brought into a form
// in which a letter is `a` to `z` or beyond ASCII.
const LETTER = "[a-z\u0080-\uffff]";
const BESIDE_WORDS = "[0-9a-z\u0080-\uffff]";

let lastRead = { text: "", folded: "" };

/** Of the same length: lower case, one apostrophe, and of what is beyond ASCII letters and digits only. */
function folded(text: string): string {
  if (lastRead.text !== text) {
    const lower = text.replaceAll("\u0130", "\u0131").toLowerCase().replaceAll("\u2019", "'");
    lastRead = { text, folded: lower.replace(/[^\0-\x7f\p{L}\p{N}]/gu, (other) => "\0".repeat(other.length)) };
  }
  return lastRead.folded;
}

/** For folded texts. */
function patternOf(kind: WordKind): RegExp {
  const known = PATTERNS.get(kind);
  if (known !== undefined) return known;
  const lines = WORDS[kind]
    .replaceAll(/(?<=\p{L})\*/gu, "\\p{L}*")
    .replaceAll("\\p{L}", LETTER)
    .split(/\n\s+\|/u);
  const whole = lines.filter((line) => !SPACELESS.test(line));
  const forms = [
    `(?<!${BESIDE_WORDS})(?:${whole.join("|")})(?!${BESIDE_WORDS})`,
    ...lines.filter((line) => SPACELESS.test(line)),
  ];
  const pattern = new RegExp(forms.join("|"), "g");
  PATTERNS.set(kind, pattern);
  return pattern;
}

export function says(text: string, kind: WordKind): boolean {
  return folded(text).search(patternOf(kind)) >= 0;
}

/** Where words of a kind stand. */
export function findWords(text: string, kind: WordKind): readonly { readonly start: number; readonly end: number }[] {
  const found = folded(text).matchAll(patternOf(kind));
  return [...found].map(({ 0: word, index }) => ({ start: index, end: index + word.length }));
}

/** A sentence that says a choice was made, in whatever voice. */
export const SAYS_DECIDED =
  /(?<![\p{L}\d])(?:decided (?:to|not|against|on|that)|(?:was|were|has been|is) (?:decided|agreed|settled)|entschieden|beschlossen|decid(?:imos|ido|ió)|(?:a|avons|été) décidé)(?![\p{L}\d])|(?:^|[，。；、：\s]|我们?|我們?|已经?|用户)决定|决定(?:了|采用|使用|不|改)|決定した|決めた/iu;

const HEADING_KINDS = ["next", "settled", "learnt", "aim"] as const;
export type HeadingKind = (typeof HEADING_KINDS)[number];
/** Longer ones are sentences. */
const LONGEST_HEADING = 80;

export function headingKind(heading: string): HeadingKind | undefined {
  return heading.length > LONGEST_HEADING ? undefined : HEADING_KINDS.find((kind) => says(heading, kind));
}

/** Of words that name their kind and hardly more, as a label before a sentence has to. */
export function labelKind(label: string): HeadingKind | undefined {
  if (label.length > LONGEST_HEADING) return undefined;
  return HEADING_KINDS.find((kind) =>
    findWords(label, kind).some(
      ({ start, end }) =>
        /^\P{L}{0,4}(?:\p{L}{1,12} )?$/u.test(label.slice(0, start)) &&
        /^(?: \p{L}{1,12})?\P{L}{0,4}$/u.test(label.slice(end)),
    ),
  );
}
