// A message that a library leaves alone comes back as the object that went in, so that a converter's habits (a space
// less in a call's arguments, null for an empty text) are not taken for what the library did. What it changed or made
// comes back as its own converter writes it.
import type { ChatMessage } from "../../peer.ts";

export class Originals {
  readonly #byForm = new Map<string, ChatMessage>();

  /** `forms[i]` is what comes of `originals[i]` when it is converted there and back. */
  remember(originals: readonly ChatMessage[], forms: readonly ChatMessage[]): void {
    if (originals.length !== forms.length) {
      throw new Error(`Converted there and back, ${originals.length} messages are ${forms.length}`);
    }
    for (const [index, original] of originals.entries()) this.#byForm.set(JSON.stringify(forms[index]), original);
  }

  restore(form: ChatMessage): ChatMessage {
    return this.#byForm.get(JSON.stringify(form)) ?? form;
  }

  restoreAll(forms: readonly ChatMessage[]): readonly ChatMessage[] {
    return forms.map((form) => this.restore(form));
  }
}
