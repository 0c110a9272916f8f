// A compaction that is planned but not carried out: the readings and choices that plan and apply share.
import type { ConversationInput } from "./conversation-parts.ts";
import type { SessionState } from "./session-state.ts";
import type { Layers } from "./stages/layers.ts";
import type { MeasuredConversation } from "./stages/measure-conversation.ts";
import type { ReadConversation } from "./stages/read-conversation.ts";
import type { TriggerDecision } from "./stages/trigger.ts";

export interface PreparedCompaction {
  readonly input: ConversationInput;
  readonly state: SessionState;
  readonly measured: MeasuredConversation;
  readonly decision: TriggerDecision;
  /** Undefined when the trigger said no. */
  readonly due: DueCompaction | undefined;
}

/** What only a compaction that is due needs to know. */
export interface DueCompaction {
  readonly input: ConversationInput;
  readonly state: SessionState;
  readonly step: number;
  readonly read: ReadConversation;
  readonly layers: Layers;
}
