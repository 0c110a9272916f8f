// For `@openai/agents`: compaction before each model call, stored sessions that stay small, and the hook shape of hosts
// that have one. Its spans: `createOpenAIAgentsSink` of the root entry.

export { beforeModelCall, type ModelCallContext } from "./openai-agents/before-model-call.ts";
export { compactInputFilter } from "./openai-agents/input-filter.ts";
export {
  type CompactingSession,
  type CompactSessionOptions,
  compactSession,
} from "./openai-agents/session/compact-session.ts";
export type { SessionChoice } from "./seam/host-preflight.ts";
