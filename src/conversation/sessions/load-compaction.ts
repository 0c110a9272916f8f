// The compaction itself, with facts and all, is loaded when a session is first looked at: importing the package, as every
// process of a host does, stays cheap.

export function loadCompaction(): Promise<typeof import("../compact-conversation.ts")> {
  return import("../compact-conversation.ts");
}
