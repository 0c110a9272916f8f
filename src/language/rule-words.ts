// Words that demand or forbid for good, by language, as data. Each alternative stands at the beginning of a word; in
// scripts without spaces anywhere.

export interface RuleWords {
  /** `First`: at the beginning of a clause only. "Don't touch it" forbids, "I don't know" does not. */
  readonly forbidsFirst?: string;
  readonly forbids: string;
  readonly demandsFirst?: string;
  readonly demands: string;
}

export const RULE_WORDS: Readonly<Record<string, RuleWords>> = {
  English: {
    forbidsFirst:
      "(?:do not|don['’]t) (?!worry|bother|forget|hesitate|you )|never (?!mind|give)|avoid |no more |no (?:new|extra|other) |stop \\w+ing",
    forbids: "(?:must|should|may|shall) (?:not|never) |mustn['’]t |under no circumstances|not allowed to|hands off",
    demandsFirst: "always |only (?:use|touch|edit|change|write|make|do) |prefer ",
    demands:
      "(?:must|should) (?:always|only) |you must |from now on|make sure |only ever|at all times|i (?:strongly )?prefer ",
  },
  Spanish: {
    forbidsFirst: "(?:nunca|jam[aá]s) |no (?:toques|uses|cambies|hagas|borres|modifiques|a[ñn]adas|escribas)|evita ",
    forbids: "prohibido|no se (?:debe|puede)",
    demandsFirst: "siempre ",
    demands: "aseg[uú]rate|a partir de ahora|debes? |hay que|prefiero ",
  },
  Portuguese: {
    forbidsFirst: "(?:nunca|jamais) |n[ãa]o (?:mexa|use|altere|fa[çc]a|apague|modifique|adicione|toque)|evite ",
    forbids: "proibid[oa]|n[ãa]o (?:se )?(?:deve|pode)",
    demandsFirst: "sempre ",
    demands: "certifique-se|a partir de agora|deves? |[ée] obrigat[oó]rio|prefiro ",
  },
  German: {
    forbidsFirst: "nicht |kein(?:e|en)? ",
    forbids:
      "niemals|nie (?:wieder|mehr)?|darf(?:st)? (?:nicht|kein)|auf keinen fall|verboten|(?:fass|ändere|nimm|benutze?|verwende) [^.!?]{0,60}\\b(?:nicht|nie|kein(?:e|en)?)\\b",
    demandsFirst: "immer ",
    demands: "(?:musst|müssen) |ab (?:jetzt|sofort)|stets|nur noch|bevorzug",
  },
  French: {
    forbidsFirst: "ne (?:touche|modifie|change|fais|utilise|supprime)|évite[sz]? ",
    forbids: "interdit|(?:ne|n['’])[^.!?]{1,40} (?:doit|doivent|peut) pas",
    demandsFirst: "toujours ",
    demands: "il faut|désormais|à partir de maintenant|(?:tu dois|vous devez) |assure-toi|je préfère ",
  },
  Italian: {
    forbidsFirst: "mai |non (?:toccare|usare|modificare|cambiare|fare)|evita ",
    forbids: "vietato|non si (?:deve|può)",
    demandsFirst: "sempre ",
    demands: "d['’]ora in poi|devi |bisogna |preferisco ",
  },
  Russian: {
    forbids: "никогда|нельзя|запрещен|запрещено|ни в коем случае|не (?:трогай|меняй|используй|удаляй)",
    demands: "всегда|обязательно|отныне|с этого момента|должен|должны",
  },
  Chinese: {
    forbids: "禁止|严禁|嚴禁|不要|不得|不准|不许|不能|切勿|请勿|绝不",
    demands: "必须|必須|务必|總是|总是|永远|从现在开始|一律|只能|只用",
  },
  Japanese: {
    forbids: "絶対に.{0,40}ない|禁止|してはいけない|しないで|ないでください|使わない|触らない",
    demands: "必ず|常に|今後は|これからは|だけを使",
  },
  Korean: { forbids: "절대|금지|하지 ?마|안 ?됩니다", demands: "반드시|항상|앞으로는" },
};
