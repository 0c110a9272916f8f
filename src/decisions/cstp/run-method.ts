// One call of a method as JSON-RPC makes it: parameters read, method run, and a write that did not take all it was sent says
// so, since nobody looks again at what was written.
import type { CstpContext, CstpMethod } from "./method.ts";
import { readCall } from "./parameters/read-params.ts";

/** Throws `InvalidInput` (`INVALID_PARAMS`), and what the method throws. */
export async function runMethod(
  method: CstpMethod,
  given: Readonly<Record<string, unknown>>,
  context: CstpContext,
): Promise<Readonly<Record<string, unknown>>> {
  const { params, ignored } = readCall(method, given);
  const result = await method.run(params, context);
  return method.hints.isReadOnly || ignored.length === 0 ? result : { ...result, ignored };
}
