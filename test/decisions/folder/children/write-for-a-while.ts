// Adds records to a folder, counts up one of everybody's and reads, until its time is over; then tells on stdout what it was
// told to be done. Arguments: the folder, its name, milliseconds.
import { createCstpYamlDecisionLog } from "../../../../src/decisions/cstp-yaml-decision-log.ts";

export interface Told {
  readonly added: readonly string[];
  readonly counted: number;
  readonly errors: readonly string[];
}

const [path = "", name = "", duration = "0"] = process.argv.slice(2);
const log = createCstpYamlDecisionLog({ path });
const added: string[] = [];
const errors: string[] = [];
let counted = 0;
const until = performance.now() + Number(duration);

for (let turn = 0; performance.now() < until; turn++) {
  try {
    const ids = [`${name}-${turn}-a`, `${name}-${turn}-b`];
    await log.write(async (writer) => {
      const [shared] = await writer.decisions(["shared"]);
      await writer.change("shared", { count: Number(shared?.raw.count) + 1 });
      await writer.setState("count", Number((await writer.state("count")) ?? 0) + 1);
      for (const id of ids) await writer.add({ id, decision: `By ${name}`, date: "2031-01-02" });
    });
    added.push(...ids);
    counted++;
    const pair = await log.read((reader) => reader.idsLike(name, 100_000));
    if (pair.length !== added.length) errors.push(`read ${pair.length} of ${added.length}`);
  } catch (error) {
    errors.push(String(error));
  }
}
await log.close();
const told: Told = { added, counted, errors };
process.stdout.write(JSON.stringify(told));
