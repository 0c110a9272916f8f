// The tool `mem_relate`: adds and removes relations between observations.
import * as z from "zod";
import { CompactError } from "../../errors.ts";
import { relate, unrelate } from "../../observations/saving/relations.ts";
import { defineTool, type ToolAnswer, type ToolContext } from "../tool.ts";
import { shownName } from "./row-view.ts";

const relateInput = z.object({
  action: z.enum(["add", "remove"]).describe("add or remove"),
  from_id: z.number().optional().describe("Observation it leads from. Required on add"),
  to_id: z.number().optional().describe("Observation it leads to. Required on add"),
  relation_type: z
    .string()
    .optional()
    .describe("relates_to, implements, depends_on, caused_by, supersedes, part_of, ... Required on add"),
  note: z.string().optional().describe("Why, on add"),
  bidirectional: z.boolean().optional().describe("True: add it the other way too"),
  id: z.number().optional().describe("Relation to remove. Required on remove"),
});

const relateOutput = z.object({
  action: z.enum(["add", "remove"]),
  relations: z
    .array(z.object({ id: z.int(), from_id: z.int(), to_id: z.int() }))
    .describe("Those added, or the one removed"),
});

type Input = z.infer<typeof relateInput>;

export const memRelate = defineTool({
  name: "mem_relate",
  title: "Relate observations",
  description:
    "Adds a relation between two observations (what caused, supersedes, implements or is part of what), or removes one " +
    "by its id. mem_get shows the relations of an observation.",
  params: relateInput,
  result: relateOutput,
  hints: { isReadOnly: false, isDestructive: true, isIdempotent: false },
  run: (given, context) => (given.action === "add" ? add(given, context) : remove(given, context)),
});

async function add(given: Input, context: ToolContext): Promise<ToolAnswer> {
  const fromId = required("from_id", given.from_id, "add");
  const toId = required("to_id", given.to_id, "add");
  const { relation_type: type = "", note, bidirectional: isBidirectional } = given;
  const request = { fromId, toId, type, note, isBidirectional };
  const relations = await relate(await context.store(), request, { now: context.now() });
  const ids = relations.map((relation) => relation.id).join(", ");
  const kind = shownName(relations[0]?.type ?? type, "");
  const text =
    relations.length > 1
      ? `Bidirectional relation created: #${fromId} ↔ #${toId} (${kind})\nRelation IDs: ${ids}`
      : `Relation created: #${fromId} → #${toId} (${kind})\nRelation ID: ${ids}`;
  return { text, structured: { action: "add", relations: relations.map(ends) } };
}

async function remove(given: Input, context: ToolContext): Promise<ToolAnswer> {
  const removed = await unrelate(await context.store(), { id: required("id", given.id, "remove") });
  return { text: `Relation ${removed.id} removed`, structured: { action: "remove", relations: [ends(removed)] } };
}

function ends({ id, from_id, to_id }: { readonly id: number; readonly from_id: number; readonly to_id: number }) {
  return { id, from_id, to_id };
}

function required(name: string, value: number | undefined, action: string): number {
  if (value !== undefined) return value;
  throw new CompactError("InvalidInput", `'${name}' is required for action=${action}.`, {
    code: "ID_REQUIRED",
    hint: `Send '${name}'.`,
  });
}
