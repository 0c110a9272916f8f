// The rows of a memory store in memory, with their transactions: what memory-observation-store.ts takes its turns on.
import type { ObservationStore } from "../observation-store.ts";
import { createReader } from "./reader.ts";
import { createTables } from "./tables.ts";
import { createWriter } from "./writer.ts";

export type Rows = Pick<ObservationStore, "read" | "write">;

export function openRows(): Rows {
  const tables = createTables();
  const reader = createReader(tables);
  const writer = createWriter(tables, reader);
  return {
    read: (work) => work(reader),
    async write(work) {
      tables.begin();
      try {
        const result = await work(writer);
        tables.commit();
        return result;
      } catch (error) {
        tables.rollback();
        throw error;
      }
    },
  };
}
