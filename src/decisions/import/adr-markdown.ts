// A Markdown page as front matter, title, the lines below it and sections by their headings. Text stays as it is
// written.
import { type Container, isHeading, splitSections } from "../../text/markdown/outline.ts";
import { scanMarkdown } from "../../text/markdown/scan-markdown.ts";

export interface Section {
  readonly title: string;
  /** 1 to 6. */
  readonly level: number;
  /** Everything below the heading up to the next of its level or a higher one, subheadings included. Trimmed. */
  readonly body: string;
}

export interface MarkdownPage {
  /** `key: value` of the front matter, as written; a list joined with `, `. Keys in lower case. */
  readonly fields: ReadonlyMap<string, string>;
  /** Undefined where the first heading is one that every record has. */
  readonly title: string | undefined;
  /** Between title and first heading. */
  readonly preamble: string;
  readonly sections: readonly Section[];
}

export function readPage(text: string): MarkdownPage {
  const all = withoutComments(text.replace(/^\ufeff/, "")).split(/\r\n|\n|\r/);
  const { fields, end } = readFrontMatter(all);
  const lines = all.slice(end);
  const bodyOf = (from: number, to: number) => lines.slice(from, to).join("\n").trim();
  const headed = splitSections(scanMarkdown(lines), lines.length).flatMap(({ heading, from, body, whole }) =>
    heading === undefined || heading.text === ""
      ? []
      : [{ title: heading.text, level: heading.level, from, body, whole }],
  );
  const title = headed[0] === undefined || isSectionTitle(headed[0].title) ? undefined : headed[0];
  const rest = title === undefined ? headed : headed.slice(1);
  return {
    fields,
    title: title?.title,
    preamble: bodyOf(title?.body ?? 0, rest[0]?.from ?? lines.length),
    sections: rest.map(({ title, level, body, whole }) => ({ title, level, body: bodyOf(body, whole) })),
  };
}

/** `<!-- … -->` is for whoever fills a template in. One that never ends stays. */
function withoutComments(text: string): string {
  const pieces: string[] = [];
  let at = 0;
  for (let open = text.indexOf("<!--"); open >= 0; open = text.indexOf("<!--", at)) {
    const close = text.indexOf("-->", open + 4);
    if (close < 0) break;
    pieces.push(text.slice(at, open));
    at = close + 3;
  }
  return [...pieces, text.slice(at)].join("");
}

const FIELD = /^([A-Za-z][\w -]{0,60})\s{0,20}:(?:\s(.{0,2000}))?$/;

/** Not as YAML: values like `{proposed}` or `{YYYY-MM-DD}` mean something else there, or nothing. */
function readFrontMatter(lines: readonly string[]): {
  readonly fields: ReadonlyMap<string, string>;
  readonly end: number;
} {
  const fields = new Map<string, string>();
  const start = lines.findIndex((line) => line.trim() !== "");
  // Some pages have lost the line that opens it.
  const isOpened = lines[start]?.trimEnd() === "---";
  const first = isOpened ? start + 1 : start;
  const close = start < 0 ? -1 : lines.findIndex((line, at) => at >= first && /^(?:---|\.\.\.)\s{0,100}$/.test(line));
  if (close < 0 || (!isOpened && !lines.slice(first, close).every((line) => FIELD.test(line))))
    return { fields, end: 0 };
  let key: string | undefined;
  for (const line of lines.slice(first, close)) {
    const pair = FIELD.exec(line.trimEnd());
    if (pair !== null) {
      key = (pair[1] ?? "").trim().toLowerCase().replaceAll(" ", "-");
      fields.set(key, unquoted(pair[2] ?? ""));
    } else if (key !== undefined && /^\s{0,20}-\s/.test(line)) {
      const item = unquoted(line.trim().slice(1));
      const before = fields.get(key) ?? "";
      fields.set(key, before === "" ? item : `${before}, ${item}`);
    }
  }
  return { fields, end: close + 1 };
}

function unquoted(value: string): string {
  const bare = value.trim();
  const quote = bare[0];
  if ((quote === '"' || quote === "'") && bare.length > 1) {
    const end = bare.indexOf(quote, 1);
    if (end > 0) return bare.slice(1, end).trim();
  }
  // A comment begins behind a space only.
  const comment = bare.search(/\s#/);
  return (bare.startsWith("#") ? "" : comment < 0 ? bare : bare.slice(0, comment)).trim();
}

// Pieces of Markdown as plain text: paragraphs, list items, and both without the marks of emphasis and links.

const MOST_LINE = 4000;

/** Links by their words, no emphasis; white space is one space. Code stays as it is. */
export function plainText(text: string): string {
  const pieces = text.split(/(`[^`\n]{1,300}`)/);
  return pieces
    .map((piece, at) => (at % 2 === 1 ? piece : withoutMarks(piece)))
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}

function withoutMarks(text: string): string {
  return text
    .replace(/!?\[([^\]\n]{1,300})\]\([^)\n]{0,500}\)/g, "$1")
    .replace(/\*\*|(?<![\p{L}\p{N}_])__(?=\S)|(?<=\S)__(?![\p{L}\p{N}_])/gu, "")
    .replace(/(?<![\p{L}\p{N}*])\*(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}.!?])\*(?![\p{L}\p{N}*])/gu, "");
}

/** A paragraph, or a list. Code and headings are neither. */
export type Block =
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "list"; readonly items: string[] }
  | { readonly kind: "heading"; readonly text: string; readonly level: number };

const ITEM = /^\s{0,12}(?:[-*+]|\d{1,9}[.)])\s{1,10}/;

/** Tables, quotes and code are left out, and so are the items inside an item: they are detail of it. */
export function readBlocks(body: string): readonly Block[] {
  const lines = body.split("\n").map((line) => line.slice(0, MOST_LINE));
  const { blocks: found, containers } = scanMarkdown(lines);
  const blocks: Block[] = [];
  let items: string[] | undefined;
  let item: number | undefined;
  for (const block of found) {
    const { container } = block;
    const written = lines.slice(block.from, block.to).join(" ");
    if (isHeading(block)) {
      blocks.push({ kind: "heading", level: block.level, text: plainText(block.text) });
      items = undefined;
    } else if (container === undefined) {
      if (block.kind === "paragraph") blocks.push({ kind: "paragraph", text: plainText(written) });
      items = undefined;
    } else if (block.kind === "paragraph" && isOutermostItem(containers[container])) {
      if (items === undefined) {
        items = [];
        blocks.push({ kind: "list", items });
      }
      const text = plainText(written.replace(ITEM, ""));
      if (container !== item) items.push(text);
      else items.push(`${items.pop()} ${text}`);
      item = container;
    }
  }
  return blocks;
}

function isOutermostItem(container: Container | undefined): boolean {
  return container?.kind === "item" && container.parent === undefined;
}

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
function isSectionTitle(title: string): boolean {
  return SECTION.test(englishTitle(withoutNumber(title)));
}
