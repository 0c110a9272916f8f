// Answers a body of JSON-RPC: its calls one after another, in their order, each with an outcome of its own.
import { answerTo, type ReadCall, type RpcAnswer, type RpcOutcome, readBody } from "./rpc-message.ts";

export type CallMethod = (method: string, params: unknown) => Promise<RpcOutcome>;

/** The answer as JSON; undefined where nobody waits for one, as for notifications. `call` never rejects. */
export async function answerBody(bytes: Uint8Array, call: CallMethod): Promise<string | undefined> {
  const body = readBody(bytes);
  if ("answer" in body) return JSON.stringify(body.answer);
  const answers: RpcAnswer[] = [];
  for (const read of body.calls) {
    const answer = await answerCall(read, call);
    if (answer !== undefined) answers.push(answer);
  }
  const [first] = answers;
  if (first === undefined) return undefined;
  return JSON.stringify(body.isBatch ? answers : first);
}

async function answerCall(read: ReadCall, call: CallMethod): Promise<RpcAnswer | undefined> {
  if ("answer" in read) return read.answer;
  const { id, method, params } = read.call;
  const outcome = await call(method, params);
  return id === undefined ? undefined : answerTo(id, outcome);
}
