// Arguments under the names that their tool has for them: some tools take other names besides, those of the wire whose
// method they carry.
import { CompactError } from "../../errors.ts";
import type { Tool } from "../tool.ts";
import { exampleCall } from "./example-call.ts";

type Sent = readonly (readonly [string, unknown])[];

/** Throws `InvalidInput` (`INVALID_ARGUMENTS`) where two names of one parameter say different things. */
export function underOwnNames(tool: Tool, sent: Sent): Sent {
  const { input, aliases = {} } = tool;
  const owners = new Map(Object.entries(aliases).flatMap(([name, others]) => others.map((other) => [other, name])));
  const values = new Map<string, { readonly key: string; readonly value: unknown }>();
  for (const [key, value] of sent) {
    const name = Object.hasOwn(input.shape, key) ? key : (owners.get(key) ?? key);
    const other = values.get(name);
    if (other === undefined || other.value === null) values.set(name, { key, value });
    else if (value !== null && JSON.stringify(other.value) !== JSON.stringify(value))
      throw refuse(tool, other.key, key);
  }
  return [...values].map(([name, { value }]) => [name, value]);
}

function refuse(tool: Tool, one: string, other: string): CompactError {
  return new CompactError(
    "InvalidInput",
    `${tool.name} was not carried out, nothing has changed: ${one} and ${other} are one parameter and say different things.`,
    { code: "INVALID_ARGUMENTS", hint: `Example: ${exampleCall(tool, [])}`, data: { parameters: [one, other] } },
  );
}
