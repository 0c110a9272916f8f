// Which headings of a file other places of the same file lead to by their anchors. In another file the link would lead
// nowhere.
import { isHeading } from "../../../text/markdown/outline.ts";
import type { MemoryFile } from "../../memory-file.ts";
import { beginsIn } from "./begins-in.ts";

/** `](#anchor)`, `]: #anchor`, `href="#anchor"`, `[[#Heading]]`, also behind the name of the file. */
const ANCHOR = /#([\p{L}\p{N}%_-][\p{L}\p{N}%_.~-]{0,300})/gu;
const WIKI = /\[\[[^\][#|]{0,200}#([^\][|]{1,300})/gu;
const NAMED = /(?:\b(?:id|name)[ \t]{0,3}=[ \t]{0,3}["']?|\{#)([\p{L}\p{N}_.-]{1,300})/giu;
/** Of a heading whose text stands above already. */
const COUNTED = /-\d{1,4}$/;

/** Tells it of the lines `from` to `to`, end exclusive. */
export function createLinkTest(file: MemoryFile): (from: number, to: number) => boolean {
  const links = new Map<string, { first: number; last: number }>();
  for (const [line, { text }] of file.lines.entries()) {
    if (!text.includes("#")) continue;
    const found = [...text.matchAll(ANCHOR), ...text.matchAll(WIKI)].map(([, anchor = ""]) => anchorOf(decode(anchor)));
    for (const anchor of found.flatMap((each) => [each, each.replace(COUNTED, "")])) {
      const known = links.get(anchor);
      if (known === undefined) links.set(anchor, { first: line, last: line });
      else known.last = line;
    }
  }
  return (from, to) => {
    if (links.size === 0) return false;
    const headings = beginsIn(file.outline.blocks, from, to).filter(isHeading);
    const named = file.lines
      .slice(from, to)
      .flatMap(({ text }) => [...text.matchAll(NAMED)].map(([, name = ""]) => name));
    return [...headings.map(({ text }) => text), ...named].some((text) => {
      const link = links.get(anchorOf(text));
      return link !== undefined && (link.first < from || link.last >= to);
    });
  };
}

/** As it is made of a heading: letters, digits, `-` and `_` stay, blanks become `-`. */
function anchorOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
    .replaceAll(" ", "-");
}

function decode(anchor: string): string {
  try {
    return decodeURIComponent(anchor);
  } catch {
    return anchor;
  }
}
