// Reads a model's answer: takes off what stands around it, parts it at its titles, and makes a statement of each list item
// and each paragraph. What stands in no section, or in one that nobody knows, is a statement all the same.
import { toWellFormed } from "../../text/quote.ts";
import { STRATEGY_PROMPTS } from "../prompt/strategy-prompts.ts";
import { type Section, SHAPES } from "../shapes.ts";
import type { Doubt, Strategy } from "../summarizer.ts";
import { actsOrChats, isAboutItself, saysNothing } from "./answer-cues.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is removed
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufeff]/g;
/** A tag alone on its line says that the answer stands between it and the next. */
const WRAPPER = /^\s{0,8}<\/?(?:summary|record|output|answer|response|result|final)>[ \t]{0,8}$/gim;
/** The tags that models think in: one opens at the beginning of a line; what follows its end is a title, if not a new line. */
const THOUGHT =
  /[<[](\/?)(?:think|thinking|thoughts?|analysis|scratchpad|reasoning|reflection)[>\]](?=(\s{0,8}(?:#|$))?)/gi;
const HEADING = /^ {0,3}#{1,6}[ \t]/;
const FENCE = /^ {0,3}(?:`{3,}|~{3,})[ \t]*([^\n`]*)$/;
const TEXT_FENCE = /^(?:markdown|md|text|txt|plaintext|summary|json)?\s*$/i;

/** The answer without thoughts, wrapping and fence. Undefined when thoughts are opened and never closed. */
export function openEnvelope(answer: string): string | undefined {
  const text = withoutThoughts(toWellFormed(answer).replace(/\r\n?/g, "\n").replace(CONTROLS, ""));
  return text === undefined ? undefined : asMarkdown(withoutFence(text.replace(WRAPPER, "")).trim());
}

/** Tags in the middle of a line are talked about. Where the prompt's template opened them, only a closing one is there. */
function withoutThoughts(text: string): string | undefined {
  let kept = "";
  let from = 0;
  let isOpen = false;
  for (const { 0: tag, 1: slash, 2: title, index } of text.matchAll(THOUGHT)) {
    const isAtStart = /(?:^|\n)[ \t]{0,8}$/.test(text.slice(Math.max(0, index - 9), index));
    if (slash === "" && !isOpen && (isAtStart || from === index)) {
      kept += text.slice(from, index);
      isOpen = true;
    } else if (slash === "/" && (isOpen || isAtStart || title !== undefined)) {
      if (!isOpen) kept = "";
      isOpen = false;
      from = index + tag.length;
    }
  }
  return isOpen ? undefined : kept + text.slice(from);
}

/** Without one fence around everything, perhaps never closed. One without a title in it is part of the summary, unless it is all there is. */
function withoutFence(text: string): string {
  const lines = text.trim().split("\n");
  const fences = lines.flatMap((line, index) => (FENCE.test(line) ? [index] : []));
  const [first] = fences;
  const info = FENCE.exec(lines[first ?? 0] ?? "")?.[1] ?? "";
  if (first === undefined || !TEXT_FENCE.test(info) || lines.slice(0, first).some((line) => HEADING.test(line)))
    return text;
  const last = fences.length % 2 === 0 ? (fences.at(-1) ?? first) : lines.length;
  const inside = lines.slice(first + 1, last);
  const around = [...lines.slice(0, first), ...lines.slice(last + 1)];
  const isAll = around.every((line) => line.trim() === "");
  const isAnswer = inside.some((line) => HEADING.test(line)) && !around.some((line) => HEADING.test(line));
  return isAll || isAnswer ? [...lines.slice(0, first), ...inside, ...lines.slice(last + 1)].join("\n") : text;
}

/** An object with a section a key. */
function asMarkdown(text: string): string {
  if (!text.startsWith("{")) return text;
  try {
    const sections = Object.entries(JSON.parse(text) as Record<string, unknown>).map(([title, said]) => {
      const items = [said ?? []].flat().map((item) => `- ${typeof item === "string" ? item : JSON.stringify(item)}`);
      return `## ${title.replaceAll("_", " ")}\n${typeof said === "string" ? said : items.join("\n")}`;
    });
    return sections.join("\n\n");
  } catch {
    return text;
  }
}

/** A passage's label or a block's delimiter, as the prompt writes them. */
const ECHO =
  /^(?:\[[^[\]\n]{1,120}\] {1,3}(?:user|assistant|tool output, untrusted|record|note)(?: \(part [^()\n]{1,40}\))?\s{0,3}|<\/?(?:transcript|record|wish)-[0-9a-f]{16}>)$/m;

/** Writes down again what it was shown. */
export function isEcho(text: string): boolean {
  return ECHO.test(text);
}

/** What the examples of the prompt say is about nobody's conversation, and their citations may name messages that exist. */
function exampleLines(): ReadonlySet<string> {
  const records = Object.values(STRATEGY_PROMPTS).flatMap(({ examples }) => examples.map(({ record }) => record));
  return new Set(records.flatMap((record) => record.split("\n").map((line) => line.replace(ITEM, ""))));
}

interface Draft {
  readonly section: Section;
  readonly lines: string[];
  /** No list item: it may speak of the summary. Before the first title it may chat. */
  readonly isProse: boolean;
  readonly isPreface: boolean;
}

/** Linear in the answer. */
export function readSections(text: string, strategy: Strategy): ReadAnswer {
  const wanted = new Set<Section>(SHAPES[strategy].sections.map(([section]) => section));
  const fallback = (["progress", "written", "decisions"] as const).find((section) => wanted.has(section)) ?? "progress";
  const reader = new StatementReader(fallback);
  let isCode = false;
  for (const line of text.split("\n")) {
    const isFence = FENCE.test(line);
    if (isFence || isCode) reader.takeCode(line);
    else if (/^\s*(?:[-*_=] ?){0,60}$/.test(line)) reader.pause();
    else if (!isTitle(line)) reader.take(line);
    else {
      const section = sectionOfTitle(line);
      if (section === undefined) reader.label(line);
      else reader.enter(wanted.has(section) ? section : fallback);
    }
    if (isFence) isCode = !isCode;
  }
  reader.close();
  const hasTitles = reader.titled.size > 0;
  const examples = exampleLines();
  const statements = reader.drafts.flatMap(({ section, lines, isProse, isPreface }): Statement[] => {
    const text = lines.join("\n").trim();
    const isChat = isPreface && hasTitles && !/\[[^\]\n]{1,80}\]/.test(text) && actsOrChats(text);
    const isRemark = isProse && (isChat || isAboutItself(text));
    return text === "" || isRemark || saysNothing(text, section) || examples.has(text) ? [] : [{ section, text }];
  });
  return { statements, titled: reader.titled };
}

const ITEM = /^(?: {0,3}(?:[-*+•‣–]|\d{1,3}[.)])[ \t]{1,8}|(?=\[))/u;
const NESTED = /^(?: {2,24}|\t)[ \t]{0,12}(?:[-*+•‣–]|\d{1,3}[.)])[ \t]{1,8}/u;
/** A list item that only says what the ones below it are about. */
const HEADS_LIST = /^(?:[^[\]]{1,80}[:：]|(?:\*\*|__)[^*_[\]]{1,80}(?:\*\*|__))$/u;
const MOST_MARGIN = 12;
const MARKS_AROUND = /^[\s#*_]{1,20}|[\s#*_:：]{1,20}$/gu;

class StatementReader {
  readonly drafts: Draft[] = [];
  readonly titled = new Set<Section>();
  #section: Section;
  /** What is said with each statement below it: a title inside a section, and the list item that nested ones stand under. */
  #label = "";
  #head = "";
  #isLabelSaid = true;
  /** Nothing parts the next line from the last. */
  #isOpen = false;
  /** How far the text of this section is indented as a whole. */
  #margin = MOST_MARGIN;

  constructor(fallback: Section) {
    this.#section = fallback;
  }

  enter(section: Section): void {
    this.close();
    this.#section = section;
    this.titled.add(section);
    this.#label = "";
    this.#margin = MOST_MARGIN;
  }

  label(line: string): void {
    this.close();
    this.#label = this.titled.size === 0 ? "" : line.replace(MARKS_AROUND, "");
    this.#isLabelSaid = this.#label === "";
  }

  /** A title that nothing stands under is a statement. */
  close(): void {
    if (!this.#isLabelSaid) this.#add("");
    this.#head = "";
    this.#isOpen = false;
  }

  pause(): void {
    this.#isOpen = false;
  }

  takeCode(line: string): void {
    const last = this.#last();
    if (last === undefined || !this.#isLabelSaid) this.#add(line);
    else last.lines.push(line.trimEnd());
    this.#isOpen = true;
  }

  take(given: string): void {
    this.#margin = Math.min(this.#margin, given.length - given.trimStart().length);
    const line = given.slice(this.#margin);
    const last = this.#last();
    const above = last?.lines.at(-1) ?? "";
    const wasOpen = this.#isOpen;
    this.#isOpen = true;
    const isIndented = /^(?: {2,}|\t)\S/.test(line);
    const isNested = NESTED.test(line) && isComplete(line);
    const isHeaded = last?.lines.length === 1 && HEADS_LIST.test(above);
    if (!isIndented) this.#head = "";
    if (last === undefined || !this.#isLabelSaid) this.#addLine(line.trimStart());
    else if (isNested && (isHeaded || isComplete(above))) {
      if (isHeaded) {
        this.drafts.pop();
        this.#head = above.slice(this.#label === "" ? 0 : this.#label.length + 2).replace(MARKS_AROUND, "");
      }
      this.#add(line.replace(NESTED, ""));
    } else {
      const flowsOn = wasOpen && !ITEM.test(line) && !isComplete(above) && !isAboutItself(line);
      if (isIndented || flowsOn) last.lines.push(line.trimEnd());
      else this.#addLine(line);
    }
  }

  /** Of this section. */
  #last(): Draft | undefined {
    const last = this.drafts.at(-1);
    return last?.section === this.#section ? last : undefined;
  }

  #addLine(line: string): void {
    this.#add(line.replace(ITEM, ""), !ITEM.test(line));
  }

  #add(text: string, isProse = false): void {
    const line = [this.#label, this.#head, text.trim()].filter((part) => part !== "").join(": ");
    this.drafts.push({ section: this.#section, lines: [line], isProse, isPreface: this.titled.size === 0 });
    this.#isLabelSaid = true;
  }
}

/** It ends in a citation or a fence: what follows without indentation is another statement. */
function isComplete(line: string): boolean {
  return FENCE.test(line) || /\][.)]?$/.test(line.trimEnd());
}

// One statement of an answer: what it says, in which section, which messages it rests on; and what was found wrong with it.

export interface Statement {
  readonly section: Section;
  /** One line, or several where a fence or a deeper list belongs to it. Without list marker. */
  readonly text: string;
}

/** An answer as it was read, nothing checked. */
export interface ReadAnswer {
  readonly statements: readonly Statement[];
  /** Sections that the answer has, even if only to say that they are empty. */
  readonly titled: ReadonlySet<Section>;
}

export interface CheckedStatement {
  readonly section: Section;
  /** With its citation, or the mark that it has none. */
  readonly text: string;
  readonly ids: readonly string[];
}

export interface CheckedAnswer {
  readonly statements: readonly CheckedStatement[];
  /** What was marked or left out, and why. */
  readonly doubts: readonly Doubt[];
}

// Which section a title means. Models number, embolden, shorten and translate titles; what code reads is the section.

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
function isTitle(line: string): boolean {
  if (/^ {0,3}#{1,6}[ \t]{0,8}\S/.test(line) && !/^ {0,3}#\d/.test(line)) return true;
  const trimmed = line.trim();
  if (trimmed.length === 0 || trimmed.length > LONGEST_TITLE) return false;
  if (/^(?:\d{1,2}[.)] {1,3})?(?:\*\*|__)[^*_]{1,100}(?:\*\*|__):?$/.test(trimmed)) return true;
  return /^[^[\]]{1,60}[:：]$/.test(trimmed) && !/^[-*+] /.test(trimmed);
}
