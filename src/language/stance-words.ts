// Words that deny, agree, refuse, and say how a piece of work stands, by language, as data; one matcher. Compared are
// sentences of a model with those of the messages that it cites.

interface StanceWords {
  readonly denies: string;
  /** May stand for a denial, and a denial for it. */
  readonly avoids: string;
  /** What follows may be so or not. */
  readonly supposes: string;
  readonly agrees: string;
  readonly refuses: string;
  readonly done: string;
  readonly open: string;
  readonly passes: string;
  readonly fails: string;
}

/** Alternatives of whole words; a trailing `*` stands for any ending. */
const WORDS: Readonly<Record<string, Partial<StanceWords>>> = {
  English: {
    denies: "not|instead of|rather than|no|never|nothing|neither|without|cannot|[a-z]+n't|isnt|dont|doesnt|cant",
    avoids: "avoid*|remov*|missing|only",
    supposes: "if|whether|until|might|may",
    agrees:
      "yes|yep|yeah|ok|okay|sure|agreed|agree|approve*|accept*|confirm*|continue|go ahead|lgtm|perfect|great|good|correct|exactly|right|do it|proceed",
    refuses:
      "no|nope|nah*|refus*|reject*|declin*|veto*|don't|do not|stop|never|wrong|not correct|not right|cancel*|turned down",
    done: "done|complete|completed|completes|finished|fixed|solved|resolved|settled|closed|implemented|added|created|written|updated|merged|committed|pushed|deployed|installed|renamed|removed|deleted|moved|pass|passes|passed|passing|succeed*|successfully|successful|green|0 issues|no errors|verified",
    open: "not started|not yet|pending|todo|to do|open|unresolved|remaining|in progress|ongoing|still|next|fail|fails|failed|blocked|will|need to|planned",
    passes: "pass|passes|passed|succeed*|success*|green|0 issues|no (?:errors|issues|failures)|compiles|compiled",
    fails: "fail|fails|failed|failing|failure*|errors?|broken|exit code [1-9]",
  },
  German: {
    denies: "nicht|statt|anstatt|nie|niemals|kein|keine*|ohne|weder",
    supposes: "wenn|falls|ob|warum|bis",
    agrees: "ja|jawohl|gut|passt|genau|richtig|einverstanden|zugestimmt|genehmigt|bestätigt|mach weiter|weiter",
    refuses: "nein|abgelehnt|verworfen|falsch|lass das|auf keinen fall",
    done: "fertig|erledigt|behoben|abgeschlossen|umgesetzt|gelöst|läuft|bestanden",
    open: "offen|ausstehend|noch|in arbeit|fehlt|fehlgeschlagen|steht aus|nicht begonnen",
  },
  Spanish: {
    denies: "no|nunca|jamás|ningún|ninguna|ninguno|sin|tampoco",
    supposes: "si|hasta",
    agrees: "sí|vale|de acuerdo|correcto|perfecto|adelante|aprobad*|aceptad*|confirmad*",
    refuses: "rechazad*|incorrecto|cancelad*",
    done: "hecho|hecha|terminad*|completad*|arreglad*|resuelt*|funciona",
    open: "pendiente|pendientes|falta|abierto|en curso|todavía|aún",
  },
  Portuguese: {
    denies: "não|nunca|jamais|nenhum|nenhuma|sem|nem",
    supposes: "se|até",
    agrees: "sim|certo|perfeito|de acordo|aprovad*|aceit*|confirmad*|pode continuar",
    refuses: "rejeitad*|recusad*|errado",
    done: "feito|concluíd*|terminad*|corrigid*|resolvid*|pronto",
    open: "pendente|pendentes|falta|aberto|em andamento|ainda",
  },
  French: {
    denies: "ne|n'[a-zé]+|pas|jamais|aucun|aucune|sans|ni",
    supposes: "si|jusqu*",
    agrees: "oui|d'accord|parfait|approuvé*|accepté*|confirmé*|vas-y",
    refuses: "non|refusé*|rejeté*|faux",
    done: "fait|faite|terminé*|fini*|corrigé*|résolu*|fonctionne",
    open: "en attente|ouvert|en cours|encore|reste",
  },
  Russian: {
    denies: "не|нет|никогда|без|ни|нельзя",
    supposes: "если|ли",
    agrees: "да|хорошо|согласен|одобрено|продолжай",
    refuses: "отклонено|отказ*|неверно",
    done: "готово|сделано|исправлено|завершено",
    open: "осталось|ещё|открыто|не начато|в процессе",
  },
};
/** Scripts without spaces: anywhere. */
const DENSE: Partial<StanceWords> = {
  denies: "不|没|沒|未|勿|别|別|ない|ません|않|없|못",
  supposes: "如果|若|もし|만약",
  agrees: "好的|同意|可以|批准|はい|承認|了解|네|좋아|승인",
  refuses: "拒绝|拒否|却下|いいえ|거부|아니요",
  done: "完成|完了|已|済み|修正した|완료|끝",
  open: "未|待|进行中|進行中|残り|まだ|미완|아직",
};

export type Stance = keyof StanceWords;
const FINDERS = new Map<Stance, RegExp>();

function finderOf(kind: Stance): RegExp {
  const known = FINDERS.get(kind);
  if (known !== undefined) return known;
  const words = Object.values(WORDS).flatMap((language) => language[kind]?.replaceAll("*", "\\p{L}*") ?? []);
  const dense = DENSE[kind] === undefined ? "" : `|${DENSE[kind]}`;
  const finder = new RegExp(`(?<![\\p{L}\\p{N}'])(?:${words.join("|")})(?![\\p{L}\\p{N}])${dense}`, "giu");
  FINDERS.set(kind, finder);
  return finder;
}

/** Where words of a kind stand. `text` in any case, with any apostrophe. */
export function findStance(text: string, kind: Stance): readonly { readonly start: number; readonly end: number }[] {
  const found = text.replaceAll("’", "'").matchAll(finderOf(kind));
  return [...found].map(({ 0: word, index }) => ({ start: index, end: index + word.length }));
}

export function hasStance(text: string, kind: Stance): boolean {
  return findStance(text, kind).length > 0;
}
