// The numbered or lettered ways that a message offers, so that "do 2" can be told in words.
import { shorten } from "./choices.ts";

const LEAD = "^\\s{0,8}(?:[-*+]\\s+|#{1,6}\\s+)?\\**";
const NAME = "(?:option|approach|solution|choice|opción|opção|variante|lösung|方案|选项|案|オプション)\\s*";
const OPTION = new RegExp(`${LEAD}(?:${NAME})?\\(?(\\d{1,2}|[A-H])(?:[.):：、]|\\s*[—–-])\\**\\s*(\\S.{1,300})$`, "i");
const NAMED = new RegExp(`${LEAD}${NAME}(\\d{1,2}|[A-H])(?![a-z0-9])`, "i");
const ALONE = new RegExp(`${LEAD}${NAME}(\\d{1,2}|[A-H])\\**[:：.]?\\**\\s*$`, "i");

/** Lines of an option that stands below its label. */
const MOST_LINES = 6;

export interface Option {
  readonly label: string;
  readonly text: string;
}

/** The last run of options in the text, in order; lines that say "option" win over others. */
export function readOptions(text: string): readonly Option[] {
  let run: Option[] = [];
  let named: Option[] = [];
  const lines = text.split("\n");
  for (const [at, line] of lines.entries()) {
    const option = line.length < 400 ? readOption(line, lines.slice(at + 1, at + 1 + MOST_LINES)) : undefined;
    if (option === undefined) continue;
    const isFirst = option.label === "1" || option.label === "A";
    if (isFirst) run = [];
    run.push(option);
    if (!NAMED.test(line)) continue;
    if (isFirst) named = [];
    named.push(option);
  }
  return named.length > 1 ? named : run;
}

/** `below` holds the words where the line has only a label: all until a gap or the next label. */
function readOption(line: string, below: readonly string[]): Option | undefined {
  const match = OPTION.exec(line) ?? ALONE.exec(line);
  if (match === null) return undefined;
  const words = clean(match[2] ?? "");
  const text = words === "" || isBare(words) ? wordsBelow(below) : words;
  return text === "" ? undefined : { label: (match[1] ?? "").toUpperCase(), text };
}

function wordsBelow(below: readonly string[]): string {
  const end = below.findIndex((line) => line.trim() === "" || line.length > 400 || NAMED.test(line));
  const lines = below.slice(0, end < 0 ? below.length : end);
  return shorten(
    lines
      .map(clean)
      .filter((line) => line !== "")
      .join("; "),
  );
}

/** Only "Option 2" again. */
function isBare(words: string): boolean {
  return /^(?:\S+ )?(?:option|choice|approach) \w{1,2}$/iu.test(words);
}

function clean(text: string): string {
  return shorten(
    text
      .replaceAll("**", "")
      .replace(/^[\s:：.*+–—-]+|[\s:：]+$/gu, "")
      .trim(),
  );
}
