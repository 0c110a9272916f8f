// What many compactions of one session cost, through the real manager: every step whole, the archive linear.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CompactManager, createFsArchive } from "../../src/index.ts";
import { assistant, user } from "../conversation/support.ts";
import { verifies } from "../requirements/verifies.ts";
import { createRandom, type Random } from "./random-lists.ts";

/** Everything a session ever said, and its archive after so many compactions. */
async function compactOften(compactions: number) {
  const archive = createFsArchive({ path: await mkdtemp(join(tmpdir(), "growth-")), compression: "gzip" });
  const manager = new CompactManager({ archive, maxContextTokens: 8000, policy: { hardCapBuffer: 200 }, trace: [] });
  const random = createRandom(compactions);
  const given: (readonly unknown[])[] = [];
  let said = 0;
  let live: readonly object[] = [];
  for (let n = 0; given.length < compactions; n++) {
    const added = [user(`question ${n}`), assistant(`answer ${n}: ${sentence(random)}`)];
    said += JSON.stringify(added).length;
    live = [...live, ...added];
    const before = live;
    live = await manager.preflight("s", live);
    if (live !== before) given.push(before);
  }
  const stored = (await archive.sizes()).reduce((sum, { bytes }) => sum + bytes, 0);
  return { archive, given, said, stored };
}

/** As packable as ordinary text: known words, and now and then a number that never was there. */
function sentence(random: Random): string {
  return Array.from({ length: 150 }, () =>
    random.below(8) === 0 ? `${random.below(1_000_000)}` : `word${random.below(500)}`,
  ).join(" ");
}

describe("an archive after many compactions", () => {
  it("holds each list whole, and at most twice what was said", async () => {
    verifies("field/each-compaction-stores-everything");
    const { archive, given, said, stored } = await compactOften(60);
    expect(await archive.nextStep("s")).toBe(61);
    for (const [index, list] of given.entries()) {
      expect(await archive.readTranscript("s", index + 1, { strict: true })).toEqual(list);
    }
    expect(stored).toBeLessThan(2 * said);
    const half = await compactOften(30);
    expect(stored / said).toBeLessThan(1.2 * (half.stored / half.said));
  }, 120_000);
});
