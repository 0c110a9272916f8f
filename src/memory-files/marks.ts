// What people write at a text to say that it must stay where it is. One place, for all that takes text away.

const MARKS: readonly RegExp[] = [
  /<!--[ \t]{0,9}(?:keep|pin|pinned|permanent|do not remove|do-not-remove)(?![\p{L}\p{N}])/iu,
  /[[(（【][ \t]{0,9}(?:keep|pinned|permanent|置顶|置頂|永久)[ \t]{0,9}[\])）】]/iu,
  /(?<![\p{L}\p{N}_/&#])#(?:keep|pin|pinned|permanent)(?![\p{L}\p{N}_-])/iu,
  /📌|📍|置顶|置頂/u,
];

/** The text, of one line or many, says of itself that it is to be kept. */
export function isMarked(text: string): boolean {
  return MARKS.some((mark) => mark.test(text));
}
