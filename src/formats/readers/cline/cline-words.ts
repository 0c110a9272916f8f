// Tells a person's words from the host's in what Cline and Roo Code put into the user's place: surroundings, what
// tools gave back as text, and remarks of the host. Where both stand in one text, it is split or counts as a person's.
import type { JsonObject } from "../../json-shape.ts";
import { asText } from "../../json-shape.ts";
import { markHostWritten } from "../../protected.ts";
import { textBlocks } from "../parts/anthropic-blocks.ts";

const SURROUNDINGS = "<environment_details>";
const SURROUNDINGS_END = "</environment_details>";
/** Around what a person typed: the last that stands in a text. A tool's output may hold the same anywhere before. */
const PERSONS_END = /<\/(task|feedback|answer|user_message)>\s{0,20}$/;
/** A tool called in text answers in text: what was called, then what it gave. */
const RESULT = /^\[[a-z][^\n]{0,2000}\] Result:/;
const REMARK = /^\[(?:ERROR|TASK RESUMPTION|[Ss]liding window truncation)\b/;
const MODEL = /<model>([^<\n]{1,200})<\/model>/;

/** True for a text that only these hosts write: at the end of every turn they tell the surroundings. */
export function hasClineWords(text: unknown): boolean {
  const words = asText(text);
  return words.startsWith(SURROUNDINGS) || words.trimEnd().endsWith(SURROUNDINGS_END);
}

/** Marks the blocks of one user message. */
export function markHostWords(blocks: readonly JsonObject[]): readonly JsonObject[] {
  let isResult = false;
  return blocks.flatMap(splitSurroundings).map((block) => {
    if (block.type !== "text") return block;
    const text = asText(block.text);
    const head = RESULT.exec(text.slice(0, 3000))?.[0];
    const isHosts = text.startsWith(SURROUNDINGS) || isResult || head !== undefined || REMARK.test(text);
    const isPersons = !isHosts || endsAsPersons(text);
    // The result may stand in the blocks after its heading.
    isResult = head === undefined ? isResult && !isPersons : text.trim() === head;
    return isPersons ? block : markHostWritten(block);
  });
}

function endsAsPersons(text: string): boolean {
  const tag = PERSONS_END.exec(text.slice(-60))?.[1];
  return tag !== undefined && text.includes(`<${tag}>`);
}

/** The model that the surroundings name. */
export function modelIn(blocks: readonly JsonObject[]): string | undefined {
  const text = asText(blocks.findLast(({ text }) => asText(text).startsWith(SURROUNDINGS))?.text);
  return MODEL.exec(text)?.[1];
}

function splitSurroundings(block: JsonObject): readonly JsonObject[] {
  const text = block.type === "text" ? asText(block.text) : "";
  const start = text.trimEnd().endsWith(SURROUNDINGS_END) ? text.lastIndexOf(SURROUNDINGS) : -1;
  if (start <= 0) return [block];
  return [...textBlocks(text.slice(0, start).trimEnd()), { type: "text", text: text.slice(start) }];
}
