// What of a file, memory or note, may change what its sections say without standing in them: its name, its front matter,
// what stands before its first heading, raw HTML that is still open.
import { says } from "../../language/words.ts";
import { mayTakeBack } from "../../similarity/cue-words.ts";
import { factTokens, gravestOf } from "../../similarity/same-fact.ts";
import { type Block, type HeadingBlock, isHeading } from "../../text/markdown/outline.ts";
import { withoutDate } from "../dates.ts";
import { type MemoryFile, textOf } from "../workspace.ts";

interface Surroundings {
  /** Its front matter says more than what it is called and when it was written. */
  readonly narrow: boolean;
  /** What is said before the first heading may speak of what stands below. */
  readonly introduced: boolean;
  /** Line of the first raw HTML: whatever stands below it may be struck or folded away. */
  readonly html: number;
}

/** Front matter that says nothing of what is true. */
const HARMLESS_KEYS = new Set("title date created updated tags type id author".split(" "));
const OPEN_TAG = /<(?:del|s|strike|details|template|ins|blockquote|div)\b/i;
const LABEL = /[:：]\s{0,9}(?:\*\*|__|\*|_)?\s{0,9}$/;

export function readSurroundings(file: MemoryFile): Surroundings {
  const { blocks } = file.outline;
  const html = blocks.find((block) => isOpenHtml(file, block))?.from ?? Number.POSITIVE_INFINITY;
  return { narrow: frontMatterNarrows(file), introduced: introduces(file, blocks), html };
}

/** A paragraph that names what comes next. */
export function isLabel(file: MemoryFile, block: Block | undefined): boolean {
  if (block === undefined || isHeading(block)) return false;
  return LABEL.test(textOf(file, block.from, block.to).trimEnd().slice(-40));
}

/** Comments and nothing else, each of them closed. */
function isComment(file: MemoryFile, block: Block): boolean {
  if (block.kind !== "html") return false;
  let rest = textOf(file, block.from, block.to).trim();
  while (rest.startsWith("<!--")) {
    const end = rest.indexOf("-->");
    if (end < 0) return false;
    rest = rest.slice(end + "-->".length).trimStart();
  }
  return rest === "";
}

/** Of what a reader does not see. */
export function isSilent(file: MemoryFile, block: Block): boolean {
  if (block.kind === "rule" || block.kind === "front_matter") return true;
  return isComment(file, block) && !narrows(textOf(file, block.from, block.to));
}

/** A reader of what stands beside it would read that otherwise. */
export function bearsOnOthers(file: MemoryFile, block: Block): boolean {
  return !isSilent(file, block) && speaksOfOthers(textOf(file, block.from, block.to));
}

function isOpenHtml(file: MemoryFile, block: Block): boolean {
  if (block.kind === "html") return !isComment(file, block);
  return block.kind === "paragraph" && OPEN_TAG.test(textOf(file, block.from, block.to));
}

function frontMatterNarrows(file: MemoryFile): boolean {
  const block = file.outline.blocks.find(({ kind }) => kind === "front_matter");
  if (block === undefined) return false;
  return file.lines.slice(block.from, block.to).some(({ text }) => {
    if (/^\s*$|^(?:---|\+\+\+|\.\.\.)\s*$/.test(text)) return false;
    const key = /^([A-Za-z]{1,20})\s{0,9}[:=]/.exec(text)?.[1];
    const isItem = /^\s{0,20}- /.test(text);
    return (
      (!isItem && (key === undefined || !HARMLESS_KEYS.has(key.toLowerCase()))) ||
      narrows(text.replace(/^\w+\s*[:=]/, ""))
    );
  });
}

function introduces(file: MemoryFile, blocks: readonly (Block | HeadingBlock)[]): boolean {
  const first = blocks.findIndex((block) => isHeading(block) && block.container === undefined);
  return first > 0 && blocks.slice(0, first).some((block) => bearsOnOthers(file, block));
}

// Whether a text beside a section may speak of the section too: an introduction that says what holds for all below it, a
// remark behind it. Where no word points on, narrows or takes back, a text speaks of itself.

const ENDS_IN_COLON = /[:：]\s{0,9}[*_]{0,2}\s*$/;
/** The words above know Latin script and Chinese. */
const OTHER_SCRIPT =
  /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Thai}]/u;
/** Raw HTML may strike or fold away what stands around it. */
const MARKUP = /<[a-z!/]/i;

export function speaksOfOthers(text: string): boolean {
  return (
    says(text, "pointsOn") ||
    ENDS_IN_COLON.test(text) ||
    OTHER_SCRIPT.test(text) ||
    MARKUP.test(text) ||
    narrows(text) ||
    takesBack(text)
  );
}

