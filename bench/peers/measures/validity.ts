// Would three providers take the list? By the strict validators, on the list as it is and as the other two providers'.

import { FORMATS } from "../../../src/factories/formats.ts";
import { convertConversation, type ProviderFormat } from "../../../src/providers/conversion/convert-conversation.ts";
import type { ChatMessage } from "../peer.ts";

/** Faults by provider. */
export type Faults = Readonly<Record<ProviderFormat, number>>;

export function faultsOf(messages: readonly ChatMessage[]): Faults {
  return {
    "openai-chat": faultsAs(messages, "openai-chat"),
    "openai-responses": faultsAs(messages, "openai-responses"),
    anthropic: faultsAs(messages, "anthropic"),
  };
}

export function sumOf(faults: Faults): number {
  return Object.values(faults).reduce((sum, count) => sum + count, 0);
}

function faultsAs(messages: readonly ChatMessage[], to: ProviderFormat): number {
  const converted = convertConversation({ format: "openai-chat", messages }, to);
  const format = FORMATS.find(({ name }) => name === to);
  if (format === undefined) throw new Error(`No format ${to}`);
  return format.validate(converted.messages).length;
}
