// Work that may be put down between its steps: done at once where somebody waits for it, or in turns of the event loop.

/** Yields wherever the work may be put down; a step takes a few milliseconds at most. */
export type Stepwise<Result> = Generator<void, Result>;

export function runThrough<Result>(steps: Stepwise<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same result; other work runs in between. @throws the reason of an aborted `signal`. */
export async function runInTurns<Result>(
  steps: Stepwise<Result>,
  { pacer = createPacer(), signal }: { readonly pacer?: Pacer; readonly signal?: AbortSignal | undefined } = {},
): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    signal?.throwIfAborted();
    if (pacer.isDue()) await pacer.pause();
  }
}

// Lets other work run while a long list is counted: says when a turn of work has lasted long enough, and waits for the
// next turn of the event loop.

/** Milliseconds of work in one turn: far below what a user or a heartbeat notices. */
const TURN = 5;

export interface Pacer {
  isDue(): boolean;
  /** Resolves in a later turn of the event loop, timers and I/O served. */
  pause(): Promise<void>;
}

/** When the turn of the loop that runs now has lasted long enough; absent when nothing paced has run in it. */
let turnEnds: number | undefined;

/**
 * All paced work of one turn of the event loop shares its time. Work that finds none left still does one step, so that it ends.
 */
export function createPacer(): Pacer {
  let until = endOfTurn();
  return {
    isDue: () => performance.now() >= until,
    async pause() {
      await nextTurn();
      until = endOfTurn();
    },
  };
}

function endOfTurn(): number {
  if (turnEnds === undefined) {
    turnEnds = performance.now() + TURN;
    void nextTurn().then(() => (turnEnds = undefined));
  }
  return turnEnds;
}

/** `Array.map` in turns: other work runs in between. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
  pacer: Pacer = createPacer(),
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    results.push(map(item, index));
    if (pacer.isDue()) await pacer.pause();
  }
  return results;
}

/** Resolves in a later turn of the event loop: between two stages that each take their time. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    // Where there is no setImmediate (browsers), a timer waits a few milliseconds more.
    if (typeof globalThis.setImmediate === "function") globalThis.setImmediate(resolve);
    else setTimeout(resolve, 0);
  });
}
