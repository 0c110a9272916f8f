// One provider's conversation as another's. Everything that can be said there is; what cannot is left out and told.
// Each format is read into neutral messages and written from them: adding one is a reader and a writer.
import type { ReadNote } from "../readers/reader.ts";
import type { Conversation, ProviderFormat } from "./conversation.ts";
import { arrangeResults } from "./neutral/arrange-results.ts";
import { withLegalCallIds, withLegalToolNames } from "./neutral/legal-names.ts";
import { Losses } from "./neutral/losses.ts";
import type { FormatTable, ReadFormat, WriteFormat } from "./neutral/neutral.ts";
import { readAnthropic } from "./reading/read-anthropic.ts";
import { readOpenaiChat } from "./reading/read-openai-chat.ts";
import { readOpenaiResponses } from "./reading/read-openai-responses.ts";
import { writeAnthropic } from "./writing/write-anthropic.ts";
import { writeOpenaiChat } from "./writing/write-openai-chat.ts";
import { writeOpenaiResponses } from "./writing/write-openai-responses.ts";

export type { Conversation, ProviderFormat } from "./conversation.ts";

export interface Converted extends Conversation {
  /** One sentence for each kind of thing that was left out, or is said in another way. Never content. */
  readonly notes: readonly ReadNote[];
}

const READERS: FormatTable<ReadFormat> = {
  "openai-chat": readOpenaiChat,
  "openai-responses": readOpenaiResponses,
  anthropic: readAnthropic,
};

const WRITERS: FormatTable<WriteFormat> = {
  "openai-chat": writeOpenaiChat,
  "openai-responses": writeOpenaiResponses,
  anthropic: writeAnthropic,
};

/** What comes over and what does not is told where users find it: from-config/convert-conversation.ts. Never throws. */
export function convertConversation(conversation: Conversation, to: ProviderFormat): Converted {
  if (conversation.format === to) return { ...conversation, notes: [] };
  const losses = new Losses();
  const writer = WRITERS[to];
  const read = READERS[conversation.format](conversation, losses);
  const messages = withLegalCallIds(arrangeResults(read.messages), writer.callIds, losses);
  const legal = withLegalToolNames({ ...read, messages }, writer.toolNames, losses);
  return { format: to, ...writer.write(legal, losses), notes: losses.notes() };
}
