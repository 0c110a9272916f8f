// Finds the lines of a Claude Code session that stand in its file twice: a resumed session may begin with a copy
// of what it goes on from. The first copy counts.
import { toJson } from "../json-shape.ts";
import type { SessionLine } from "./claude-code-line.ts";

/** The lines without repetitions: of those with equal uuids the first. */
export function firstCopies(lines: readonly SessionLine[]): readonly SessionLine[] {
  const uuids = new Set<string>();
  return lines.filter(({ uuid }) => {
    const isNew = !uuids.has(uuid);
    uuids.add(uuid);
    return isNew;
  });
}

/** Equal for lines of one answer that say the same; the line's own uuid for any other. */
export function keyOfAnswer({ message, uuid }: SessionLine): string {
  return message?.role === "assistant" ? `${message.id} ${toJson(message.blocks)}` : uuid;
}
