// The tool runner keeps its conversation at the provider where it can. There it only grows: a runner of a wrapped client
// sends its whole history instead, which is then compacted like any other list.
import type { BetaToolRunnerParams } from "@anthropic-ai/sdk/lib/tools/BetaToolRunner";

interface RunsTools {
  toolRunner(body: BetaToolRunnerParams, options?: unknown): unknown;
}

/** `wrapped`: a client whose resources are copies. */
export function sendWholeHistory(wrapped: object): void {
  const { beta } = wrapped as { readonly beta?: { readonly messages?: Partial<RunsTools> } };
  const messages = beta?.messages;
  const toolRunner = messages?.toolRunner;
  if (messages === undefined || toolRunner === undefined) return;
  messages.toolRunner = (body, options) => toolRunner.call(messages, { ...body, thread: false }, options);
}
