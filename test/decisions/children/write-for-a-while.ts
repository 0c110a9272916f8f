// Adds and changes decisions of its own in a shared database, and counts up one of everybody's, until its time is over; then
// tells on stdout what it was told to be done. Arguments: the file, its name, milliseconds.
import { createSqliteDecisionLog } from "../../../src/decisions/sqlite-decision-log.ts";
import { record, VIEW } from "../suite/sample-records.ts";

export interface Told {
  readonly added: readonly string[];
  readonly preserved: readonly string[];
  readonly counted: number;
  readonly errors: readonly string[];
}

const [path = "", name = "", duration = "0"] = process.argv.slice(2);
const log = createSqliteDecisionLog({ path, create: true });
const added: string[] = [];
const preserved: string[] = [];
const errors: string[] = [];
let counted = 0;
const until = performance.now() + Number(duration);

for (let turn = 0; performance.now() < until; turn++) {
  const id = `${name}-${turn}`;
  try {
    await log.write(async (writer) => {
      const [shared] = await writer.decisions(["shared"]);
      if (shared === undefined) await writer.add(record({ id: "shared", count: 1 }));
      else await writer.change("shared", { count: Number(shared.raw.count) + 1 });
      await writer.add(record({ id, pattern: "Search first", supersedes: [`${name}-${turn - 1}`] }));
    });
    counted++;
    added.push(id);
    if (turn % 3 === 0) {
      await log.write((writer) => writer.change(id, { preserve: true }));
      preserved.push(id);
    }
    await log.read((reader) => reader.survey({ filter: {}, view: VIEW }));
  } catch (error) {
    errors.push(String(error));
  }
}
await log.close();
const told: Told = { added, preserved, counted, errors };
process.stdout.write(JSON.stringify(told));
