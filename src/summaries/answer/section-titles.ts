// Which section a title means. Models number, embolden, shorten and translate titles; what code reads is the section.
import { type Section, SHAPES } from "../shapes.ts";

/** What titles are called besides our own, in small letters. */
const ALIASES: Readonly<Partial<Record<Section, string>>> = {
  requests:
    "goals and requests|primary request and intent|all user messages|user messages|user intent|goals|goal|objectives|objective|requests|user requests|primary request|task overview|task|objetivos|objetivo|pedidos|metas|solicitudes|objectifs|objectif|demandes|ziele|ziel|aufträge|anfragen|目标|目標|要求|用户请求|ゴール|依頼|목표|요청",
  rules:
    "rules|constraints|restrictions|guardrails|standing rules|user rules|regras|restrições|reglas|restricciones|règles|contraintes|regeln|vorgaben|einschränkungen|规则|約束|约束|限制|ルール|制約|규칙|제약",
  decisions:
    "decisions|key decisions|decision log|decision ledger|decisions taken|decisões|decisiones|décisions|entscheidungen|决定|決定|决策|決定事項|결정",
  state:
    "state of the plan|plan state|plan|follow-up: plan|follow-up|follow-ups|next steps|next step|optional next step|optional next steps|outstanding actions|outstanding|open items|todo|to-do|to do|task list|pending tasks|pending|work items|status of the plan|current status|estado do plano|plano|próximos passos|estado del plan|próximos pasos|état du plan|prochaines étapes|stand des plans|nächste schritte|offene punkte|计划|計画|下一步|待办|次のステップ|계획|다음 단계",
  progress:
    "progress|key technical concepts|technical concepts|problem solving|current work|work in progress|what was done|work done|completed work|summary|overview|context|findings|results|current state|state|status|key facts|history|progresso|resumo|progreso|resumen|progrès|avancement|résumé|fortschritt|stand|zusammenfassung|ergebnisse|进展|進捗|总结|摘要|概要|진행",
  errors:
    "errors|failed attempts|errors and blockers|errors and fixes|blockers|open errors|issues|problems|erros|bloqueios|errores|bloqueos|erreurs|blocages|fehler|blocker|错误|问题|エラー|오류",
  commands: "commands|commands run|tests|test results|comandos|commandes|befehle|命令|コマンド|명령",
  written:
    "files and code sections|files and changes|changed files|files modified|modified files|file changes|changes|code changes|files and code|files|arquivos alterados|ficheiros alterados|archivos modificados|archivos cambiados|fichiers modifiés|geänderte dateien|dateien|修改的文件|更改的文件|変更ファイル|変更したファイル|변경된 파일",
  names:
    "other identifiers|identifiers|key identifiers|entities|key entities|names|references|identificadores|identifiants|bezeichner|kennungen|标识|标识符|識別子|식별자",
};

const LONGEST_TITLE = 120;
const MARKUP = /^(?:[\s#>*_`\d.)(:：-]|\p{Extended_Pictographic}|\ufe0f|\u200d){1,40}|[\s#*_`:：]{1,40}$/gu;
/** Between the words for two sections in one title; the first decides. */
const BETWEEN = /\s{1,5}(?:and|und|y|et|e|&|\/)\s{1,5}|\s{0,5}[,/、，和与及と]\s{0,5}/u;

/** The section of a line that stands as a title; undefined for other lines and titles nobody knows. */
export function sectionOfTitle(line: string): Section | undefined {
  if (line.length > LONGEST_TITLE) return undefined;
  const title = plain(line);
  return titleMap().get(title) ?? titleMap().get(title.split(BETWEEN, 1)[0] ?? "");
}

function plain(line: string): string {
  return line
    .replace(MARKUP, "")
    .replace(/\s{0,5}[(（][^()（）]{0,80}[)）]\s{0,5}$/u, "")
    .replace(/[\s*_`:：]{1,20}$/u, "")
    .toLowerCase();
}

let known: ReadonlyMap<string, Section> | undefined;

function titleMap(): ReadonlyMap<string, Section> {
  known ??= new Map([
    ...Object.entries(ALIASES).flatMap(([section, aliases]) =>
      aliases.split("|").map((alias) => [alias, section as Section] as const),
    ),
    ...Object.values(SHAPES).flatMap(({ sections }) =>
      sections.map(([section, title]) => [plain(title), section] as const),
    ),
  ]);
  return known;
}

/** Marked as a title, or emphasised or ending in a colon and alone on its line. */
export function isTitle(line: string): boolean {
  if (/^ {0,3}#{1,6}[ \t]{0,8}\S/.test(line) && !/^ {0,3}#\d/.test(line)) return true;
  const trimmed = line.trim();
  if (trimmed.length === 0 || trimmed.length > LONGEST_TITLE) return false;
  if (/^(?:\d{1,2}[.)] {1,3})?(?:\*\*|__)[^*_]{1,100}(?:\*\*|__):?$/.test(trimmed)) return true;
  return /^[^[\]]{1,60}[:：]$/.test(trimmed) && !/^[-*+] /.test(trimmed);
}
