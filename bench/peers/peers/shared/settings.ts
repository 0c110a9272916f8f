// How a budget becomes a setting: room for the summary, and the largest setting that fits where a library cannot be
// told a budget in our tokens.

/** A summary may be short, but not so short that nothing is in it, where half the room allows it. */
const LEAST_SUMMARY = 400;
/** A model is asked for something even where what stays leaves no room. */
const LEAST_ANSWER = 200;
/** Texts joined may come to a few tokens more than apart. */
const MARGIN = 8;
/** What common models write at most in one answer. */
const MOST_SUMMARY = 16_000;

/**
 * Tokens that are left to the summary at least. `room`: the budget less what is always sent. `share`: of a quarter, a third
 * and a half, the one with which a library kept most names on real sessions.
 */
export function summaryTokens(room: number, share: number): number {
  const wanted = Math.max(LEAST_SUMMARY, Math.min(MOST_SUMMARY, Math.floor(room * share)));
  return Math.max(1, Math.min(wanted, Math.floor(room / 2)));
}

/** What the model is asked for in the end: all that is left beside what stays, which comes in whole messages. */
export function answerTokens(left: number): number {
  return Math.max(LEAST_ANSWER, Math.min(MOST_SUMMARY, left - MARGIN));
}

/** Where a setting is looked for. */
export interface Range {
  readonly low: number;
  readonly high: number;
  /** What is left unsought: 1 by default, for settings that are few. */
  readonly precision?: number;
}

/** Tokens: a four-hundredth of the range is less than most messages. */
export function tokenRange(high: number): Range {
  return { low: 1, high, precision: Math.max(1, Math.floor(high / 400)) };
}

/**
 * Finds the largest whole number that fits, by halving, since sizes grow with the setting; `low` where none does: what
 * is then too large is the library's strongest. It begins near what fitted last, as each call finds a list much like
 * the one before.
 */
export class SettingSearch {
  #last: number | undefined;

  async largest(range: Range, fits: (setting: number) => boolean | Promise<boolean>): Promise<number> {
    const { precision = 1 } = range;
    let { low: from, high: to } = await this.#near(range, fits);
    let best = range.low;
    if (from > range.low) best = from - 1;
    while (to - from >= precision - 1 && from <= to) {
      const middle = Math.floor((from + to) / 2);
      if (await fits(middle)) {
        best = middle;
        from = middle + 1;
      } else to = middle - 1;
    }
    this.#last = best;
    return best;
  }

  /** From the last setting outwards in steps that double. What lies below the range returned fits, what lies above does not. */
  async #near(
    { low, high, precision = 1 }: Range,
    fits: (setting: number) => boolean | Promise<boolean>,
  ): Promise<Range> {
    const last = this.#last;
    if (last === undefined || last <= low || last >= high) return { low, high };
    const isUp = await fits(last);
    let edge = last;
    for (let step = precision; ; step *= 2) {
      const next = isUp ? edge + step : edge - step;
      if (next <= low || next >= high) return isUp ? { low: edge + 1, high } : { low, high: edge - 1 };
      if ((await fits(next)) !== isUp)
        return isUp ? { low: edge + 1, high: next - 1 } : { low: next + 1, high: edge - 1 };
      edge = next;
    }
  }
}
