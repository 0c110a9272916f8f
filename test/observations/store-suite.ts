// The contract of every memory store: each adapter's test calls this with a way to open a fresh, empty store.
import { afterEach, beforeEach, describe } from "vitest";
import type { ObservationStore } from "../../src/observations/observation-store.ts";
import { describeLists } from "./suite/lists.ts";
import { describeRelations } from "./suite/relations.ts";
import { describeRows } from "./suite/rows.ts";
import type { OpenStore } from "./suite/sample-rows.ts";
import { describeSearch } from "./suite/search.ts";
import { describeSessions } from "./suite/sessions.ts";
import { describeStale } from "./suite/stale.ts";
import { describeTransactions } from "./suite/transactions.ts";

export function observationStoreSuite(name: string, open: OpenStore): void {
  describe(`${name} keeps the contract of a memory store`, () => {
    let store: ObservationStore;
    const current = () => store;

    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    describeRows(current);
    describeSessions(current);
    describeRelations(current);
    describeLists(current);
    describeStale(current);
    describeSearch(current);
    describeTransactions(current);
  });
}
