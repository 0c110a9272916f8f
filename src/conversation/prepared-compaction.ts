// A compaction that is planned but not carried out: the readings and choices that plan and apply share.
import type { ConversationInput, ConversationParts } from "./conversation-parts.ts";
import type { SessionState } from "./session-state.ts";
import type { Layers } from "./stages/layers.ts";
import type { MeasuredConversation } from "./stages/measure-conversation.ts";
import type { ReadConversation } from "./stages/read-conversation.ts";
import type { TriggerDecision } from "./stages/trigger.ts";
import type { SizedUp } from "./usage/size-up.ts";

export interface PreparedCompaction {
  readonly input: ConversationInput;
  readonly state: SessionState;
  readonly measured: MeasuredConversation;
  /** The parts with a counter corrected for the model's family. */
  readonly parts: ConversationParts;
  /** What the next look at this session starts from. */
  readonly sizes: SizedUp["next"];
  readonly decision: TriggerDecision;
  /** Undefined when the trigger said no. */
  readonly due: DueCompaction | undefined;
  /** Messages behind those that `due` speaks of; they stay as they are. */
  readonly appended: readonly unknown[];
}

/** What only a compaction that is due needs to know. */
export interface DueCompaction {
  readonly input: ConversationInput;
  readonly state: SessionState;
  readonly step: number;
  readonly read: ReadConversation;
  readonly layers: Layers;
  /** The session's model kept failing and is not asked now. */
  readonly isModelPaused: boolean;
}
