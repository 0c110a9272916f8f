// Hands pieces from a callback that must not end to a loop that may stop: the giver waits until its piece was taken.

interface Handover<Piece> {
  /** Resolves when the taker wants another piece; false when it wants no more. */
  give(piece: Piece): Promise<boolean>;
  /** The next piece, or undefined after `end`. */
  take(): Promise<Piece | undefined>;
  /** The giver has no more pieces, or failed. */
  end(): void;
  /** The taker wants no more. */
  stop(): void;
}

export function createHandover<Piece>(): Handover<Piece> {
  let offered: Piece | undefined;
  let answer: ((isWanted: boolean) => void) | undefined;
  let waiting: ((piece: Piece | undefined) => void) | undefined;
  let isOver = false;
  return {
    give(piece) {
      if (isOver) return Promise.resolve(false);
      if (waiting !== undefined) {
        waiting(piece);
        waiting = undefined;
      } else offered = piece;
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
    take() {
      answer?.(true);
      answer = undefined;
      const piece = offered;
      offered = undefined;
      if (piece !== undefined || isOver) return Promise.resolve(piece);
      return new Promise((resolve) => {
        waiting = resolve;
      });
    },
    end() {
      isOver = true;
      waiting?.(undefined);
    },
    stop() {
      isOver = true;
      answer?.(false);
    },
  };
}
