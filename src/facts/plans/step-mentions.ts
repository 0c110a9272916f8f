// What people say about steps by their number: "phase 1 is done", "now step 3", "all steps are complete".
import { trackOf } from "./step-lists.ts";

export interface StepMention {
  readonly track: string;
  readonly number: number;
  readonly says: "done" | "started";
}

const NAMED =
  /\b(phase|step|stage|part|milestone|task)s? #?(\d{1,3})(?:(?: ?[-–] ?| (?:to|through) )(\d{1,3})|((?:,? and |, )\d{1,3}){1,8})?\b/gi;
const DONE =
  /(?:\b(?:done|complete|completed|finished|implemented|confirmed|accepted|approved|shipped|merged|verified|works|looks (?:good|great|fine))\b|✅|✔|✓)/i;
const UNDONE =
  /\b(?:not|isn(?:'|’)t|aren(?:'|’)t|until|once|when|after|before|if|unless|will be|to be|almost|nearly|half|partly|partially|remaining|remains|yet to|needs? to|should be|must be)\b/i;
const STARTED =
  /\b(?:now|start|starting|started|begin|beginning|begun|moving|move|proceed|proceeding|continue|continuing|let me|let(?:'|’)s|i(?:'|’)ll|i will|i(?:'|’)m going to|on to|onto|working on|in progress|under way|half|partly|partially)\b/i;
const NOT_NOW =
  /\b(?:not|don(?:'|’)t|later|until|once|if|before|unless|should i|shall i|want me to|would you|ready to)\b|\?/i;
const ALL_DONE =
  /\b(?:all (?:of the )?(?:\w{1,20} ){0,2}(?:steps|phases|stages|milestones|tasks|items|todos) (?:are |have been |were )?(?:now )?(?:done|complete|completed|finished|implemented)|(?:the )?(?:whole )?(?:plan|implementation|migration|refactoring|refactor|work|task) is (?:now )?(?:done|complete|completed|finished)|everything (?:is|has been) (?:now )?(?:done|complete|completed|finished|implemented))\b/i;
const LONGEST_TEXT = 20_000;

export function findMentions(text: string): readonly StepMention[] {
  const part = text.slice(0, LONGEST_TEXT);
  if (!/\d/.test(part)) return [];
  return clausesOf(part).flatMap((clause) => {
    const says =
      DONE.test(clause) && !UNDONE.test(clause)
        ? "done"
        : STARTED.test(clause) && !NOT_NOW.test(clause)
          ? "started"
          : undefined;
    if (says === undefined) return [];
    return [...clause.matchAll(NAMED)].flatMap((match) =>
      numbersOf(match).map((number) => ({ track: trackOf(match[1]), number, says }) as const),
    );
  });
}

export function saysAllDone(text: string): boolean {
  return clausesOf(text.slice(0, LONGEST_TEXT)).some((clause) => ALL_DONE.test(clause) && !UNDONE.test(clause));
}

/** "Phase 1 is done, now phase 2" says two things. */
function clausesOf(text: string): readonly string[] {
  return text.split(
    /(?<=[.!?;])\s+|\n+|[,;—–] (?=(?:now|next|moving|starting|so|then|let|on to|i(?:'|’)ll|i will|continuing)\b)|\band (?=(?:now|next|moving|starting|i(?:'|’)ll|i will|continuing)\b)/i,
  );
}

function numbersOf(match: RegExpMatchArray): readonly number[] {
  const first = Number(match[2]);
  const last = match[3] === undefined ? first : Number(match[3]);
  const range = Array.from({ length: Math.max(1, Math.min(20, last - first + 1)) }, (_, at) => first + at);
  const more = match[4] === undefined ? [] : [...match[0].matchAll(/\d{1,3}/g)].map(([number]) => Number(number));
  return [...new Set([...range, ...more])];
}
