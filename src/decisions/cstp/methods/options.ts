// What the context of a call is to the functions over a log.
import type { DecisionOptions } from "../../decision-options.ts";
import type { CstpContext } from "../method.ts";

export function optionsOf({ policies, now, trace }: CstpContext): DecisionOptions {
  return { policies, now: now(), trace };
}
