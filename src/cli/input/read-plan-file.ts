// Reads back a plan that a command wrote with --plan-out.
import { CompactError } from "../../errors.ts";
import type { Terminal } from "../terminal.ts";
import { decodeText } from "./decode-text.ts";
import { readBytes } from "./read-bytes.ts";

const REMEDY = "Make the plan with --plan-out FILE.";

/** `narrower`: a flag that makes a smaller plan. Throws as `readPlan` does, and `InvalidInput` (`INVALID_PLAN`) for what is no JSON. */
export async function readPlanFile<Plan>(
  file: string,
  readPlan: (value: unknown) => Plan,
  narrower: string,
  terminal: Terminal,
): Promise<Plan> {
  const { bytes, label } = await readBytes(file, terminal, undefined, {
    empty: REMEDY,
    tooLarge: `Make a plan of a part: name a ${narrower}.`,
  });
  const { text } = decodeText(bytes, label, "a plan in JSON");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new CompactError("InvalidInput", `${label} is not JSON.`, { code: "INVALID_PLAN", hint: REMEDY, cause });
  }
  return readPlan(value);
}
