// Our two rows: by code, as it is by default, and with the model that all libraries share.
import { readFileSync } from "node:fs";
import { CompactManager, createMemoryArchive } from "../../src/index.ts";
import type { ChatMessage, Peer, PeerModel } from "./peer.ts";

export const BY_CODE = "ours";
export const WITH_MODEL = "ours + model";
/** Budgets up to this share leave no room for six turns. */
const LEAN_SHARE = 0.05;
const LEAN = { keepRecentTurns: 1, keepToolIoPairs: 1 };

export function isOurs(name: string): boolean {
  return name === BY_CODE || name === WITH_MODEL;
}

/** `share`: the budget, of what there is. */
export function ourPeers(share: number): readonly Peer[] {
  return [ours(BY_CODE, share), ours(WITH_MODEL, share)];
}

function ours(name: string, share: number): Peer {
  const usesModel = name === WITH_MODEL;
  return {
    name,
    version: version(),
    settings: `CompactManager.compact with targetTokens = the budget, archive in memory${usesModel ? ", summarizer {model}" : ""}; at 5 % keepRecentTurns 1 and keepToolIoPairs 1, else all defaults.`,
    usesModel,
    habit: "persists",
    open: () => {
      let manager: CompactManager | undefined;
      return {
        compact: async ({ messages, budget, window, model }) => {
          manager ??= open(share, window, usesModel ? model : undefined);
          const result = await manager.compact("compared", messages, { format: "openai-chat", targetTokens: budget });
          return result.messages as readonly ChatMessage[];
        },
      };
    },
  };
}

function open(share: number, maxContextTokens: number, model: PeerModel | undefined): CompactManager {
  return new CompactManager({
    archive: createMemoryArchive(),
    maxContextTokens,
    policy: share <= LEAN_SHARE ? LEAN : {},
    ...(model === undefined ? {} : { summarizer: { model } }),
  });
}

function version(): string {
  const file = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
