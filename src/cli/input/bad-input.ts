// The one way this folder refuses an input.
import { CompactError } from "../../errors.ts";

export function badInput(code: string, message: string, hint: string): CompactError {
  return new CompactError("InvalidInput", message, { code, hint });
}
