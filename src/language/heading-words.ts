// What a heading or a label says of what stands under it, by language, as data: something settled, something learnt,
// something still to be done, what was wanted. Others are subjects only.

export type HeadingKind = "settled" | "next" | "learnt" | "aim";

/** Whole words; `cjk` anywhere. */
interface HeadingWords {
  readonly words: readonly string[];
  readonly cjk: string;
}

const HEADING_WORDS: Readonly<Record<HeadingKind, HeadingWords>> = {
  next: {
    words: [
      "next(?: (?:steps?|actions?|tasks?|session))?|to[- ]?dos?|open (?:items?|points?|questions?|tasks?|issues?)|pending|follow[- ]?ups?|remaining|backlog|future work|roadmap",
      "nächste(?:r|s)?(?: schritte?)?|offen(?:e|es)?(?: punkte| fragen)?|zu tun|ausstehend",
      "próxim[oa]s?(?: pasos?| passos)?|siguientes?(?: pasos?)?|pendientes?|por hacer|pendências?|a fazer",
      "prochain(?:e|es|s)?(?: étapes?)?|à faire|en attente|à suivre",
    ],
    cjk: "下一步|待办|待辦|后续|後續|未完成|待解决|待处理|待處理|次の|次回|今後|未完了|残り|課題|やること",
  },
  settled: {
    words: [
      "decisions?|decided|agreed|agreements?|choices?|rules?|conventions?|polic(?:y|ies)|guidelines?|constraints?|principles?",
      "entscheidung(?:en)?|entschieden|beschl(?:uss|üsse|ossen)|regeln?|vereinbarung(?:en)?|konventionen|vorgaben|richtlinien|grundsätze",
      "decisi(?:ón|ones)|decidido|acordado|acuerdos?|reglas?|normas?|convenciones|principios|decis(?:ão|ões)|acordos?|regras?|convenções|princípios|diretrizes",
      "décisions?|décidé|règles?|accords?|consignes|principes",
    ],
    cjk: "决定|决策|決定|規則|规则|约定|約定|原则|原則|规范|規範|准则|ルール|方針|規約|決まり",
  },
  learnt: {
    words: [
      "lessons?|learn(?:ed|t|ings?)|takeaways?|insights?|findings?|conclusions?|causes?|root causes?|why|reasons?|problems?|issues?|bugs?|fix(?:es|ed)?|faults?|failures?|incidents?|solutions?|workarounds?|gotchas?|pitfalls?|caveats?",
      "lehren?|gelernt|erkenntnis(?:se)?|ursachen?|gründe?|probleme?|fehler|lösung(?:en)?|behoben|fazit|warum|störung(?:en)?",
      "lecci(?:ón|ones)|aprendid[oa]s?|causas?|problemas?|soluci(?:ón|ones)|conclusi(?:ón|ones)|por ?qu[éêe]|fallos?|errores|liç(?:ão|ões)|soluç(?:ão|ões)|correç(?:ão|ões)|conclus(?:ão|ões)|erros|falhas?",
      "leçons?|appris|problèmes?|corrections?|pourquoi|pannes?|erreurs",
    ],
    cjk: "教训|教訓|经验|經驗|学到|洞察|启示|原因|根因|问题|問題|修复|修復|解决|故障|错误|結論|结论|注意事项|学び|学んだ|知見|修正|解決|不具合|気づき|障害",
  },
  aim: {
    words: [
      "targets?|goals?|aims?|objectives?|purpose|summary|ziele?|zusammenfassung|objetivos?|resumen|resumo|objectifs?|résumé",
    ],
    cjk: "目标|目標|目的|总结|總結|まとめ|要約",
  },
};

/** A sentence that says a choice was made, in whatever voice. */
export const SAYS_DECIDED =
  /(?<![\p{L}\d])(?:decided (?:to|not|against|on|that)|(?:was|were|has been|is) (?:decided|agreed|settled)|entschieden|beschlossen|decid(?:imos|ido|ió)|(?:a|avons|été) décidé)(?![\p{L}\d])|(?:^|[，。；、：\s]|我们?|我們?|已经?|用户)决定|决定(?:了|采用|使用|不|改)|決定した|決めた/iu;

/** Longer ones are sentences. */
const LONGEST = 80;
const PATTERNS = Object.entries(HEADING_WORDS).map(([kind, { words, cjk }]) => {
  const any = `(?<![\\p{L}\\d])(?:${words.join("|")})(?![\\p{L}\\d])|${cjk}`;
  return [
    kind as HeadingKind,
    {
      any: new RegExp(any, "iu"),
      bare: new RegExp(`^\\P{L}{0,4}(?:\\p{L}{1,12} )?(?:${any})(?: \\p{L}{1,12})?\\P{L}{0,4}$`, "iu"),
    },
  ] as const;
});

export function headingKind(heading: string): HeadingKind | undefined {
  return heading.length > LONGEST ? undefined : PATTERNS.find(([, { any }]) => any.test(heading))?.[0];
}

/** Of words that name their kind and hardly more, as a label before a sentence has to. */
export function labelKind(label: string): HeadingKind | undefined {
  return label.length > LONGEST ? undefined : PATTERNS.find(([, { bare }]) => bare.test(label))?.[0];
}
