// The model of the comparison as a chat model of LangChain: text in, text out, nothing retried.

import { SimpleChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import type { PeerModel } from "../../peer.ts";

interface Asked {
  readonly model: PeerModel;
  /** Tokens of an answer at most, as a user sets `maxTokens` of a chat model. */
  readonly maxTokens: number;
}

export class LangChainPeerModel extends SimpleChatModel {
  readonly #asked: Asked;

  constructor(asked: Asked) {
    super({ maxRetries: 0 });
    this.#asked = asked;
  }

  override _llmType(): string {
    return "peer";
  }

  override _call(messages: BaseMessage[]): Promise<string> {
    const texts = (isSystem: boolean) =>
      messages.filter((message) => (message.getType() === "system") === isSystem).map(({ text }) => text);
    const { model, maxTokens } = this.#asked;
    return model({ system: texts(true).join("\n\n"), prompt: texts(false).join("\n\n"), maxTokens });
  }
}
