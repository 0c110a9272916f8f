// Follows the parents of a Claude Code session's lines: from each last message back to where its conversation
// began, or to a line that another thread already holds. Each line is walked once.
import type { SessionLine } from "./claude-code-line.ts";

export interface Thread {
  /** From its first line on. */
  readonly lines: readonly SessionLine[];
  /** The line of an earlier thread in this list that it branches off from; undefined when it has its own beginning. */
  readonly branchesFrom: SessionLine | undefined;
  /** Places where the line before was not in the file and the one physically before was taken. */
  readonly gaps: number;
}

/** All threads; the first is the one that ends with the last message of the file. */
export function walkThreads(lines: readonly SessionLine[]): readonly Thread[] {
  const byUuid = new Map(lines.map((line) => [line.uuid, line]));
  const before = nearestMessageBefore(lines);
  const walked = new Set<SessionLine>();
  const threads: Thread[] = [];
  for (const line of lines.toReversed()) {
    if (line.message === undefined || walked.has(line)) continue;
    threads.push(walkThread(line, { byUuid, before, walked }));
  }
  return threads;
}

interface Walk {
  readonly byUuid: ReadonlyMap<string, SessionLine>;
  readonly before: ReadonlyMap<SessionLine, SessionLine>;
  readonly walked: Set<SessionLine>;
}

function walkThread(last: SessionLine, { byUuid, before, walked }: Walk): Thread {
  const own = new Set<SessionLine>();
  let gaps = 0;
  let current: SessionLine | undefined = last;
  while (current !== undefined && !walked.has(current)) {
    walked.add(current);
    own.add(current);
    const parent: SessionLine | undefined = byUuid.get(current.parent);
    const isGap: boolean = parent === undefined && (current.parent !== "" || current.isBoundary);
    const previous: SessionLine | undefined = isGap ? before.get(current) : undefined;
    if (previous !== undefined) gaps += 1;
    current = parent ?? previous;
  }
  const branchesFrom = current === undefined || own.has(current) ? undefined : current;
  return { lines: [...own].reverse(), branchesFrom, gaps };
}

function nearestMessageBefore(lines: readonly SessionLine[]): ReadonlyMap<SessionLine, SessionLine> {
  const before = new Map<SessionLine, SessionLine>();
  let last: SessionLine | undefined;
  for (const line of lines) {
    if (last !== undefined) before.set(line, last);
    if (line.message !== undefined) last = line;
  }
  return before;
}
