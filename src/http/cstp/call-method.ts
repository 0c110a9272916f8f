// One call of a CSTP method: found by its name, its parameters read, and whatever fails as an error of JSON-RPC. The
// outcome never rejects and never tells the inside of an unexpected failure.
import { CSTP_METHODS } from "../../decisions/cstp/cstp-methods.ts";
import type { CstpContext } from "../../decisions/cstp/method.ts";
import { runMethod } from "../../decisions/cstp/run-method.ts";
import { CompactError, type CompactErrorKind } from "../../errors.ts";
import { cutAt } from "../../text/cut.ts";
import { INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, type RpcOutcome } from "./rpc-message.ts";

type Log = (line: string) => void;

const SHOWN_UNITS = 60;
/** The caller's to mend; all others are the server's. */
const CALLERS: readonly CompactErrorKind[] = ["InvalidInput", "NotFound", "InvalidConfig"];
/** Conflicts that sending the same again would only meet again. */
const CALLERS_CONFLICTS: readonly string[] = ["DECISION_EXISTS", "SUPERSEDED"];

export async function callMethod(name: string, params: unknown, context: CstpContext, log: Log): Promise<RpcOutcome> {
  const method = CSTP_METHODS.find((one) => one.name === name);
  if (method === undefined) return unknownMethod(name);
  if (params !== undefined && (typeof params !== "object" || params === null || Array.isArray(params)))
    return failure(INVALID_PARAMS, "params must be an object.", { type: "InvalidInput", code: "INVALID_PARAMS" });
  try {
    return { result: await runMethod(method, { ...params }, context) };
  } catch (error) {
    if (CompactError.isInstance(error)) return expected(name, error, log);
    return context.signal?.aborted === true ? STOPPED : unexpected(name, error, log);
  }
}

/** Of a cycle that was running when the server had to end. */
const STOPPED: RpcOutcome = {
  error: {
    code: INTERNAL_ERROR,
    message: "The server ends and the call was stopped. What it had written stays.",
    data: { type: "Stopped", code: "STOPPED", hint: "Send it again when the server is back." },
  },
};

function unknownMethod(name: string): RpcOutcome {
  const shown = name.length <= SHOWN_UNITS ? name : `${cutAt(name, SHOWN_UNITS)}...`;
  return failure(METHOD_NOT_FOUND, `Method not found: ${shown}`, { available: CSTP_METHODS.map((one) => one.name) });
}

function expected(name: string, error: CompactError, log: Log): RpcOutcome {
  const { kind, code, message, hint } = error;
  const isCallers = CALLERS.includes(kind) || (kind === "Conflict" && CALLERS_CONFLICTS.includes(code));
  if (!isCallers) log(`${name}: ${code}: ${message}`);
  const told = { type: kind, code, ...(hint === undefined ? {} : { hint }) };
  return failure(isCallers ? INVALID_PARAMS : INTERNAL_ERROR, message, told);
}

function unexpected(name: string, error: unknown, log: Log): RpcOutcome {
  log(`${name} failed unexpectedly: ${whereItFailed(error)}`);
  return failure(INTERNAL_ERROR, "The call failed unexpectedly. The server's log says where.", {
    type: "Unexpected",
    code: "UNEXPECTED",
  });
}

/** Kind and place of an error, without its message: that of a parser quotes what it read. */
export function whereItFailed(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s{1,10}at /.test(line));
  return [error.name, ...frames].join("\n");
}

function failure(code: number, message: string, data: Readonly<Record<string, unknown>>): RpcOutcome {
  return { error: { code, message, data } };
}
