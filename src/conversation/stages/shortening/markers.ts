// The texts that stand where something was left out: what it was, that nothing failed, and where it is. Made from
// the content and its place alone, so the same list gives the same bytes in every round.
import type { Attachment } from "../../../formats/attachments/attachment.ts";
import { cutAt } from "../../../text/cut.ts";
import { expandCommand } from "../../summary/summary-frame.ts";
import type { LayersInput } from "../layers.ts";

/** Where the archive will hold a message; undefined when there is no archive. */
export interface Whereabouts {
  readonly step: number;
  readonly message: number;
  readonly command: string;
}

export function whereaboutsOf({ read, step, input, parts }: LayersInput, index: number): Whereabouts | undefined {
  if (parts.archive === undefined) return undefined;
  const message = read.numbers[index] ?? 1;
  return { step, message, command: expandCommand(`${step}.${message}`, input.sessionId) };
}

export function resultMarker(omitted: number, where: Whereabouts | undefined): string {
  const characters = omitted.toLocaleString("en-US");
  return `[The call completed. ${characters} characters of its output were left out here to save room; ${wholeText(where)}]`;
}

export function userMarker(omitted: number, where: Whereabouts | undefined): string {
  const characters = omitted.toLocaleString("en-US");
  return `[${characters} characters of this message were left out here to save room; ${wholeText(where)}]`;
}

function wholeText(where: Whereabouts | undefined): string {
  return where === undefined ? "they were not archived" : `whole text: ${where.command}`;
}

/** `[image: png 1500x900, removed to save room; message 3 of step 2 in the archive: agent-compact archive expand 2.3 ...]` */
export function attachmentMarker(attachment: Attachment, where: Whereabouts | undefined): string {
  const place =
    where === undefined
      ? "it was not archived"
      : `message ${where.message} of step ${where.step} in the archive: ${where.command}`;
  return `[${describeAttachment(attachment)}, removed to save room; ${place}]`;
}

const LONGEST_NAME = 80;

function describeAttachment({ kind, encoding, width, height, name }: Attachment): string {
  const details = [
    ...(encoding === "" ? [] : [encoding]),
    ...(width === undefined ? [] : [`${width}x${height}`]),
    ...(name === undefined ? [] : [JSON.stringify(cutAt(name, LONGEST_NAME))]),
  ];
  return details.length === 0 ? kind : `${kind}: ${details.join(" ")}`;
}
