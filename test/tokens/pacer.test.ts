import { describe, expect, it } from "vitest";
import { createPacer, nextTurn } from "../../src/tokens/stepwise.ts";

describe("a turn of the event loop", () => {
  it("is shared by all work that follows in it", async () => {
    const first = createPacer();
    while (!first.isDue()) performance.now();
    expect(createPacer().isDue()).toBe(true);
    await nextTurn();
    expect(createPacer().isDue()).toBe(false);
  });

  it("begins anew for the work that paused", async () => {
    const pacer = createPacer();
    while (!pacer.isDue()) performance.now();
    await pacer.pause();
    expect(pacer.isDue()).toBe(false);
  });

  it("is shared by all work that resumes in it", async () => {
    const [one, other] = [createPacer(), createPacer()];
    const first = one.pause().then(() => {
      while (!one.isDue()) performance.now();
    });
    const isDue = other.pause().then(() => other.isDue());
    await first;
    expect(await isDue).toBe(true);
  });
});
