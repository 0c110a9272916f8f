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
      "(?:do not|don['’]t) (?!worry|bother|forget|hesitate|give up|be |get |feel |have |know |think |see |you )|never (?!mind|give up|forget|been|had|seen|done|(?!open|listen)\\w+(?:ed|en|ought|aught)\\b)|avoid (?!\\w+ed\\b)|no more (?!than)|no (?:new|extra|other|external) |stop \\w+ing ",
    forbids:
      "(?:must|should|shall) (?:not|never) (?!worry |bother |hesitate |feel |be (?:a problem|hard|too|afraid|shy|sorry))|mustn['’]t (?!worry |bother |hesitate |feel )|under (?:no|any) circumstances|(?<!\\b(?:no longer|not) )off[- ]limits|(?:nobody|no one) (?:is allowed|may) |not allowed to|hands off",
    demandsFirst:
      "always (?!a |an |the |in |on |up |down |here |there |been |had |good |great |nice |fun |happy |so |\\w+(?:ing|ed)\\b)|only (?:use|touch|edit|change|write|make|do) |prefer (?!not\\b)",
    demands:
      "(?:must|should) (?:always|only) |you must (?!not |never |be |feel |have |love |miss )|from now on|(?<!\\b(?:i|we|they|s?he|to|i['’]ll|we['’]ll|will|would|can|and) )make sure (?!you (?:take care|enjoy|have))|only ever|at all times|i (?:strongly )?prefer ",
  },
  Spanish: {
    forbidsFirst:
      "(?:nunca|jam[aá]s) (?!h[ae] |hab[ií]a |vi |vimos |tive |tuve |foi )|no (?:toques|uses|cambies|hagas|borres|modifiques|a[ñn]adas|escribas|tocar|borrar|usar) ?|nada de (?!eso)|evita ",
    forbids: "(?<!\\bno est[áa] )prohibido|no se (?:debe|puede)|no debes (?!preocuparte)",
    demandsFirst:
      "siempre (?!fall|funciona|pasa|ocurre|sale|da |es |est[aá] |me |he |ha )|usa (?:solo|s[oó]lo|[uú]nicamente) ",
    demands:
      "aseg[uú]rate|a partir de ahora|(?<!\\bno )debes |deben (?!ser |estar |haber )|(?<!\\bno )hay que|prefiero ",
  },
  Portuguese: {
    forbidsFirst:
      "(?:nunca|jamais) (?!h[ae] |hab[ií]a |vi |vimos |tive |tuve |foi )|n[ãa]o (?:mexa|use|altere|fa[çc]a|apague|modifique|adicione|toque|apagar|usar)|nada de (?!isso)|evite ",
    forbids: "proibid[oa]|n[ãa]o (?:se )?(?:deve|pode)(?! se preocupar)",
    demandsFirst:
      "sempre (?!fal[hl]|funciona|acontece|succede|d[áa] |[èée] |est[áa] |me |mi |foi )|use (?:apenas|somente|s[óo]) ",
    demands:
      "certifique-se|(?:a partir de agora|de agora em diante)|(?:deves|voc[êe] deve|devem) (?!ser |estar )|[ée] obrigat[oó]rio|prefiro ",
  },
  German: {
    forbidsFirst:
      "nicht |nie |vermeide |keine?n? (?!sorge|problem|ahnung|idee|frage|angst|stress|zeit|lust|grund|wunder|ding)",
    forbids:
      "niemals|nie (?:wieder|mehr) |darf(?:st)? (?:[^.!?]{1,40} )?(?:nicht|keine?n?) |auf keinen fall|(?<!\\b(?:nicht|nicht mehr) )verboten|(?:fass|ändere|nimm|benutze?|verwende) [^.!?]{0,60}\\b(?:nicht|nie|kein(?:e|en)?)\\b",
    demandsFirst: "immer (?!wieder|noch|mehr|besser)|(?:verwende|benutze?|nimm|nutze) (?:nur|ausschließlich) ",
    demands:
      "(?:du musst|müssen) (?!sein|(?:[^.,!?]{0,30} )?(?:nicht|keine?[nr]?|dir|uns)\\b)|ab (?:jetzt|sofort)|stets|nur noch|bevorzug",
  },
  French: {
    forbidsFirst:
      "ne (?:touche|modifie|change|fais|utilise|supprime|jamais )|n['’](?:ajoute|utilise|efface|écris)|pas de nouve|évite[sz]? ",
    forbids:
      "(?<!\\b(?:pas|plus) )interdit|il ne faut (?:pas|jamais)|(?:ne|n['’])[^.!?]{1,40} (?:doit|doivent|peut) pas",
    demandsFirst: "toujours |utilise[zr]? (?:uniquement|seulement) ",
    demands: "il faut|désormais|à partir de maintenant|(?:tu dois|vous devez) |assure-toi|je préfère ",
  },
  Italian: {
    forbidsFirst: "mai (?!visto|stato|avuto)|non (?:toccare|usare|modificare|cambiare|fare)|evita ",
    forbids: "(?<!\\bnon è (?:più )?)vietato|non si (?:deve|può)|non (?:devi|bisogna) (?!preoccupar)",
    demandsFirst: "sempre (?!fal[hl]|funciona|acontece|succede|d[áa] |[èée] |est[áa] |me |mi |foi )|usa solo ",
    demands: "d['’]ora in poi|(?<!\\bnon )devi |(?<!\\bnon )bisogna |preferisco ",
  },
  Russian: {
    forbids:
      "никогда (?!не (?:видел|был|слышал))|нельзя|запрещен|запрещено|ни в коем случае|не (?:трогай|меняй|используй|удаляй)",
    demands: "всегда (?!падает|так|было)|обязательно|отныне|с этого момента|должн[ыа] быть",
  },
  Chinese: {
    forbids:
      "禁止|严禁|嚴禁|不要(?!紧|緊|担心|擔心|客气|吧)|(?<!要)千万别|别(?:删|动|改|用|提交)|不得(?!不|了)|不准|不许|不能(?:改|用|动|删|提交)|切勿|请勿|绝不",
    demands: "必须|必須|务必|从现在开始|一律|只能使用|只用",
  },
  Japanese: {
    forbids:
      "絶対に.{0,40}ない|禁止|て(?:はいけ|はなら)|(?<!心配|気に)しないで|(?<!心配し|気にし)ないで(?:ください|下さい)|ないこと。?$",
    demands: "必ず(?!しも)|常に|今後は|これからは|だけを使",
  },
  Korean: { forbids: "절대|금지|(?<!걱정)하지 ?마|안 ?됩니다", demands: "반드시|항상|앞으로는" },
};
