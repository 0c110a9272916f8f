// A new process goes on from the caller's list and the small state file: same list, next version, no needless summary.
import { mkdtemp, readdir, readFile, rm, truncate, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restoreTranscript } from "../../../src/archive/restore-transcript.ts";
import { rebuildState } from "../../../src/conversation/rebuild-state.ts";
import { createFsArchive, FORMATS, type Summarizer } from "../../../src/index.ts";
import { openaiChatFormat } from "../../../src/providers/openai-chat/openai-chat-format.ts";
import { verifies } from "../../requirements/verifies.ts";
import { DIALECTS } from "../pictures.ts";
import { assistant, bench, summaryOf, turns, user } from "../support.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "compact-resume-"));
});
afterAll(() => rm(folder, { recursive: true }));

function counting(): Summarizer & { calls: number } {
  const summarizer: Summarizer & { calls: number } = {
    kind: "model",
    calls: 0,
    summarize: async () => ({ text: `Summary ${++summarizer.calls}.`, source: "model" }),
  };
  return summarizer;
}

const settings = { maxContextTokens: 12_000, policy: { triggerPct: 0.6 } };

describe("a new process", () => {
  it("goes on with the same list, the next version and no extra call", async () => {
    verifies("field/kept-tail-not-restored");
    const path = join(folder, "same-list");
    const before = counting();
    const first = bench({ ...settings, summarizer: before, archive: createFsArchive({ path }) });
    const compacted = await first.manager.preflight("s", [...turns(25), user("go on")]);
    const list = [...compacted, assistant("done"), user("thanks, next?")];
    const after = counting();
    const second = bench({ ...settings, summarizer: after, archive: createFsArchive({ path }) });
    const resumed = await second.manager.preflight("s", list);
    expect(resumed).toBe(list);
    expect(after.calls).toBe(0);
    const grown = await second.manager.preflight("s", [...resumed, assistant("ok"), ...turns(20), user("and?")]);
    expect(summaryOf(grown)).toMatch(/^<COMPACT-SUMMARY v2>/);
    expect(after.calls).toBe(1);
  });

  it("keeps every message reachable exactly once, in order, over two compactions", async () => {
    verifies("field/second-compaction-skips-the-first");
    const path = join(folder, "reachable");
    const archive = createFsArchive({ path });
    const { manager } = bench({ archive });
    const history = [...turns(12, (n) => `early ${n}`), user("go on")];
    const first = await manager.manualCompact("s", history);
    const between = [assistant("going on"), ...turns(5, (n) => `between ${n}`)];
    const second = await manager.manualCompact("s", [...first, ...between]);
    const { messages } = await restoreTranscript(archive, "s");
    expect(messages).toEqual([...history, ...between]);
    const live = second.filter((message) => !summaryOf([message]) && !openaiChatFormat.isFiller(message));
    expect(live.every((message) => messages.some((other) => JSON.stringify(other) === JSON.stringify(message)))).toBe(
      true,
    );
  });
});

describe.each(DIALECTS)("four processes one after the other, in $name", ({ name, user: says, text, step, answer }) => {
  it("go on from the list that was stored, and lose no message", async () => {
    verifies("field/kept-tail-not-restored", "field/second-compaction-skips-the-first");
    const path = join(folder, name);
    const opened = () => bench({ ...settings, archive: createFsArchive({ path }) });
    const whole: object[] = [];
    let stored: readonly unknown[] = [];
    for (let round = 1; round <= 4; round++) {
      const said = Array.from({ length: 10 }, (_, n) => [
        says([text(`round ${round} question ${n}`)]),
        ...step(`c${round}.${n}`, [text(`found ${"word ".repeat(100)}`)]),
        answer(`round ${round} answer ${n} ${"word ".repeat(100)}`),
      ]).flat();
      whole.push(...said);
      const list = await opened().manager.manualCompact("s", [...stored, ...said], { format: name });
      expect(JSON.stringify(list).match(/<COMPACT-SUMMARY v\d+>/g)).toEqual([`<COMPACT-SUMMARY v${round}>`]);
      stored = JSON.parse(JSON.stringify(list)) as unknown[];
      expect(await opened().manager.preflight("s", stored, { format: name })).toBe(stored);
    }
    expect((await restoreTranscript(createFsArchive({ path }), "s")).messages).toEqual(whole);
  });
});

describe("a damaged archive", () => {
  async function compactedAt(name: string) {
    const path = join(folder, name);
    const { manager } = bench({ ...settings, archive: createFsArchive({ path }) });
    const list = await manager.preflight("s", [...turns(25), user("go on")]);
    const reopened = () => bench({ ...settings, archive: createFsArchive({ path }) });
    return { list, reopened, file: (file: string) => join(path, "s", file) };
  }

  it("does not stop the current list: a missing transcript costs nothing", async () => {
    verifies("field/missing-pieces-at-resume");
    const { list, reopened, file } = await compactedAt("missing");
    await unlink(file("transcript-pre-compact-001.jsonl"));
    await truncate(file("summary-001.json"), 20);
    const { manager } = reopened();
    expect(await manager.preflight("s", list)).toBe(list);
    const grown = await manager.preflight("s", [...list, assistant("ok"), ...turns(25), user("and?")]);
    expect(summaryOf(grown)).toMatch(/^<COMPACT-SUMMARY v2>/);
  });

  it.each([
    ["half of it", "ArchiveFailed", (text: string) => text.slice(0, text.length / 2)],
    ["another shape", "StoreFailed", () => '{"version":1}'],
    ["no JSON", "ArchiveFailed", () => "\u0000\u0000"],
  ])(
    "goes on from its steps when its state holds %s, and is named where these have left",
    async (_name, kind, damage) => {
      verifies("field/missing-pieces-at-resume");
      const { list, reopened, file } = await compactedAt(`state-${_name.replaceAll(" ", "-")}`);
      const state = file("state.json");
      const archive = createFsArchive({ path: join(file(""), "..") });
      const before = (await archive.readState("s")) as object;
      const damaged = damage(await readFile(state, "utf8"));
      // Where the state is in files of its own, state.json only names the newest, and costs nothing: here those are gone, too.
      const lose = async () => {
        for (const name of await readdir(file(""))) if (name.startsWith("state-")) await unlink(file(name));
        await writeFile(state, damaged);
      };
      const isInParts = (await readdir(file(""))).some((name) => name.startsWith("state-"));
      await writeFile(state, damaged);
      if (isInParts) expect(await archive.readState("s")).toEqual(before);
      await lose();
      expect(before).toMatchObject((await rebuildState(archive, "s", FORMATS)).state);
      const { manager, events } = reopened();
      const grown = [...list, assistant("ok"), ...turns(25), user("and?")];
      expect(summaryOf(await manager.preflight("s", grown))).toMatch(/^<COMPACT-SUMMARY v2>/);
      const warned = events.filter(({ event }) => event === "compact.warning");
      expect(warned).toMatchObject([{ code: "state_rebuilt" }]);
      await lose();
      await unlink(file("transcript-pre-compact-001.jsonl"));
      await expect(reopened().manager.preflight("s", grown)).rejects.toMatchObject({ kind });
      expect(await readFile(state, "utf8")).toBe(damaged);
    },
  );
});
