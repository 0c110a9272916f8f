// The two blocks of a configuration file that say who writes texts, in the terms of code: for every part that has some written.
import type { ConfigFile } from "../config/file-schema.ts";
import type { ConversationConfig } from "./conversation-config.ts";

/** Who writes summaries, and what they are shown: for parts that need no more of the configuration. */
export function summaryConfigOf({
  summarizer,
  redaction,
}: Pick<ConfigFile, "summarizer" | "redaction">): Pick<ConversationConfig, "summarizer" | "redaction"> {
  return {
    ...(summarizer?.type === undefined || summarizer.type === "extractive" ? {} : { summarizer }),
    ...(redaction === undefined ? {} : { redaction }),
  } as Pick<ConversationConfig, "summarizer" | "redaction">; // as above
}
