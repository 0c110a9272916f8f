// Makes the delimiters that we put around quoted text harmless where quoted text holds them: they lose their angle
// bracket. A reader takes for a delimiter also what only looks like it, so blanks, slashes and invisible characters
// behind the bracket, other joints and letters of other scripts change nothing.

const BETWEEN = String.raw`[\s\p{Cf}/\\／]{0,8}`;
/** The name with its joint: a component named `CompactList` is none of ours. */
const FRAME = String.raw`[cсϲｃ][oоοｏ][mмｍ][pрρｐ][aаαａ][cсϲｃ][tтτｔ](?:[\p{Pd}\p{Pc}\p{Cf}]|\s{1,3}(?:summary|notice))`;
const FRAMES = new RegExp(`[<＜](?=${BETWEEN}${FRAME})`, "giu");
/** These are named after their content, so one that looks like ours cannot pass for it. */
const BLOCKS = /<(?=\/?(?:transcript|record|wish)-)/gi;

/** Of the frame around a summary: `<COMPACT-` and `</COMPACT-`. */
export function neutraliseFrames(text: string): string {
  return text.replace(FRAMES, "‹");
}

/** Of the blocks of a prompt, too. */
export function neutraliseBlocks(text: string): string {
  return neutraliseFrames(text).replace(BLOCKS, "‹");
}
