// For agents built with Mastra (Node 22 and later).
export { type CompactInput, compactInput } from "./mastra/compact-input.ts";
