// Shares room among notes: in rounds, one text a note, the newest note first, so that no note takes the room of another.

export interface Waiting<Text> {
  /** The most wanted first; emptied. */
  readonly waiting: Text[];
  readonly chosen: Text[];
}

/** `cost` of a text once it is chosen, in tokens; undefined where it is not wanted any more. Gives the room that is left. */
export function chooseInRounds<Text, Queue extends Waiting<Text>>(
  queues: readonly Queue[],
  room: number,
  cost: (text: Text, queue: Queue, left: number) => number | undefined,
  mostRounds = Number.POSITIVE_INFINITY,
): number {
  let left = room;
  for (let round = 0, isGrowing = true; isGrowing && round < mostRounds; round += 1) {
    isGrowing = false;
    for (const queue of queues.toReversed()) {
      const next = queue.waiting.shift();
      if (next === undefined) continue;
      isGrowing = true;
      const tokens = cost(next, queue, left);
      if (tokens === undefined || tokens > left) continue;
      queue.chosen.push(next);
      left -= tokens;
    }
  }
  return left;
}
