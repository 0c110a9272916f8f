// The words by which templates of other languages name their sections, fields and standings, as the English ones that
// everything else here asks for.

const TITLES: readonly (readonly [string, readonly string[]])[] = [
  ["status", ["estado", "statut", "stato", "stand", "状态", "狀態", "ステータス", "状況", "상태", "статус"]],
  ["date", ["fecha", "datum", "data", "日期", "日付", "날짜", "дата"]],
  ["decision", ["decisión", "décision", "decisão", "entscheidung", "decisione", "besluit", "beslissing"]],
  ["decision", ["决策", "决定", "決策", "決定", "결정", "решение", "decisión tomada", "决策结果", "決定事項"]],
  ["context", ["contexto", "contexte", "kontext", "contesto", "背景", "上下文", "コンテキスト", "맥락", "контекст"]],
  ["consequences", ["consecuencias", "conséquences", "consequências", "konsequenzen", "conseguenze", "последствия"]],
  ["consequences", ["后果", "影响", "後果", "影響", "結果", "결과"]],
  ["considered options", ["alternativas", "opciones consideradas", "optionen", "opções consideradas", "alternativen"]],
  ["considered options", ["备选方案", "可选方案", "候选方案", "替代方案", "選択肢", "代替案", "대안", "альтернативы"]],
  ["rationale", ["justificación", "justification", "begründung", "理由", "原因", "근거", "обоснование"]],
];

const STATUS_WORDS: readonly (readonly [string, RegExp])[] = [
  [
    "superseded",
    /^(?:reemplazad|sustituid|substituíd|ersetzt|abgelöst|remplacé|sostituit|被取代|已取代|已替代|被替代|заменено)/u,
  ],
  [
    "accepted",
    /^(?:aceptad|aceit[oa]|accepté|akzeptiert|angenommen|accettat|已接受|接受|已采纳|采纳|已通过|承認|採用|принят)/u,
  ],
  ["proposed", /^(?:propuest|propost|proposé|vorgeschlagen|提议|提案|待定|草案|предложен)/u],
  ["rejected", /^(?:rechazad|rejeitad|rejeté|refusé|abgelehnt|rifiutat|已拒绝|拒绝|却下|отклонен)/u],
  ["deprecated", /^(?:obsolet[oa]|déprécié|veraltet|deprecat[oa]|已废弃|废弃|已弃用|弃用|廃止|устарел)/u],
];

const ENGLISH = new Map(TITLES.flatMap(([english, others]) => others.map((other) => [other, english] as const)));

/** `Decisión` as `decision`; what is no such word, or stands with others, as it is. In lower case. */
export function englishTitle(title: string): string {
  const bare = title.normalize("NFC").trim().toLowerCase();
  return ENGLISH.get(bare) ?? ENGLISH.get(bare.split(/\s{0,3}[(（:：/]/, 1)[0] ?? "") ?? bare;
}

/** The standing that a word of another language names. */
export function englishStatus(word: string): string | undefined {
  const bare = word.normalize("NFC");
  return STATUS_WORDS.find(([, pattern]) => pattern.test(bare))?.[0];
}

/** Without the number that a template gives its sections: `1. Status`, `2) Context`. */
export function withoutNumber(title: string): string {
  return title.replace(/^[\d.\s)]{1,8}/, "");
}

const SECTION =
  /^(?:status|state|context|decision|decision (?:outcome|drivers)|consequences|considered options|rationale|date|summary|problem(?: statement)?|context and problem statement|issue|background|motivation)$/;

/** True for a heading that every record has: none that names this one. */
export function isSectionTitle(title: string): boolean {
  return SECTION.test(englishTitle(withoutNumber(title)));
}
