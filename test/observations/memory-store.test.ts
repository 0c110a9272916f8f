import { describe, expect, it } from "vitest";
import { createMemoryObservationStore } from "../../src/observations/memory-observation-store.ts";
import { observationStoreSuite } from "./store-suite.ts";
import { addObservations, newObservation } from "./suite/sample-rows.ts";

observationStoreSuite("the store in memory", async () => createMemoryObservationStore());

describe("the store in memory", () => {
  it("says what it is", () => {
    const store = createMemoryObservationStore();
    expect([store.adapter, store.location]).toEqual(["memory", "memory"]);
  });

  it("refuses every call once it is closed, after the running ones", async () => {
    const store = createMemoryObservationStore();
    const running = addObservations(store, [{}]);
    await store.close();
    expect(await running).toEqual([1]);
    await expect(store.read((rows) => rows.totals())).rejects.toMatchObject({ kind: "StoreFailed" });
    await expect(store.write(async () => 1)).rejects.toMatchObject({ code: "STORE_CLOSED" });
  });

  it("writes nothing for a call that comes after its transaction", async () => {
    const store = createMemoryObservationStore();
    await addObservations(store, [{}]);
    const late = await store.write(async (rows) => () => rows.addObservation(newObservation()));
    await expect(late()).rejects.toMatchObject({ code: "TRANSACTION_OVER" });
    expect((await store.read((rows) => rows.totals())).observations).toBe(1);
  });
});
