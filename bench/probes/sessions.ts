// The sessions that are probed: real ones of the corpus, of different hosts and kinds, each cut before its last fifth.
// Where they are is said by AGENT_CORPUS; a clone has none.
import { basename } from "node:path";
import { corpusFiles, readText } from "../../test/corpus/corpus.ts";
import { readAny } from "../facts/sessions.ts";

export interface ProbedSession {
  readonly name: string;
  readonly format: string;
  /** What compaction is given: the messages before the last fifth. */
  readonly before: readonly unknown[];
  /** What the rest of the session was, which the questions come from. */
  readonly after: readonly unknown[];
}

interface Choice {
  readonly name: string;
  readonly file: RegExp;
  /** Messages of a file that holds many sessions. */
  readonly part?: readonly [from: number, to: number];
}

const CHOICES: readonly Choice[] = [
  { name: "claude-26", file: /^claude-code-26/ },
  { name: "claude-51", file: /^claude-code-51/ },
  { name: "claude-68", file: /^claude-code-68/ },
  { name: "claude-89", file: /^claude-code-89/ },
  { name: "claude-ad", file: /^claude-code-ad/ },
  { name: "claude-b0", file: /^claude-code-b0/ },
  { name: "claude-cd", file: /^claude-code-cd/ },
  { name: "claude-ee", file: /^claude-code-ee/ },
  { name: "pi-before", file: /^pi-before/ },
  { name: "pi-large", file: /^pi-large/ },
  { name: "pi", file: /^pi-session/ },
  { name: "aider", file: /^aider/, part: [1200, 1500] },
  { name: "airline", file: /^tau-bench/, part: [600, 900] },
];

/** What was looked at while the ranking was made, what was not, and what was written last. */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  "seven sessions tuned on": ["claude-26", "claude-68", "claude-89", "claude-ee", "pi", "aider", "airline"],
  "four not tuned on": ["claude-51", "claude-b0", "claude-cd", "pi-before"],
  "two written last": ["claude-ad", "pi-large"],
};

/** Those whose name is one of `names`, or all. Throws without a corpus. */
export function probedSessions(names: readonly string[] = []): readonly ProbedSession[] {
  const chosen = CHOICES.filter(({ name }) => names.length === 0 || names.includes(name));
  return chosen.map(({ name, file, part }) => {
    const [path] = corpusFiles("transcripts", new RegExp(`${file.source}.*(?<!meta)\\.(?:jsonl?|md)(?:\\.gz)?$`));
    if (path === undefined)
      throw new Error(`No session ${name}: set AGENT_CORPUS to the folder that has transcripts/.`);
    const { format, messages } = readAny(readText(path), basename(path));
    const all = part === undefined ? messages : messages.slice(...part);
    const cut = Math.floor(all.length * 0.8);
    return { name, format, before: all.slice(0, cut), after: all.slice(cut) };
  });
}
