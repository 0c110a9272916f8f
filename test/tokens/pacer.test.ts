import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPacer, nextTurn } from "../../src/tokens/stepwise.ts";

/** Milliseconds; stands still until a test moves it on, so that a busy machine changes nothing. */
let now = 0;

describe("a turn of the event loop", () => {
  beforeEach(() => {
    vi.spyOn(performance, "now").mockImplementation(() => now);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await nextTurn();
  });

  it("is shared by all work that follows in it", async () => {
    const first = createPacer();
    expect(first.isDue()).toBe(false);
    now += 100;
    expect(first.isDue()).toBe(true);
    expect(createPacer().isDue()).toBe(true);
    await nextTurn();
    expect(createPacer().isDue()).toBe(false);
  });

  it("begins anew for the work that paused", async () => {
    const pacer = createPacer();
    now += 100;
    expect(pacer.isDue()).toBe(true);
    await pacer.pause();
    expect(pacer.isDue()).toBe(false);
  });

  it("is shared by all work that resumes in it", async () => {
    const [one, other] = [createPacer(), createPacer()];
    const first = one.pause().then(() => (now += 100));
    const isDue = other.pause().then(() => other.isDue());
    await first;
    expect(await isDue).toBe(true);
  });
});
