// Checks what code gives to `CompactManager`.
import { conversationConfigSchema } from "./conversation-schema.ts";
import { explainConfigError } from "./explain-config-error.ts";

/** Throws `InvalidConfig` with the path of each field at fault; changes nothing. */
export function checkConversationConfig(config: unknown): void {
  const parsed = conversationConfigSchema.safeParse(config, { reportInput: true });
  if (!parsed.success) throw explainConfigError(parsed.error);
}
