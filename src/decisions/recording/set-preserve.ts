// Marks a decision as never to be compacted, or takes the mark away. Takes effect at once, at any age.
import { CompactError } from "../../errors.ts";
import type { DecisionLog } from "../decision-log.ts";
import type { DecisionOptions } from "../decision-options.ts";
import { findDecision } from "../serving/find-id.ts";

export interface PreserveRequest {
  /** Whole, or a beginning of at least 4 characters that no other id has. */
  readonly id: string;
  readonly preserve: boolean;
}

export interface PreserveAnswer {
  readonly success: boolean;
  /** The whole id; as it was given where no decision has it. */
  readonly decisionId: string;
  readonly preserve: boolean;
  /** Why it was no success. */
  readonly error?: string;
}

/**
 * An unknown id is an answer, not an error. A record that is marked so already is left as it is.
 * @throws InvalidInput (`INVALID_PRESERVE`) for anything but true and false; InvalidInput (`INVALID_ID`, `AMBIGUOUS_ID`);
 * StoreFailed.
 */
export async function setPreserve(
  log: DecisionLog,
  { id, preserve }: PreserveRequest,
  _options: DecisionOptions,
): Promise<PreserveAnswer> {
  if (typeof preserve !== "boolean") throw notBoolean();
  try {
    return await log.write(async (writer) => {
      const decision = await findDecision(writer, id);
      const isSo = (decision.raw.preserve ?? false) === preserve;
      if (!isSo) await writer.change(decision.id, { preserve });
      return { success: true, decisionId: decision.id, preserve };
    });
  } catch (error) {
    if (!CompactError.isInstance(error) || error.code !== "UNKNOWN_DECISION") throw error;
    return { success: false, decisionId: id, preserve, error: error.message };
  }
}

function notBoolean(): CompactError {
  return new CompactError("InvalidInput", "preserve is neither true nor false.", {
    code: "INVALID_PRESERVE",
    hint: "Send true or false, not as text.",
  });
}
