// What many compactions of one session cost, through the real manager: every step whole, the archive linear.
import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CompactManager, createFsArchive } from "../../src/index.ts";
import { assistant, user } from "../conversation/support.ts";
import { verifies } from "../requirements/verifies.ts";

/** Everything a session ever said, and its archive after so many compactions. */
async function compactOften(compactions: number) {
  const archive = createFsArchive({ path: await mkdtemp(join(tmpdir(), "growth-")), compression: "gzip" });
  const manager = new CompactManager({ archive, maxContextTokens: 8000, policy: { hardCapBuffer: 200 }, trace: [] });
  const text = await readText();
  const given: (readonly object[])[] = [];
  let said = 0;
  let live: readonly object[] = [];
  for (let n = 0; given.length < compactions; n++) {
    const added = [user(`question ${n}`), assistant(`answer ${n}: ${text.slice(n * PIECE, (n + 1) * PIECE)}`)];
    expect((n + 1) * PIECE).toBeLessThan(text.length);
    said += JSON.stringify(added).length;
    live = [...live, ...added];
    const before = live;
    live = (await manager.preflight("s", live)) as readonly object[];
    if (live !== before) given.push(before);
  }
  return { archive, given, said };
}

/** Text as sessions have it, in pieces that do not repeat: this package's own source. */
async function readText(): Promise<string> {
  const folder = join(import.meta.dirname, "../../src");
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".ts")).sort();
  return (await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")))).join("\n");
}

const PIECE = 900;

describe("an archive after many compactions", () => {
  it("holds each list whole, and grows by as much with the last as with the first", async () => {
    verifies("field/each-compaction-stores-everything");
    const { archive, given, said } = await compactOften(60);
    expect(await archive.nextStep("s")).toBe(61);
    for (const [index, list] of given.entries()) {
      expect(await archive.readTranscript("s", index + 1, { strict: true })).toEqual(list);
    }
    const bytes = [...(await archive.sizes())].sort((a, b) => a.step - b.step).map((size) => size.bytes);
    const early = sum(bytes.slice(10, 30));
    // With the newest counts what the session needs besides: its state.
    const late = sum(bytes.slice(39, 59));
    expect(late).toBeLessThan(1.2 * early);
    // Packed, each message once; a copy of the session with every step would be 30 times what was said.
    expect(sum(bytes)).toBeLessThan(0.6 * said);
  }, 120_000);
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
