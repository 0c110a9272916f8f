// Suggests the topic under which a later save would replace this one: a family by type, and a slug of the title.
import { cutAt } from "../../text/cut.ts";

const FAMILIES: Readonly<Record<string, string>> = { bugfix: "bug", fix: "bug", manual: "topic", passive: "learning" };
const LONGEST_SLUG = 60;
/** Enough words for a slug; a title may be a whole page. */
const LONGEST_READ = 1000;

export interface TopicSource {
  readonly type?: string | undefined;
  readonly title?: string | undefined;
  /** Read where the title has no letters or numbers. */
  readonly content?: string | undefined;
}

/** `family/slug`, in lower case, without white space. */
export function suggestTopicKey({ type = "manual", title = "", content = "" }: TopicSource): string {
  const kind = slug(type) || "manual";
  return `${FAMILIES[kind] ?? kind}/${slug(title) || slug(content) || "untitled"}`;
}

/** Whole words of any script joined by hyphens, as many as fit. */
function slug(text: string): string {
  const plain = cutAt(text, LONGEST_READ).normalize("NFKD").replace(/\p{M}/gu, "").normalize("NFC").toLowerCase();
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? [];
  let joined = cutAt(words[0] ?? "", LONGEST_SLUG);
  for (const word of words.slice(1)) {
    if (joined.length + 1 + word.length > LONGEST_SLUG) break;
    joined += `-${word}`;
  }
  return joined;
}
