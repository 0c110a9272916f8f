// Every library of the comparison that this machine can call. One that is not installed, or wants a newer Node, is
// named with its reason instead of stopping the others.
import type { MissingPeer, Peer } from "../peer.ts";

const LOADERS: Readonly<Record<string, () => Promise<Peer>>> = {
  "@langchain/core trimMessages": async () => (await import("./langchain-trim.ts")).langchainTrim(),
  "@langchain/core trimMessages, startOn ai": async () => (await import("./langchain-trim.ts")).langchainTrimAnywhere(),
  "langchain summarizationMiddleware": async () =>
    (await import("./langchain-summarization.ts")).langchainSummarization(),
  "langchain contextEditingMiddleware": async () =>
    (await import("./langchain-context-editing.ts")).langchainContextEditing(),
  "deepagents createSummarizationMiddleware": async () =>
    (await import("./deepagents-summarization.ts")).deepagentsSummarization(),
  "ai pruneMessages": async () => (await import("./ai-prune.ts")).aiPrune(),
  "Mastra TokenLimiter": async () => (await import("./mastra-token-limiter.ts")).mastraTokenLimiter(),
  "pi compaction": async () => (await import("./pi-compaction.ts")).piCompaction(),
  "@google/adk TokenBasedContextCompactor": async () => (await import("./adk-compaction.ts")).adkCompaction(),
};

export async function loadPeers(): Promise<{
  readonly peers: readonly Peer[];
  readonly missing: readonly MissingPeer[];
}> {
  const peers: Peer[] = [];
  const missing: MissingPeer[] = [];
  for (const [name, load] of Object.entries(LOADERS)) {
    try {
      peers.push(await load());
    } catch (error) {
      missing.push({ name, reason: reasonOf(error) });
    }
  }
  return { peers, missing };
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { readonly code?: unknown; readonly message?: string };
  if (code === "ERR_MODULE_NOT_FOUND" || code === "ENOENT") return "not installed (npm ci in bench/peers)";
  return `not loaded by Node ${process.versions.node}: ${(message ?? String(error)).split("\n", 1)[0]}`;
}
