// What a heading says of what stands under it, in the languages that the cue lists know: something settled, something
// learnt, something still to be done, what it is all about. Headings that say none of it are subjects only.

/**
 * - `settled`: choices, rules
 * - `learnt`: lessons, causes, problems and what cured them
 * - `next`: what was still to be done
 * - `aim`: what was wanted
 * - `result`: what came of it
 */
export type PartKind = "settled" | "learnt" | "next" | "aim" | "result";

/** Longer ones are sentences. */
const LONGEST = 80;

const latin = (...stems: readonly string[]) => `(?<![\\p{L}\\d])(?:${stems.join("|")})(?![\\p{L}\\d])`;

const SETTLED = [
  "decisions?|decided|agreed|agreements?|choices?|chosen|rules?|conventions?|policy|policies|guidelines?|constraints?|principles?",
  "entscheidung(?:en)?|entschieden|beschl(?:uss|üsse|ossen)|regeln?|vereinbarung(?:en)?|konventionen|vorgaben|richtlinien|grundsätze",
  "decisi(?:ón|ones)|decidido|acordado|acuerdos?|reglas?|normas?|convenciones|principios|políticas?",
  "decis(?:ão|ões)|acordos?|regras?|convenções|princípios|diretrizes",
  "décisions?|décidé|règles?|accords?|consignes|principes",
];
const SETTLED_CJK = "决定|决策|決定|規則|规则|约定|約定|原则|原則|规范|規範|准则|ルール|方針|規約|決まり";

const LEARNT = [
  "lessons?|learned|learnt|learnings?|takeaways?|insights?|findings?|conclusions?|root cause|causes?|why|reasons?|problems?|issues?|bugs?|fix|fixes|fixed|faults?|failures?|incidents?|solutions?|workarounds?|gotchas?|pitfalls?|caveats?|warnings?|what (?:worked|was seen|went wrong)|what did not work|how it was found|doubts?|risks?",
  "lehren?|gelernt|erkenntnis(?:se)?|ursachen?|gründe?|probleme?|fehler|lösung(?:en)?|behoben|fazit|warum|zweifel|störung(?:en)?",
  "lecci(?:ón|ones)|aprendid[oa]s?|aprendizajes?|causas?|problemas?|soluci(?:ón|ones)|arreglos?|conclusi(?:ón|ones)|por ?qué|fallos?|errores|dudas?",
  "liç(?:ão|ões)|aprendizados?|soluç(?:ão|ões)|correç(?:ão|ões)|conclus(?:ão|ões)|por ?qu[eê]|erros|falhas?|dúvidas?",
  "leçons?|appris|problèmes?|solutions?|corrections?|pourquoi|pannes?|erreurs|doutes?",
];
const LEARNT_CJK =
  "教训|教訓|经验|經驗|心得|学到|收获|收穫|洞察|启示|反思|原因|根因|问题|問題|修复|修復|解决|故障|错误|错误|结论|踩坑|注意事项|学び|学んだ|知見|修正|解決|不具合|結論|気づき|障害";

const NEXT = [
  "next(?: (?:steps?|directions?|actions?|session|tasks?))?|to[- ]?dos?|open (?:items?|points?|questions?|ends?|tasks?|issues?)|^open$|pending|follow[- ]?ups?|remaining|backlog|upcoming|potential improvements|future work|recommendations?",
  "nächste(?:r|s)?(?: schritte?)?|offen(?:e|es)?(?: punkte| fragen)?|zu tun|ausstehend",
  "próxim[oa]s?(?: pasos?)?|siguientes?(?: pasos?)?|pendientes?|por hacer",
  "próximos passos|pendências?|a fazer",
  "prochain(?:e|es|s)?(?: étapes?)?|à faire|en attente|à suivre",
];
const NEXT_CJK =
  "下一步|待办|待辦|后续|後續|未完成|待解决|待处理|待處理|明日计划|明天|改进方向|次の|次回|今後|未完了|残り|課題|やること";

const AIM = ["targets?|goals?|aims?|objectives?|purpose|tl;?dr|what i built", "ziele?", "objetivos?", "objectifs?"];
const AIM_CJK = "目标|目標|目的";

const RESULT = [
  "summary|results?|outcomes?|status",
  "zusammenfassung|ergebnis(?:se)?",
  "resumen|resultados?|resumo",
  "résumé|résultats?",
];
const RESULT_CJK = "总结|總結|结果|結果|成果|设计理念|まとめ|要約";

const PATTERNS: readonly (readonly [PartKind, RegExp])[] = [
  ["next", new RegExp(`${latin(...NEXT)}|${NEXT_CJK}`, "iu")],
  ["settled", new RegExp(`${latin(...SETTLED)}|${SETTLED_CJK}`, "iu")],
  ["learnt", new RegExp(`${latin(...LEARNT)}|${LEARNT_CJK}`, "iu")],
  ["aim", new RegExp(`${latin(...AIM)}|${AIM_CJK}`, "iu")],
  ["result", new RegExp(`${latin(...RESULT)}|${RESULT_CJK}`, "iu")],
];
const BEFORE =
  "(?:key |important |final |main |potential |possible |suggested |remaining )?(?:关键|重要|最终|设计|設計|核心)?";
const BEHIND = "(?: (?:made|taken|found|fixed|learned|learnt))?(?:行动|计划|规划|想法|重点|方向|经验)?";
/** Says nothing but its kind. */
const BARE: readonly (readonly [PartKind, RegExp])[] = (
  [
    ["next", `${latin(...NEXT)}|${NEXT_CJK}`],
    ["settled", `${latin(...SETTLED)}|${SETTLED_CJK}`],
    ["learnt", `${latin(...LEARNT)}|${LEARNT_CJK}`],
  ] as const
).map(([kind, words]) => [kind, new RegExp(`^${BEFORE}(?:${words})${BEHIND}$`, "iu")]);

export function kindOf(heading: string): PartKind | undefined {
  if (heading.length > LONGEST) return undefined;
  return PATTERNS.find(([, pattern]) => pattern.test(heading))?.[0];
}

/** Of words that name their kind and nothing else, as a label in front of a sentence has to. */
export function bareKindOf(words: string): PartKind | undefined {
  return words.length > LONGEST ? undefined : BARE.find(([, pattern]) => pattern.test(words))?.[0];
}
