// Libraries that keep a conversation themselves are handed what is new since the last round, however the list comes:
// after what they returned, or after what they were given. Any other list is a new conversation.
import type { ChatMessage } from "../../peer.ts";

export class Continuation {
  #returned: readonly ChatMessage[] = [];
  #given: readonly ChatMessage[] = [];

  /** `undefined`: nothing of it is known. */
  newIn(messages: readonly ChatMessage[]): readonly ChatMessage[] | undefined {
    for (const known of [this.#returned, this.#given]) {
      if (known.length > 0 && startsWith(messages, known)) return messages.slice(known.length);
    }
    return undefined;
  }

  remember(given: readonly ChatMessage[], returned: readonly ChatMessage[]): void {
    this.#given = given;
    this.#returned = returned;
  }
}

function startsWith(messages: readonly ChatMessage[], head: readonly ChatMessage[]): boolean {
  return (
    head.length <= messages.length &&
    head.every((message, index) => {
      const other = messages[index];
      return message === other || JSON.stringify(message) === JSON.stringify(other);
    })
  );
}
