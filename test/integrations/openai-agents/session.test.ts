// What becomes of a stored session: all of it is read, only what was read is replaced, nothing is lost on the way.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AgentInputItem,
  isSessionHistoryTransactionAwareSession,
  MemorySession,
  RunContext,
  type Session,
} from "@openai/agents";
import { afterEach, describe, expect, it } from "vitest";
import { CompactManager, createFsArchive, createMemoryArchive } from "../../../src/index.ts";
import { compactSession } from "../../../src/integrations/openai-agents.ts";
import { verifies } from "../../requirements/verifies.ts";
import { CappedStore, ListStore, talk, WindowedStore } from "./stores.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const isSummary = (item: AgentInputItem) => JSON.stringify(item).includes("<COMPACT-SUMMARY v");

function watched(config: ConstructorParameters<typeof CompactManager>[0] = {}) {
  const archive = createMemoryArchive();
  return { archive, manager: new CompactManager({ maxContextTokens: 8_000, archive, ...config }) };
}

describe("a partial view", () => {
  const before = talk(500);

  it.each([
    ["a plain store", () => new ListStore(before)],
    ["a store that shows a window of its own choosing", () => new WindowedStore(before)],
    ["the SDK's own store", () => new MemorySession({ sessionId: "berths", initialItems: before })],
  ])("never stands for the whole: %s of 500 items", async (_, open) => {
    verifies("field/partial-view-replaces-store");
    const { archive, manager } = watched();
    const store: Session = open();
    const session = compactSession(store, manager);
    expect(await session.getItems(100)).toEqual(before.slice(400));
    expect(await store.getItems(1_000)).toEqual(before);
    await session.runCompaction();
    expect(await archive.readTranscript("berths", 1)).toHaveLength(500);
    const after = await store.getItems(1_000);
    expect(after.filter(isSummary)).toHaveLength(1);
    expect(after.length).toBeLessThan(60);
    expect(after.at(-1)).toEqual(before[499]);
  });

  it("is all that is replaced in a store that never shows more", async () => {
    verifies("field/partial-view-replaces-store");
    const { manager } = watched();
    const store = new CappedStore(before);
    await compactSession(store, manager).runCompaction();
    expect(store.items.slice(0, 400)).toEqual(before.slice(0, 400));
    expect(store.items.slice(400).filter(isSummary)).toHaveLength(1);
    expect(store.items.length).toBeLessThan(460);
  });
});

describe("a store that fails", () => {
  it.each([0, 1, 7])("is put back when it took %i items of the compacted history", async (taken) => {
    const before = talk(120);
    let failures = 1;
    class Failing extends ListStore {
      override async addItems(items: AgentInputItem[]): Promise<void> {
        if (failures-- <= 0) return super.addItems(items);
        await super.addItems(items.slice(0, taken));
        throw new Error("disk full");
      }
    }
    const store = new Failing(before);
    const { manager } = watched();
    await expect(compactSession(store, manager).runCompaction()).rejects.toMatchObject({
      kind: "StoreFailed",
      code: "SESSION_NOT_REPLACED",
    });
    expect(store.items).toEqual(before);
  });

  it("is put back when it stops giving items out", async () => {
    const before = talk(120);
    let pops = 0;
    class Failing extends ListStore {
      override async popItem() {
        pops += 1;
        if (pops === 30) throw new Error("gone");
        return super.popItem();
      }
    }
    const store = new Failing(before);
    const { manager } = watched();
    await expect(compactSession(store, manager).runCompaction()).rejects.toMatchObject({
      code: "SESSION_NOT_REPLACED",
    });
    expect(store.items).toEqual(before);
  });

  it("keeps what another process wrote while it was replaced", async () => {
    const before = talk(120);
    const foreign = talk(1, 900);
    let pops = 0;
    class Shared extends ListStore {
      override async popItem() {
        pops += 1;
        if (pops === 5) this.items.push(...foreign);
        return super.popItem();
      }
    }
    const store = new Shared(before);
    const { manager } = watched();
    await compactSession(store, manager).runCompaction();
    expect(store.items.map((item) => JSON.stringify(item)).sort()).toEqual(
      [...before, ...foreign].map((item) => JSON.stringify(item)).sort(),
    );
  });
});

