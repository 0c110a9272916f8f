// Our two rows: by code, as it is by default, and with the model that all libraries share.
import { readFileSync } from "node:fs";
import { CompactManager, createMemoryArchive } from "../../src/index.ts";
import type { ChatMessage, Peer, PeerModel } from "./peer.ts";

export const BY_CODE = "ours";
export const WITH_MODEL = "ours + model";
export function isOurs(name: string): boolean {
  return name === BY_CODE || name === WITH_MODEL;
}

export function ourPeers(): readonly Peer[] {
  return [ours(BY_CODE), ours(WITH_MODEL)];
}

function ours(name: string): Peer {
  const usesModel = name === WITH_MODEL;
  return {
    name,
    version: version(),
    settings: `CompactManager.compact with targetTokens = the budget, archive in memory${usesModel ? ", summarizer {model}" : ""}; else all defaults.`,
    usesModel,
    habit: "persists",
    open: () => {
      let manager: CompactManager | undefined;
      return {
        compact: async ({ messages, budget, window, model }) => {
          manager ??= open(window, usesModel ? model : undefined);
          const result = await manager.compact("compared", messages, { format: "openai-chat", targetTokens: budget });
          return result.messages as readonly ChatMessage[];
        },
      };
    },
  };
}

function open(maxContextTokens: number, model: PeerModel | undefined): CompactManager {
  return new CompactManager({
    archive: createMemoryArchive(),
    maxContextTokens,
    ...(model === undefined ? {} : { summarizer: { model } }),
  });
}

function version(): string {
  const file = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
