// Finds in prose the lists of steps that someone means to take: numbered or labelled, from 1 on, two at least, and
// announced as a plan. Lists of findings, options, questions and things done are none.
import { itemText } from "./plan-items.ts";

export interface Step {
  /** `phase`, `step`, …; `step` for a bare number. */
  readonly track: string;
  readonly number: number;
  /** As it is shown: `Phase 2: backfill`, `2. Backfill`, or `Phase 2` alone. */
  readonly text: string;
  readonly isLabelled: boolean;
  readonly isDone: boolean;
}

/** A labelled step has a sign before its words: "Phase 1 is done" names none. */
const STEP_LINE =
  /^(?:(phase|step|stage|part|milestone|task) (\d{1,3})(?:\s{0,2}[.):—–-]{1,2}(?:\s|$)|$)|(\d{1,3})[.)]\s)\s{0,3}(.{0,300})$/i;
const STATE_WORD = /^(?:done|complete|completed|finished|in progress|pending)[.!]?$/i;
const INTENT =
  /\b(?:plan|steps?|phases?|roadmap|approach|to-?dos?|i(?:'|’)ll|i will|i am going|i'm going|going to|let(?:'|’)s|let me|we(?:'|’)ll|we will|here(?:'|’)s what i|next|in this order)\b/i;
const NO_INTENT =
  /\b(?:did|done|made|changed|fixed|found|changes|summary|issues?|problems?|options?|alternatives|questions?|choose|reasons?|currently|works|worked|happens|happened|reproduce|you can|you could|you need|you should|manually|example|why|causes?|files)\b/i;
/** Headings of a plan under which no steps stand. */
const NO_STEPS =
  /\b(?:verif\w{0,10}|test plan|tests?|testing|files|risks?|scope|problems?|questions?|criteria|notes?)\b/i;
const DONE_MARK = /(?:✅|✔|✓|\[x\]|\((?:done|complete|completed)\)|[—–-] (?:done|complete|completed)\.?$)/i;
const MARKS = /(?:✅|✔️?|✓|⏳|🔄|\[[ x]\]|~~)/giu;
const MOST_LINES = 2_000;

/** One announced list of each track. `isPlan`: the text as a whole is a plan, so that no words need to say so. */
export function findStepLists(text: string, isPlan: boolean): readonly (readonly Step[])[] {
  const lists = new Map<string, readonly Step[]>();
  let open: Step[] = [];
  let lead = "";
  let openLead = "";
  const close = () => {
    const [first] = open;
    const known = lists.get(first?.track ?? "")?.length ?? 0;
    // In the text of a plan the longest list is the plan; in talk it is the last one.
    if (first !== undefined && isAnnounced(open, openLead, isPlan) && !(isPlan && known >= open.length))
      lists.set(first.track, open);
    open = [];
  };
  for (const line of text.split("\n", MOST_LINES)) {
    const step = stepOf(line);
    const last = open.at(-1);
    if (step === undefined) {
      if (/\S/.test(line)) lead = line;
    } else if (last !== undefined && step.track === last.track && step.number === last.number + 1) open.push(step);
    else if (step.number === 1) {
      close();
      open = [step];
      openLead = lead;
    }
  }
  close();
  return [...lists.values()];
}

function isAnnounced(steps: readonly Step[], lead: string, isPlan: boolean): boolean {
  if (steps.length < 2 || steps.some(({ text }) => text.endsWith("?"))) return false;
  if (isPlan) return !NO_STEPS.test(lead);
  if (NO_INTENT.test(lead)) return false;
  return steps[0]?.isLabelled === true || INTENT.test(lead);
}

/** The step that a line at the left edge names; headings, bullets and bold type do not matter. */
export function stepOf(line: string): Step | undefined {
  if (line.length > 600 || /^\s{4}/.test(line) || !/\d/.test(line.slice(0, 40))) return undefined;
  const match = STEP_LINE.exec(plainLine(line));
  if (match === null) return undefined;
  const [, label, labelNumber, bareNumber, said = ""] = match;
  const words = STATE_WORD.test(said) ? "" : said;
  const number = Number(labelNumber ?? bareNumber);
  if (label === undefined && words === "") return undefined;
  const head = label === undefined ? `${number}.` : `${capitalized(label)} ${number}`;
  const text = words === "" ? head : itemText(label === undefined ? `${head} ${words}` : `${head}: ${words}`);
  return { track: trackOf(label), number, text, isLabelled: label !== undefined, isDone: DONE_MARK.test(line) };
}

export function trackOf(label: string | undefined): string {
  return label === undefined ? "step" : label.toLowerCase();
}

export function capitalized(label: string): string {
  return label.charAt(0).toUpperCase() + label.slice(1).toLowerCase();
}

function plainLine(line: string): string {
  return line
    .replace(MARKS, "")
    .replace(/^[\s>#*+-]{0,12}/, "")
    .replace(/\*{1,3}|__/g, "")
    .replace(/\s+/g, " ")
    .trim();
}
