// Tells the sessions of one file apart, and what a later one copied from an earlier: a fork begins with the lines of
// the session that it goes on from.
import type { JsonObject } from "../../json-shape.ts";
import { asText, isFilledText, isObject, toJson } from "../../json-shape.ts";
import type { CodexLine } from "./codex-line.ts";

export interface CodexSession {
  readonly id: string | undefined;
  /** What the head says the model was told. */
  readonly instructions: string | undefined;
  readonly lines: readonly CodexLine[];
  /** It goes on from a session before it in the file. */
  readonly isFork: boolean;
}

export interface CodexSessions {
  readonly sessions: readonly CodexSession[];
  /** Lines with an item that stand in the file once more. */
  readonly repeatedLines: number;
}

interface Draft {
  id: string | undefined;
  instructions: string | undefined;
  readonly lines: CodexLine[];
}

/** One session, unless files were joined. */
export function findCodexSessions(lines: readonly CodexLine[]): CodexSessions {
  const drafts = splitAtHeads(lines);
  if (drafts.length < 2) return { sessions: drafts.map((draft) => ({ ...draft, isFork: false })), repeatedLines: 0 };
  const known = new Prefixes();
  let repeatedLines = 0;
  const sessions = drafts.map((draft) => {
    const copied = known.add(draft.lines);
    repeatedLines += draft.lines.slice(0, copied).filter(isSaid).length;
    return { ...draft, lines: draft.lines.slice(copied), isFork: copied > 0 };
  });
  return { sessions, repeatedLines };
}

/** Heads in a row belong to one session: a fork's own, then that of the session it was copied from. */
function splitAtHeads(lines: readonly CodexLine[]): readonly Draft[] {
  const drafts: Draft[] = [];
  const known = new Set<string>();
  let current: Draft | undefined;
  for (const line of lines) {
    const id = line.kind === "head" ? asText(line.head.id) : "";
    const isAnothers = id !== "" && !known.has(id) && current?.lines.some(isSaid) === true;
    if (current === undefined || isAnothers) {
      current = { id: undefined, instructions: undefined, lines: [] };
      drafts.push(current);
    }
    if (line.kind !== "head") {
      current.lines.push(line);
      continue;
    }
    known.add(id);
    current.id ??= id === "" ? undefined : id;
    current.instructions ??= instructionsOf(line.head);
  }
  return drafts;
}

function instructionsOf({ base_instructions: base, instructions }: JsonObject): string | undefined {
  const text = isObject(base) ? base.text : base;
  if (isFilledText(text)) return text;
  return isFilledText(instructions) ? instructions : undefined;
}

function isSaid({ kind }: CodexLine): boolean {
  return kind === "item" || kind === "compacted";
}

/** The beginnings of all sessions as a tree, so that each line is looked at once. */
class Prefixes {
  readonly #children = new Map<string, number>();

  /** How many lines at the start stand in an earlier session. One in which no answer is in common is no copy. */
  add(lines: readonly CodexLine[]): number {
    let node = 0;
    let isCopying = true;
    let matched = 0;
    let hasAnswer = false;
    for (const [at, line] of lines.entries()) {
      const key = keyOf(line);
      if (key === undefined) continue;
      const child = this.#children.get(`${node} ${key}`);
      isCopying = isCopying && child !== undefined;
      if (isCopying) {
        matched = at + 1;
        hasAnswer = hasAnswer || isAnswer(line);
      }
      node = child ?? this.#addChild(`${node} ${key}`);
    }
    return hasAnswer ? matched : 0;
  }

  #addChild(key: string): number {
    const node = this.#children.size + 1;
    this.#children.set(key, node);
    return node;
  }
}

function keyOf(line: CodexLine): string | undefined {
  if (line.kind === "item") return toJson(line.item);
  return line.kind === "compacted" ? toJson([line.summary, line.replacement]) : undefined;
}

/** Only a model says the same words under the same ids twice by being copied. */
function isAnswer(line: CodexLine): boolean {
  if (line.kind !== "item") return false;
  return line.item.role === "assistant" || isFilledText(line.item.call_id) || line.item.type === "reasoning";
}