// Whether a heading, or the name of a file, says anything. One that says "Notes" may leave with what stands below it; one
// that says "Staging" or "Rejected" is half of every sentence there.

const WORDS = new Set(
  `note notes daily day session log logs journal diary memo memos memory md summary overview general misc miscellaneous
  facts details highlights
  notiz notizen tagebuch zusammenfassung allgemein nota notas resumen diario resumo diário résumé journal
  メモ 日誌 まとめ 메모 일지 요약`.split(/\s+/u),
);
const PHRASES = /\bkey points\b|\blong[- ]term memory\b/g;
const CJK_WORDS = /^(?:笔记|筆記|总结|總結|小结|记录|記錄|日志|日誌|日记|日記|摘要|概述|备忘|備忘|每日|记忆|記憶)+$/u;
/** Of a title, or the name of a file, which speak of the whole day. */
const TITLE_WORDS = new Set("for of the work morning afternoon evening".split(" "));
const CJK_TITLE =
  /^(?:今日|工作|学习|學習|笔记|筆記|总结|總結|小结|记录|記錄|日志|日誌|日记|日記|摘要|概述|备忘|備忘|每日|记忆|記憶)+$/u;
const WEEKDAYS = /^(?:mon|tues|wednes|thurs|fri|satur|sun)day$|^(?:周|星期)[一二三四五六日天]$/u;
const ASKS_OR_STRIKES = /[?？!！~]/;
/** Decoration of headings; any other sign may say something. */
const DECORATION = /(?:[📝📋📌📅📆🗓📖📓📔📒🗒✏\p{P}\s]|\ufe0f)+/u;
/** Above it stands what holds in one place, or not any more, only. */
const NARROWS =
  /(?:^|[^a-z])(?:staging|production|prod|development|dev|testing|tests?|local|sandbox|canary|qa|ci|beta|alpha|legacy|experiments?|hypothes[ie]s|assumptions?|options?|todo|unverified|planned|future|wish ?list|per-\w+|myths?|misconceptions?|mistakes|removed|replaced|retired|cancell?ed|dropped|stale|expired|backlog|proposals|questions|unconfirmed|rumou?rs|reverted|competitors?|customers?|brainstorm|drafts|trash|graveyard|icebox|someday|past|claims|fiction|failed)(?![a-z])|废弃|廢棄|草案|提议|提議|拒绝|拒絕|示例|例如|过去|過去|归档|歸檔|历史|歷史|备选|備選|假设|假設|如果|可能|旧|舊|过时|過時|作废|测试|測試|生产|生產|预发|開發|开发|環境|环境|计划|計劃|待办|待辦|取消|误解|撤销|错误|谣言|疑问|淘汰|停用|却下|廃止/iu;

/** No words but general ones. A title of a note is an `h1`: its day, or a single letter, says nothing either. */
export function carriesNothing(heading: string, title?: { readonly date: string | undefined }): boolean {
  if (ASKS_OR_STRIKES.test(heading)) return false;
  const text = heading.normalize("NFKC").toLowerCase();
  const words = withoutDate(text, title?.date)
    .replace(PHRASES, " ")
    .split(DECORATION)
    .filter((word) => word !== "");
  if (title !== undefined && words.length === 1 && /^[a-z]$/.test(words[0] ?? "")) return true;
  const isOfDay = (word: string) =>
    TITLE_WORDS.has(word) || CJK_TITLE.test(word) || (title?.date !== undefined && WEEKDAYS.test(word));
  return words.every((word) => WORDS.has(word) || CJK_WORDS.test(word) || (title !== undefined && isOfDay(word)));
}

/**
 * A number, a date other than that of its note, a name, or what may take back what stands above: more than a title. The
 * capitals of titles are no names.
 */
export function carriesFact(heading: string, date: string | undefined): boolean {
  const said = withoutDate(heading, date).toLowerCase();
  const carries = (token: string) => ["negation", "date", "number", "name"].includes(gravestOf([token], said));
  return factTokens(said).some(carries) || narrows(heading) || takesBack(heading);
}

/** Name of a note without folder and ending. A number may be a time, or count the notes of a day. */
export function isBareName(name: string, date: string | undefined): boolean {
  const rest = name
    .replace(date ?? "", " ")
    .replace(/(?<!\d)\d{1,6}(?!\d)/g, " ")
    .replaceAll("_", " ");
  return carriesNothing(rest, { date });
}

/** It may take back, or make conditional, what stands below it. */
export function narrows(heading: string): boolean {
  return NARROWS.test(heading) || mayTakeBack(factTokens(heading));
}

/** It may take back what stands before it. */
export function takesBack(heading: string): boolean {
  return says(heading, "refersBack") || mayTakeBack(factTokens(heading));
}
