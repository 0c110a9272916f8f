// Which images, documents and sounds may give way to a line of text, and in which order: the oldest first. What a
// person shows in a request that still waits for its answer stays.
import type { Attachment } from "../../../formats/attachments/attachment.ts";
import { jsonBytes } from "../../../formats/attachments/json-bytes.ts";
import type { Fit } from "../fit.ts";
import type { LayersInput } from "../layers.ts";
import type { StandingUnit } from "../partition.ts";
import type { ReadConversation } from "../read-conversation.ts";
import { attachmentMarker, whereaboutsOf } from "./markers.ts";

export interface ReplaceableAttachment {
  /** Index of its message. */
  readonly index: number;
  /** Which of the message's attachments. */
  readonly ordinal: number;
  /** What stands in its place. */
  readonly text: string;
  /** Bytes of JSON that its leaving saves. */
  readonly bytes: number;
  /** Shown by a host in the running request, and seen by the model since: gives only when nothing else is left. */
  readonly isLast: boolean;
}

/** In the order in which they give: oldest first, the last resorts behind. */
export function findAttachments(choice: LayersInput, { stays }: Pick<Fit, "stays">): readonly ReplaceableAttachment[] {
  const { read } = choice;
  const request = runningRequest(read);
  const found: ReplaceableAttachment[] = [];
  for (const [position, unit] of read.units.entries()) {
    if (!stays[position] || unit.standing === "pinned" || unit.standing === "replaced") continue;
    for (const index of unit.messages) {
      for (const [ordinal, attachment] of attachmentsOf(read, index).entries()) {
        const standing = attachment.isInResult ? "free" : request(unit, index);
        if (standing === "shown") continue;
        const text = attachmentMarker(attachment, whereaboutsOf(choice, index));
        const bytes = attachment.bytes - jsonBytes({ type: "input_text", text });
        found.push({ index, ordinal, text, bytes, isLast: standing === "seen" });
      }
    }
  }
  return found.sort((a, b) => Number(a.isLast) - Number(b.isLast) || a.index - b.index);
}

function attachmentsOf(read: ReadConversation, index: number): readonly Attachment[] {
  const found: Attachment[] = [];
  read.format.mapAttachments(read.messages[index], (attachment) => {
    found.push(attachment);
    return undefined;
  });
  return found;
}

/**
 * Tells of what was said in a unit: `shown` belongs to the request that waits for its answer, `seen` came while it was
 * being worked on and the model has answered since (hosts show screenshots so), `free` is older.
 */
function runningRequest({ units, views }: ReadConversation) {
  const isOpen = ({ standing, hasUserText }: StandingUnit) => standing === "locked" && hasUserText;
  const start = units.find(isOpen)?.messages[0] ?? Number.POSITIVE_INFINITY;
  const firstStep = views.findIndex(({ role }, index) => role === "assistant" && index > start);
  const lastStep = views.findLastIndex(({ role }) => role === "assistant");
  return (unit: StandingUnit, index: number): "free" | "shown" | "seen" => {
    if (!isOpen(unit)) return "free";
    return firstStep >= 0 && index > firstStep && index < lastStep ? "seen" : "shown";
  };
}
