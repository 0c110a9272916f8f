// Handles of what runs beside the conversation: sub-agents, jobs, processes, background tasks. They live in a
// tool's result alone, so whoever loses one can neither wait for nor stop it; the finished ones may go.
import { cutAt } from "../../text/cut.ts";

export interface Handle {
  readonly value: string;
  /** `agent_id: ag_7f31, status: running`; the status is the last one seen with it. */
  readonly context: string;
}

const KEYS =
  "sub_?agent_?id|agent_?id|job|job_?id|pid|process_?id|task_?id|shell_?id|bash_?id|background_?(?:task_?)?id|run_?id|execution_?id|build_?id|deployment_?id|operation_?id|worker_?id|batch_?id|workflow_?id|terminal_?id|container_?id|thread_?id";
const KEYED = new RegExp(
  `[\\\\"'<]{0,2}(?<![A-Za-z])(${KEYS.replaceAll("_?", "[_-]?")})[\\\\"'>]{0,2}\\s{0,4}[:=>]?\\s{0,4}[\\\\"']{0,2}([\\w.:-]{1,80})`,
  "gi",
);
const IN_WORDS =
  /\b(?:running (?:in (?:the )?background with|with session)|background (?:task|command|process|shell|job)(?: started)?(?: with)?|(?:started|spawned|launched|submitted|queued)(?: (?:an?|the|new|batch|background)){0,2} (?:sub-?)?(?:task|agent|job|process|worker))(?: with)?(?: the)? ?(ID|id|pid|PID|handle)?:? {0,2}["'`]?([\w-]{2,60})/gi;
/** What a shell prints when it puts a command into the background: `[1] 4411`. */
const OF_SHELL = /^\[\d{1,3}\] (\d{2,7})$/gm;
const STATUS =
  /[\\"'<]{0,2}(?<![A-Za-z])(?:status|state)[\\"'>]{0,2}\s{0,4}[:=>]?\s{0,4}[\\"']{0,2}([A-Za-z_-]{2,30})/i;
const LABEL =
  /[\\"'<]{1,2}(?:description|label|name|title|summary)[\\"'>]{1,2}\s{0,4}:?\s{0,4}[\\"']{0,2}([^"\\<>\n]{2,60})/i;
const OPEN =
  /^(?:running|in[_-]?progress|pending|queued|starting|started|launched|spawned|active|working|waiting|processing|executing|open)$/i;
const FINISHED =
  /status: (?:done|completed?|finished|succeeded|success|ok|failed|error|killed|stopped|exited|cancell?ed|terminated|closed|collected|timed[_-]?out|shut[_-]?down)\b/i;

/** A result with more handles than this is a listing (`ps`), not news of the agent's own work. */
const MOST_HANDLES = 20;
/** Only what a tool says about a start or an end is looked at, not what it read from elsewhere. */
const LONGEST_RESULT = 20_000;
/** A status belongs to the handles of its own object: this far around. */
const NEAR = 240;
const LONGEST_LABEL = 60;

/** Handles that a tool's result names. `label` is what the call said it starts. */
export function findHandles(result: string, label: string | undefined): readonly Handle[] {
  const text = result.slice(0, LONGEST_RESULT);
  const found = new Map<string, Handle>();
  for (const { whole, index, key, written, isKeyed } of candidates(text)) {
    const value = written.replace(/[.:-]{1,80}$/, "");
    const around = objectAround(text, index, index + whole.length);
    const status = STATUS.exec(around)?.[1]?.toLowerCase();
    if (!/\d/.test(value) && !(isKeyed && isQuoted(whole) && OPEN.test(status ?? ""))) continue;
    if (isKeyed && /^\d{1,20}$/.test(value) && !isNumbered(whole, key)) continue;
    const name = LABEL.exec(around)?.[1] ?? label;
    const parts = [
      name === undefined ? undefined : cutAt(name.replace(/\s+/g, " "), LONGEST_LABEL),
      isKeyed ? `${key}: ${value}` : whole,
    ];
    if (status !== undefined) parts.push(`status: ${status}`);
    found.set(value, { value, context: parts.filter((part) => part !== undefined).join(", ") });
  }
  return found.size > MOST_HANDLES ? [] : [...found.values()];
}

interface Candidate {
  readonly whole: string;
  readonly index: number;
  readonly key: string;
  readonly written: string;
  /** Behind a key, else behind words that say that something was started. */
  readonly isKeyed: boolean;
}

function candidates(text: string): readonly Candidate[] {
  const keyed = [...text.matchAll(KEYED)].map(({ 0: whole, 1: key = "id", 2: written = "", index }) => {
    return { whole, index, key, written, isKeyed: true };
  });
  const told = [...text.matchAll(IN_WORDS)].map(({ 0: whole, 1: key = "id", 2: written = "", index }) => {
    return { whole, index, key, written, isKeyed: false };
  });
  const shells = [...text.matchAll(OF_SHELL)].map(({ 1: written = "", index }) => {
    return { whole: `pid ${written}`, index, key: "pid", written, isKeyed: false };
  });
  return [...keyed, ...told, ...shells];
}

function isQuoted(whole: string): boolean {
  return /^[\\"'<]/.test(whole);
}

/** A bare number behind a name is a line number as often as not; a process's is always one. */
function isNumbered(whole: string, key: string): boolean {
  return (/^pid$/i.test(key) || isQuoted(whole)) && !/(?<!\d)0{1,20}$/.test(whole);
}

/** Does the last status seen say that it has ended? */
export function isFinished(context: string | undefined): boolean {
  return context !== undefined && FINISHED.test(context);
}

/** The innermost object or line block around the place. */
function objectAround(text: string, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - NEAR), start);
  const after = text.slice(end, end + NEAR);
  const opened = before.lastIndexOf("{");
  const closed = before.lastIndexOf("}");
  const from = Math.max(opened, closed + 1, before.lastIndexOf("\n\n") + 1);
  const close = after.indexOf("}");
  return before.slice(from) + text.slice(start, end) + (close < 0 ? after : after.slice(0, close));
}
