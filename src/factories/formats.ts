// Every message format, in the order in which they are asked. Light enough to be loaded for a command's help.
import { anthropicFormat } from "../providers/anthropic/anthropic-format.ts";
import type { Format } from "../providers/format.ts";
import { openaiChatFormat } from "../providers/openai-chat/openai-chat-format.ts";
import { openaiResponsesFormat } from "../providers/openai-responses/openai-responses-format.ts";

/** Every message format this package reads and writes; the order decides when a list fits several. */
export const FORMATS: readonly Format[] = [openaiChatFormat, openaiResponsesFormat, anthropicFormat];
