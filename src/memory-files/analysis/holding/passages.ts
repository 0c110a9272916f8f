// Takes a part of a file apart into passages, each with all that it stands under: what must be found again somewhere
// else before it may leave. The Markdown structure is read from the outline; whether two passages say the same is the
// business of similarity/.
import { mayTakeBack } from "../../../similarity/cues/cue-words.ts";
import type { TokenReader } from "../../../similarity/normal/fact-tokens.ts";
import { factKey, factTokens } from "../../../similarity/same-fact.ts";
import { type Block, type Container, type HeadingBlock, isHeading } from "../../../text/markdown/outline.ts";
import type { MemoryFile } from "../../memory-file.ts";
import { type BlockReader, createBlockReader } from "./block-lines.ts";
import { carriesNothing } from "./carries-nothing.ts";

/** A heading at the top level with those above it. */
export interface Heading {
  readonly key: string;
  readonly text: string;
  readonly level: number;
  readonly line: number;
  /** Nothing is lost without it. */
  readonly isBare: boolean;
  readonly parent: Heading | undefined;
}

export interface Passage {
  readonly under: Heading | undefined;
  /** Paragraph before it and items and quotes around it, the outermost first. */
  readonly context: readonly string[];
  /** The first of these paragraphs may be missing elsewhere without changing what this one says. */
  readonly standsAlone: () => boolean;
  /** Equal for passages that say the same. */
  readonly key: string;
}

/** Not to be judged as text: taken as they are, line by line. */
const LITERAL: ReadonlySet<Block["kind"]> = new Set(["code", "table", "html", "definition", "front_matter"] as const);
const TASK = /^\[[^\]\n]{1,3}\](?=\s|$)/;
const CODE_SPAN = /(`{1,3})(?!`)([^`]{1,300})\1(?!`)/g;
const BOLD_LINE = /^(?:\*\*|__)[^\n]{1,300}(?:\*\*|__):?$/;
const ENDS_OPEN = /[:：]\s*(?:\*\*|__)?$/;

export function isLiteral({ kind }: Block): boolean {
  return LITERAL.has(kind);
}

export function headingFrom(
  block: HeadingBlock,
  parent: Heading | undefined,
  tokens: TokenReader,
  date?: string,
): Heading {
  let above = parent;
  while (above !== undefined && above.level >= block.level) above = above.parent;
  let key: string | undefined;
  let isBare: boolean | undefined;
  return {
    // Worked out when asked for: in most notes nothing is compared.
    get key() {
      key ??= factKey(block.text, tokens);
      return key;
    },
    text: block.text,
    level: block.level,
    line: block.from,
    get isBare() {
      isBare ??= carriesNothing(block.text, block.level === 1 ? date : undefined);
      return isBare;
    },
    parent: above,
  };
}

/** Of these blocks of the file, which stand under `above`. Headings at the top level come as themselves. */
export function* readPassages(
  file: MemoryFile,
  blocks: readonly Block[],
  above: Heading | undefined,
  tokens: TokenReader,
): Generator<Passage | Heading> {
  const reader = createBlockReader(file);
  const read = (block: Block): Keyed => keyOf(block, reader, tokens);
  let under = above;
  let frame = new Frame(file.outline.containers, read);
  for (const block of blocks) {
    if (block.kind === "rule") continue;
    if (isHeading(block) && block.container === undefined) {
      under = headingFrom(block, under, tokens);
      frame = new Frame(file.outline.containers, read);
      yield under;
    } else {
      yield { under, ...frame.read(block) };
    }
  }
}

interface Lead {
  readonly key: string;
  readonly text: string;
}

interface Keyed {
  readonly key: string;
  /** Of a paragraph. */
  readonly lead?: Lead;
}

/** The top level, an item or a quote. */
interface Room {
  /** The paragraph before the outermost item or quote comes first. */
  readonly context: readonly string[];
  /** That paragraph. */
  readonly first: Lead | undefined;
  /** The first block of an item stands for it. */
  name: string | undefined;
  lead: Lead | undefined;
}

const QUOTED = ">";

/** What stands between two headings. */
class Frame {
  readonly top: Room = { context: [], first: undefined, name: undefined, lead: undefined };
  readonly rooms = new Map<number, Room>();
  readonly containers: readonly Container[];
  readonly keyOf: (block: Block) => Keyed;

  constructor(containers: readonly Container[], keyOf: (block: Block) => Keyed) {
    this.containers = containers;
    this.keyOf = keyOf;
  }

  read(block: Block): Omit<Passage, "under"> {
    const room = this.enter(block.container);
    const { key, lead } = this.keyOf(block);
    const opensItem = room !== this.top && room.name === undefined;
    const context = opensItem ? room.context : inside(room);
    const first = room === this.top ? room.lead : room.first;
    if (opensItem) room.name = key;
    else if (lead !== undefined) room.lead = lead;
    return { context, standsAlone: () => first === undefined || mayBeMissing(first), key };
  }

  enter(at: number | undefined): Room {
    const known = at === undefined ? this.top : this.rooms.get(at);
    if (known !== undefined || at === undefined) return known ?? this.top;
    const container = this.containers[at];
    const parent = this.enter(container?.parent);
    const room: Room = {
      context: inside(parent),
      first: parent === this.top ? parent.lead : parent.first,
      name: container?.kind === "quote" ? QUOTED : undefined,
      lead: undefined,
    };
    this.rooms.set(at, room);
    return room;
  }
}

function inside({ context, name, lead }: Room): readonly string[] {
  return [...context, ...(name === undefined ? [] : [name]), lead?.key ?? ""];
}

/** What follows it says the same without it. */
function mayBeMissing({ text }: Lead): boolean {
  return !ENDS_OPEN.test(text) && !BOLD_LINE.test(text) && !mayTakeBack(factTokens(text));
}

function keyOf(block: Block, reader: BlockReader, tokens: TokenReader): Keyed {
  const { lines, number } = reader.read(block);
  if (isLiteral(block)) return { key: `${block.kind}\n${literal(block, lines)}` };
  const text = lines.map((line) => line.trim()).join(" ");
  if (isHeading(block)) return { key: `heading\n${factKey(block.text, tokens)}` };
  const task = TASK.exec(text)?.[0] ?? "";
  const code = [...text.matchAll(CODE_SPAN)].map(([, , span = ""]) => span.trim()).join("\n");
  const said = factKey(number === undefined ? text : `${number} ${text}`, tokens);
  const key = `text\n${task.toLowerCase()}\n${said}\n${code}`;
  return { key, lead: { key, text } };
}

/** Without the indentation of its first line; a table without blanks at both ends of a line. */
function literal({ kind }: Block, lines: readonly string[]): string {
  if (kind === "table") return lines.map((line) => line.trim()).join("\n");
  const indent = lines[0]?.match(/^[ \t]*/)?.[0].length ?? 0;
  return lines.map((line) => (line.slice(0, indent).trim() === "" ? line.slice(indent) : line)).join("\n");
}
