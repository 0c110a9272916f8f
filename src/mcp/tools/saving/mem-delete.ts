// The tool `mem_delete`: takes one observation out of memory.
import * as z from "zod";
import { type DeletedObservation, deleteObservation } from "../../../observations/saving/delete-observation.ts";
import { defineTool } from "../../tool.ts";

const input = z.object({
  id: z.number().describe("Observation to delete"),
  hard_delete: z
    .boolean()
    .optional()
    .describe("True: for good, with its relations. Default: mem_restore brings it back"),
});

const output = z.object({
  id: z.int(),
  hard_delete: z.boolean(),
  stood_for: z.array(z.int()).describe("Compacted observations it stood for; at most 50 are named"),
});

const MOST_NAMED = 50;

export const memDelete = defineTool({
  name: "mem_delete",
  title: "Delete an observation",
  description:
    "Takes one observation out of memory: it is found no more, and mem_restore brings it back. With hard_delete it is " +
    "removed for good. For many stale ones, mem_compact leaves a summary in their place.",
  input,
  output,
  hints: { isReadOnly: false, isDestructive: true, isIdempotent: false },
  async run({ id, hard_delete: isHard }, context) {
    const deleted = await deleteObservation(await context.store(), { id, isHard }, { now: context.now() });
    return {
      text: describe(deleted),
      structured: { id, hard_delete: deleted.isHard, stood_for: deleted.stoodFor.slice(0, MOST_NAMED) },
    };
  },
});

function describe({ id, isHard, stoodFor }: DeletedObservation): string {
  const line = `Observation ${id} ${isHard ? "permanently deleted" : "soft-deleted"}`;
  if (stoodFor.length === 0) return line;
  const ids = stoodFor.slice(0, MOST_NAMED).join(", ") + (stoodFor.length > MOST_NAMED ? ", ..." : "");
  return `${line}\n⚠️ It stood for ${stoodFor.length} compacted observations, which stay deleted: ${ids}. mem_restore with ids brings them back.`;
}
