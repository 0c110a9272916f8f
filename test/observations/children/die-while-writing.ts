// Deletes and restores all rows of a database, all of them in each transaction. Kills itself in the middle of the first
// one, or goes on until it is killed. Arguments: the file, "middle" or "any".
import { createSqliteObservationStore } from "../../../src/observations/sqlite-observation-store.ts";

const [path = "", moment = ""] = process.argv.slice(2);
const store = createSqliteObservationStore({ path });
const ids = await store.read(async (rows) => (await rows.observationsAfter(0, 1000)).map(({ id }) => id));
process.stdout.write("begun\n");
for (let turn = 0; ; turn++) {
  const deleted_at = turn % 2 === 0 ? "2031-04-01 00:00:00" : null;
  await store.write(async (rows) => {
    await rows.changeObservations(ids.slice(0, ids.length / 2), { deleted_at });
    if (moment === "middle") process.kill(process.pid, "SIGKILL");
    await rows.changeObservations(ids.slice(ids.length / 2), { deleted_at });
  });
}
