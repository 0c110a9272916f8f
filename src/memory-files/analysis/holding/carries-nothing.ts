// Whether a heading, or the name of a file, says anything. One that says "Notes" may leave with what stands below it; one
// that says "Staging" or "Rejected" is half of every sentence there.
import { mayTakeBack } from "../../../similarity/cues/cue-words.ts";
import { factTokens } from "../../../similarity/same-fact.ts";
import { withoutDate } from "./written-dates.ts";

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
/** Of a heading that speaks of what stands before it. */
const REFERS_BACK =
  /(?<![\p{L}\p{N}])(?:wrong|corrections?|corrected|correcting|errat(?:um|a)|above|retract(?:ed|ion)|revert(?:ed)?|rolled back|undone|untrue|actually|falsch|korrektur|berichtigung|oben|corrección|correção|acima|arriba|ci-dessus)(?![\p{L}\p{N}])|更正|勘误|勘誤|以上|上述|修正|撤回|訂正|정정/iu;

export interface TitleOf {
  readonly date: string | undefined;
}

/** No words but general ones. A title of a note is an `h1`: its day, or a single letter, says nothing either. */
export function carriesNothing(heading: string, title?: TitleOf): boolean {
  if (ASKS_OR_STRIKES.test(heading)) return false;
  const text = heading.normalize("NFKC").toLowerCase();
  const words = withoutDate(text, title?.date)
    .replace(PHRASES, " ")
    .split(DECORATION)
    .filter((word) => word !== "");
  if (title !== undefined && words.length === 1 && /^[a-z]$/.test(words[0] ?? "")) return true;
  return words.every(
    (word) => WORDS.has(word) || CJK_WORDS.test(word) || (title !== undefined && inTitle(word, title)),
  );
}

function inTitle(word: string, { date }: TitleOf): boolean {
  return TITLE_WORDS.has(word) || CJK_TITLE.test(word) || (date !== undefined && WEEKDAYS.test(word));
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
  return REFERS_BACK.test(heading) || mayTakeBack(factTokens(heading));
}
