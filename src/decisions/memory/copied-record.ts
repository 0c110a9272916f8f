// A record as a store gives it back: nobody changes it from outside afterwards, and every store holds the same of it.
import { CompactError } from "../../errors.ts";
import type { RawDecision } from "../decision.ts";

/** As JSON has it. @throws InvalidInput. */
export function copiedRecord(raw: RawDecision): RawDecision {
  try {
    return JSON.parse(JSON.stringify(raw));
  } catch (cause) {
    throw new CompactError("InvalidInput", "Nothing was changed: the record holds a value that JSON has no form for.", {
      code: "UNREADABLE_RECORD",
      hint: "Give texts, numbers, true, false, null, lists and maps, without cycles.",
      cause,
    });
  }
}
