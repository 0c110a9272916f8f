// Who may use the one connection now: one after another, in the order of asking. A writer that waits for another process
// gives its turn away for that time, to reads alone, and keeps its place before all other writers.

export type TurnKind = "read" | "write";

/** Ends a turn unfinished: it comes again after the pause, in milliseconds. */
export interface ComeAgain {
  readonly after: number;
}

export interface Turns {
  /** Rejects with what `turn` throws. */
  take<T>(kind: TurnKind, turn: () => Promise<{ readonly result: T } | ComeAgain>): Promise<T>;
}

interface Waiting {
  readonly kind: TurnKind;
  /** Gives the pause where it must come again. */
  readonly run: () => Promise<number | undefined>;
}

export function createTurns(): Turns {
  const waiting: Waiting[] = [];
  let isTaken = false;
  let isWriterHeldUp = false;

  const next = (): void => {
    if (isTaken) return;
    const index = isWriterHeldUp ? waiting.findIndex(({ kind }) => kind === "read") : 0;
    const [turn] = index < 0 ? [] : waiting.splice(index, 1);
    if (turn === undefined) return;
    isTaken = true;
    void turn.run().then((pause) => {
      isTaken = false;
      if (pause !== undefined) holdUp(turn, pause);
      next();
    });
  };

  const holdUp = (turn: Waiting, pause: number): void => {
    const isWriter = turn.kind === "write";
    if (isWriter) isWriterHeldUp = true;
    setTimeout(() => {
      if (isWriter) isWriterHeldUp = false;
      waiting.unshift(turn);
      next();
    }, pause);
  };

  return {
    take: (kind, turn) =>
      new Promise((resolve, reject) => {
        const run = async () => {
          try {
            const outcome = await turn();
            if ("after" in outcome) return outcome.after;
            resolve(outcome.result);
          } catch (error) {
            reject(error);
          }
          return undefined;
        };
        waiting.push({ kind, run });
        next();
      }),
  };
}
