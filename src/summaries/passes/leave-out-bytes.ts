// Takes encoded bytes out of a text: images, archives, keys in base64, on one line or broken over many. A summarizer
// learns nothing from them, and they cost more than everything else.

/** A longer run of base64's characters is bytes. */
const LONGEST_RUN = 200;
const RUN = /[A-Za-z0-9+/_=-]+/g;
/** A line of a block that was broken at a fixed width. */
const WRAPPED = /^[ \t]{0,16}[A-Za-z0-9+/_-]{56,200}={0,2}[ \t]{0,4}$/;
const LEAST_WRAPPED_LINES = 4;

/** Linear. What was left out is named with its length. */
export function leaveOutBytes(text: string): string {
  if (text.length <= LONGEST_RUN) return text;
  const whole = text.replace(RUN, (run) => (run.length > LONGEST_RUN ? placeholder(run.length) : run));
  return text.includes("\n") ? leaveOutWrapped(whole) : whole;
}

function placeholder(characters: number): string {
  return `[${characters.toLocaleString("en-US")} characters of encoded bytes left out]`;
}

function leaveOutWrapped(text: string): string {
  const kept: string[] = [];
  let block: string[] = [];
  const endBlock = () => {
    if (block.length >= LEAST_WRAPPED_LINES) {
      kept.push(placeholder(block.reduce((sum, line) => sum + line.trim().length, 0)));
    } else kept.push(...block);
    block = [];
  };
  for (const line of text.split("\n")) {
    if (line.length <= 222 && WRAPPED.test(line)) block.push(line);
    else {
      endBlock();
      kept.push(line);
    }
  }
  endBlock();
  return kept.join("\n");
}
