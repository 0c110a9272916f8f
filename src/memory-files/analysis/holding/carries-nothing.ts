// Whether a heading says anything. One that says "Notes" may leave with what stands below it; one that says "Staging"
// or "Rejected" is half of every sentence there.
import { mayTakeBack } from "../../../similarity/cues/cue-words.ts";
import { factTokens } from "../../../similarity/same-fact.ts";

const WORDS = new Set(
  `note notes daily day session log logs journal diary memo memos memory md summary overview general misc miscellaneous
  notiz notizen tagebuch zusammenfassung allgemein nota notas resumen diario resumo diário résumé journal
  メモ 日誌 まとめ 메모 일지 요약`.split(/\s+/u),
);
const CJK_WORDS = /^(?:笔记|筆記|总结|總結|小结|记录|記錄|日志|日誌|日记|日記|摘要|概述|备忘|備忘|每日|记忆|記憶)+$/u;
const WEEKDAYS = /^(?:mon|tues|wednes|thurs|fri|satur|sun)day$|^(?:周|星期)[一二三四五六日天]$/u;
const TIME = /(?<!\d)\d{1,2}:\d{2}(?::\d{2})?(?!\d)(?: ?(?:am|pm|utc|gmt|z))?(?![\p{L}\p{N}])/gu;
/** Decoration of headings; any other sign may say something. */
const DECORATION = /(?:[📝📋📌📅📆🗓📖📓📔📒🗒✏\p{P}\s]|\ufe0f)+/u;
/** Above it stands what holds in one place, or not any more, only. */
const NARROWS =
  /(?:^|[^a-z])(?:staging|production|prod|development|dev|testing|tests?|local|sandbox|canary|qa|ci|beta|alpha|legacy|experiments?|hypothes[ie]s|assumptions?|options?|todo|unverified|planned|future|wish ?list|per-\w+)(?![a-z])|废弃|廢棄|草案|提议|提議|拒绝|拒絕|示例|例如|过去|過去|归档|歸檔|历史|歷史|备选|備選|假设|假設|如果|可能|旧|舊|过时|過時|作废|测试|測試|生产|生產|预发|開發|开发|環境|环境|计划|計劃|待办|待辦/iu;

/** No words but general ones, or a single letter. `date` of the note may stand in its title. */
export function carriesNothing(heading: string, date?: string): boolean {
  const text = heading.normalize("NFKC").toLowerCase();
  const words = withoutDate(text, date)
    .split(DECORATION)
    .filter((word) => word !== "");
  if (words.length === 0) return true;
  if (words.length === 1 && /^[a-z]$/.test(words[0] ?? "")) return true;
  const isDated = date !== undefined && words.length > 0;
  return words.every((word) => WORDS.has(word) || CJK_WORDS.test(word) || (isDated && WEEKDAYS.test(word)));
}

/** It may take back, or make conditional, what stands below it. */
export function narrows(heading: string): boolean {
  return NARROWS.test(heading) || mayTakeBack(factTokens(heading));
}

function withoutDate(text: string, date: string | undefined): string {
  if (date === undefined) return text;
  const [year = "", month = "", day = ""] = date.split("-");
  const [shortMonth, shortDay] = [String(Number(month)), String(Number(day))];
  const written = [
    date,
    `${year}/${month}/${day}`,
    `${year}.${month}.${day}`,
    `${year}${month}${day}`,
    `${year}年${month}月${day}日`,
    `${year}年${shortMonth}月${shortDay}日`,
  ];
  return written.reduce((rest, form) => rest.replaceAll(form, " "), text).replace(TIME, " ");
}
