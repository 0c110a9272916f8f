// The shape of a configuration file, keys already in camelCase: what code has too, and the blocks of the other parts.
import * as z from "zod/mini";
import { sharedKeys } from "./conversation-schema.ts";
import { decisionsSchema, memoryFilesSchema } from "./memories-schema.ts";
import { type ConfigField, fieldsOf } from "./schema-fields.ts";
import { key, strict, text, whole } from "./schema-parts.ts";
import { storageSchema, telemetrySchema } from "./storage-schema.ts";
import { summarizerSchema } from "./summarizer-schema.ts";

/** Of a tool's answer: clients refuse or set aside answers of 25,000 and more. */
export const DEFAULT_ANSWER_TOKENS = 8000;

/** What a configuration file takes, keys already in camelCase. */
export const configFileSchema = strict({
  version: key(z.literal("1.0", 'must be "1.0"'), "Version of this format.", { default: "1.0" }),
  ...sharedKeys,
  summarizer: z.optional(summarizerSchema),
  storage: z.optional(storageSchema),
  telemetry: z.optional(telemetrySchema),
  observations: z.optional(
    strict({
      db: key(text, "The memory database: a SQLite file, from the working directory. ~ is the home folder.", {
        default: "~/.agent-compact/memory.db",
      }),
    }),
  ),
  decisions: z.optional(decisionsSchema),
  memoryFiles: z.optional(memoryFilesSchema),
  mcp: z.optional(
    strict({
      maxTokens: key(whole(200, 1_000_000), "Most tokens of a tool's answer, where the call does not say.", {
        default: DEFAULT_ANSWER_TOKENS,
      }),
    }),
  ),
});

export type ConfigFile = z.infer<typeof configFileSchema>;

// Every key of a configuration file as a list: what the environment, `config show` and the generated pages go through.

/** In the order of the schema; those inside `models` are the same once more and left out. */
export function listConfigFields(): readonly ConfigField[] {
  return fieldsOf(configFileSchema);
}

/** `policy.trigger_pct`: where a key may be meant that stands in the wrong block. */
export function fieldNames(): readonly string[] {
  return listConfigFields().map(({ name }) => name);
}
