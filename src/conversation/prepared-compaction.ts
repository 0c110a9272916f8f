// A compaction that is planned but not carried out: the readings and choices that plan and apply share.
import type { ConversationInput } from "./conversation-parts.ts";
import type { SessionState } from "./session-state.ts";
import type { Layers } from "./stages/choose-layers.ts";
import type { ReadConversation } from "./stages/read-conversation.ts";
import type { TriggerDecision } from "./stages/trigger.ts";

export interface PreparedCompaction {
  readonly input: ConversationInput;
  readonly state: SessionState;
  readonly read: ReadConversation;
  readonly decision: TriggerDecision;
  readonly step: number;
  /** Undefined when the trigger said no. */
  readonly layers: Layers | undefined;
}
