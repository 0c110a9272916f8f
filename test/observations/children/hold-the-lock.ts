// Holds the write lock of a database from its word "locked" until it is told to go on, then commits. Argument: the file.
import { once } from "node:events";
import { createSqliteObservationStore } from "../../../src/observations/sqlite-observation-store.ts";

const store = createSqliteObservationStore({ path: process.argv[2] ?? "" });
await store.write(async (rows) => {
  await rows.changeObservations([1], { title: "by the other process" });
  process.stdout.write("locked\n");
  await once(process.stdin, "data");
});
await store.close();
process.exit(0);
