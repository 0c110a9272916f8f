// Checks what code gives to `CompactManager`.
import { fieldsOf } from "./config-fields.ts";
import { conversationConfigSchema } from "./conversation-schema.ts";
import { configError, faultsOf } from "./explain-config-error.ts";
import { storageSchema } from "./schema/storage-schema.ts";
import { summarizerSchema } from "./schema/summarizer-schema.ts";

/** Throws `InvalidConfig` with the path of each field at fault; changes nothing. */
export function checkConversationConfig(config: unknown): void {
  const parsed = conversationConfigSchema.safeParse(config, { reportInput: true });
  if (!parsed.success) throw configError(parsed.error.issues.flatMap((issue) => faultsOf(issue, keysInCode)));
}

function keysInCode(): readonly string[] {
  const blocks = [
    fieldsOf(conversationConfigSchema),
    fieldsOf(summarizerSchema, ["summarizer"]),
    fieldsOf(storageSchema, ["archive"]),
  ];
  return blocks.flat().map(({ path }) => path.join("."));
}
