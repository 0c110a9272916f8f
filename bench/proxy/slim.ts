// What `--slim` shortens in each session, as if it rested at its end.
import { createMemoryArchive } from "../../src/archive/archives.ts";
import { slim } from "../../src/proxy/slim.ts";
import { createRedactor } from "../../src/redaction/redactor.ts";
import type { JsonObject } from "../../src/text/json-values.ts";
import { sessionsToReplay } from "../cost/sessions.ts";

export async function printSlimmed(): Promise<void> {
  for (const { label, messages, format } of sessionsToReplay()) {
    const list = messages as readonly JsonObject[];
    const slimmed = await slim(list, format, "s", { archive: createMemoryArchive(), redactor: createRedactor() });
    const share = (slimmed?.won ?? 0) / JSON.stringify(messages).length;
    const faults = format.validate(slimmed?.messages ?? messages, { allowOpenTail: true }).length;
    console.log(`${label.padEnd(24)} ${(share * 100).toFixed(1).padStart(5)} %, invalid: ${faults}`);
  }
}
