// What the comparison asks of a library: one list in, a smaller one out, in the terms of OpenAI chat. How a library is
// called, and with what settings, is in the file named after it; what is measured knows none of them.

/** A message of OpenAI chat, as its endpoint takes it. */
export type ChatMessage = Readonly<Record<string, unknown>>;

/** The model that a library may ask for a summary. It throws, refuses or invents where that is what is compared. */
export type PeerModel = (request: {
  readonly system: string;
  readonly prompt: string;
  readonly maxTokens: number;
}) => Promise<string>;

export interface PeerInput {
  /** The system message first, each call answered. */
  readonly messages: readonly ChatMessage[];
  /** o200k tokens that the result may have; how a library is told so is its own file's matter. */
  readonly budget: number;
  /** The window of the model, for a library that asks. */
  readonly window: number;
  readonly model: PeerModel;
  /** o200k tokens of one message, as all results are measured: a library that takes a counter gets this one. */
  readonly count: (message: ChatMessage) => number;
}

/** One conversation with a library: what it remembers of earlier rounds is in here. */
export interface PeerSession {
  compact(input: PeerInput): Promise<readonly ChatMessage[]>;
  /**
   * Processor time of the last `compact` that was the library's own call, the model's answer included: the search for
   * a setting and the conversion of messages are the comparison's.
   */
  libraryTime?(): number;
}

export interface Peer {
  /** `langchain summarizationMiddleware`. */
  readonly name: string;
  /** As installed: `1.5.14`. */
  readonly version: string;
  /** The settings it was given, and why they are fair, in one or two sentences. */
  readonly settings: string;
  readonly usesModel: boolean;
  /** Where a user calls it: before each model call on the whole history ("each call"), or once, replacing it ("persists"). */
  readonly habit: "each call" | "persists";
  open(): PeerSession;
}

/** A library that this Node cannot run, or that is not installed, is told so in the table. */
export interface MissingPeer {
  readonly name: string;
  readonly reason: string;
}
