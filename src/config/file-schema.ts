// The shape of a configuration file, keys already in camelCase: what code has too, and the blocks of the other parts.
import * as z from "zod/mini";
import { sharedKeys } from "./conversation-schema.ts";
import { decisionsSchema, memoryFilesSchema } from "./memories-schema.ts";
import { type ConfigField, fieldsOf } from "./schema-fields.ts";
import { checked, key, strict, text, whole } from "./schema-parts.ts";
import { storageSchema, telemetrySchema } from "./storage-schema.ts";
import { summarizerSchema } from "./summarizer-schema.ts";

/** Of a tool's answer: clients refuse or set aside answers of 25,000 and more. */
export const DEFAULT_ANSWER_TOKENS = 8000;

/** A provider's address is a place: what proves a client goes with each request, never in a file. */
const address = checked(text, (url) => {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const isAddress = parsed !== undefined && /^https?:$/.test(parsed.protocol) && parsed.username + parsed.search === "";
  return isAddress ? undefined : "must be an address such as https://api.openai.com, without a name, a key or a query";
});

const upstreamsSchema = z.record(
  z.string(),
  strict({
    url: key(address, "The provider's address.", { example: "https://api.openai.com" }),
    path: key(
      checked(text, (path) => (/^\/[\w./-]{1,200}$/.test(path) ? undefined : "must be a path such as /openai")),
      "Requests whose path begins so go there, without that beginning.",
      { example: "/openai" },
    ),
    model: key(text, "Conversations with this model go there; * at the end stands for the rest of a name.", {
      example: "gpt-*",
    }),
  }),
  "must hold names, each with the url of a provider and the path or model that it is for",
);

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
  proxy: z.optional(
    strict({
      summaryModel: key(
        text,
        "Model that writes the proxy's summaries, in the background, asked at the conversation's own provider with its client's key.",
        { note: "none: by code", example: "claude-haiku-4-5" },
      ),
      upstreams: z.optional(upstreamsSchema),
    }),
  ),
  mcp: z.optional(
    strict({
      maxTokens: key(whole(200, 1_000_000), "Most tokens of a tool's answer, where the call does not say.", {
        default: DEFAULT_ANSWER_TOKENS,
      }),
    }),
  ),
});

export type ConfigFile = z.infer<typeof configFileSchema>;

/** In the order of the schema; those inside `models` are the same once more and left out. */
export function listConfigFields(): readonly ConfigField[] {
  return fieldsOf(configFileSchema);
}

/** `policy.trigger_pct`: where a key may be meant that stands in the wrong block. */
export function fieldNames(): readonly string[] {
  return listConfigFields().map(({ name }) => name);
}