describe("what comes while the summary is written", () => {
  function slow() {
    let go = () => {};
    let began = () => {};
    const started = new Promise<void>((resolve) => {
      began = resolve;
    });
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    const model = async () => {
      began();
      await gate;
      return "## Goals\n- Read the parts.";
    };
    return { model, started, go: () => go() };
  }

  it("stays behind the compacted history", async () => {
    const { model, started, go } = slow();
    const { manager } = watched({ summarizer: { model } });
    const store = new ListStore(talk(120));
    const session = compactSession(store, manager);
    const compaction = session.runCompaction();
    await started;
    const added = talk(2, 120);
    await session.addItems(added);
    go();
    await compaction;
    expect(store.items.filter(isSummary)).toHaveLength(1);
    expect(store.items.slice(-2)).toEqual(added);
  });

  it("is not brought back when it was cleared", async () => {
    const { model, started, go } = slow();
    const { manager } = watched({ summarizer: { model } });
    const store = new ListStore(talk(120));
    const session = compactSession(store, manager);
    const compaction = session.runCompaction();
    await started;
    await session.clearSession();
    go();
    await compaction;
    expect(store.items).toEqual([]);
  });
});

describe("compactSession", () => {
  it("leaves a short history alone, and compacts it when it is told to", async () => {
    const { manager } = watched();
    const before = talk(40);
    const store = new ListStore(before);
    const session = compactSession(store, manager);
    expect(await session.runCompaction()).toBeNull();
    expect(store.items).toEqual(before);
    await session.runCompaction({ force: true });
    expect(store.items.filter(isSummary)).toHaveLength(1);
  });

  it("does not fail a run that is over because nothing could be archived, unless it is told to", async () => {
    const archive = { ...createMemoryArchive(), saveTranscript: () => Promise.reject(new Error("disk full")) };
    const { manager } = watched({ archive });
    const before = talk(120);
    const store = new ListStore(before);
    const session = compactSession(store, manager);
    expect(await session.runCompaction()).toBeNull();
    await expect(session.runCompaction({ force: true })).rejects.toThrow("disk full");
    expect(store.items).toEqual(before);
  });

  it("has what the store can, and gives it the run's context if it takes one", async () => {
    const { manager } = watched();
    const contexts = new Set<unknown>();
    class Aware extends ListStore {
      readonly acceptsRunContext = true;
      override getItems(limit?: number, context?: unknown) {
        contexts.add(context);
        return super.getItems(limit);
      }
    }
    const context = new RunContext();
    const session = compactSession(new Aware(talk(120)), manager);
    await session.runCompaction(undefined, context);
    expect([...contexts]).toEqual([context]);
    expect(session.acceptsRunContext).toBe(true);
    expect("runCompaction" in session).toBe(true);
    expect(isSessionHistoryTransactionAwareSession(compactSession(new MemorySession(), manager))).toBe(true);
    expect(isSessionHistoryTransactionAwareSession(compactSession(new ListStore(), manager))).toBe(false);
  });

  it("keeps a protected item with its meta, round after round", async () => {
    const { manager } = watched();
    const rule = { type: "message", role: "user", content: "Never edit a file.", meta: { protected: true } } as const;
    const store = new ListStore([...talk(60), rule as AgentInputItem, ...talk(60, 60)]);
    const session = compactSession(store, manager);
    for (let round = 1; round <= 3; round += 1) {
      await session.runCompaction({ force: true });
      expect(store.items).toContainEqual(rule);
      expect(store.items.filter(isSummary)).toHaveLength(1);
      await session.addItems(talk(60, 60 * (round + 1)));
    }
  });

  it("goes on in a new process from what the last one stored", async () => {
    const path = mkdtempSync(join(tmpdir(), "agents-session-"));
    folders.push(path);
    let modelCalls = 0;
    const model = async () => {
      modelCalls += 1;
      return `## Goals\n- Read the parts, time ${modelCalls}.`;
    };
    const open = () => watched({ archive: createFsArchive({ path }), summarizer: { model } }).manager;
    const store = new ListStore(talk(120));
    await compactSession(store, open()).runCompaction();
    const compacted = [...store.items];
    const resumed = compactSession(store, open());
    await resumed.addItems(talk(2, 120));
    await resumed.runCompaction();
    expect(store.items).toEqual([...compacted, ...talk(2, 120)]);
    expect(modelCalls).toBe(1);
    await resumed.addItems(talk(60, 122));
    await resumed.runCompaction();
    const summaries = store.items.filter(isSummary);
    expect([summaries.length, modelCalls]).toEqual([1, 2]);
    expect(JSON.stringify(summaries[0])).toContain("<COMPACT-SUMMARY v2>");
    const steps = await createFsArchive({ path }).steps("berths");
    expect(steps.map(({ step }) => step)).toEqual([1, 2]);
  });
});
