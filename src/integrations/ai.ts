// For agents built with the `ai` package, version 5 or 6. Compaction happens either before each step (`prepareStep`) or
// around the model (middleware): one of the two, never both.
export type { AiMessage } from "./ai/message.ts";
export { compactMiddleware } from "./ai/middleware.ts";
export { compactPrepareStep, type PrepareStepOptions } from "./ai/prepare-step.ts";
