// Finds out whether all that a section of a note says stands in one place of the memory: every passage under the same
// headings, items and paragraphs, code and tables line for line.

import type { TokenReader } from "../../../similarity/normal/fact-tokens.ts";
import type { Block } from "../../../text/markdown/outline.ts";
import type { MemoryFile } from "../../memory-file.ts";
import { narrows } from "./carries-nothing.ts";
import { type Heading, type Passage, readPassages } from "./passages.ts";

export interface HeldPlace {
  readonly file: string;
  /** Line of its heading; 0 for what stands before the first one. */
  readonly line: number;
}

export interface HeldPassages {
  /** Undefined: something would be lost, or might be. */
  find(file: MemoryFile, blocks: readonly Block[], heading: Heading): HeldPlace | undefined;
}

/** A place of the memory: a heading, or the beginning of a file. */
interface Node extends HeldPlace {
  readonly id: number;
  readonly heading: Heading | undefined;
}

/** Of one heading or passage in several places, so many are looked at. */
const MOST_PLACES = 50;
const UNKNOWN = "";

export function holdPassages(memory: readonly MemoryFile[], tokens: TokenReader): HeldPassages {
  const index = new PassageIndex();
  for (const file of memory) index.add(file, tokens);
  return { find: (file, blocks, heading) => index.find(heading, readPassages(file, blocks, heading, tokens)) };
}

class PassageIndex {
  /** Numbers of texts, so that facts are short. */
  readonly known = new Map<string, number>();
  /** `place path context passage`. */
  readonly facts = new Set<string>();
  readonly byHeading = new Map<string, Node[]>();
  /** Where a passage stands directly below. */
  readonly byPassage = new Map<string, Node[]>();
  count = 0;

  add(file: MemoryFile, tokens: TokenReader): void {
    const nodes = new Map<Heading | undefined, Node>();
    const nodeOf = (heading: Heading | undefined): Node => {
      const known = nodes.get(heading);
      if (known !== undefined) return known;
      const node: Node = { id: this.count, heading, file: file.file, line: heading?.line ?? 0 };
      this.count += 1;
      nodes.set(heading, node);
      return node;
    };
    for (const read of readPassages(file, file.outline.blocks, undefined, tokens)) {
      if (isPassage(read)) this.addPassage(read, nodeOf);
      else {
        push(this.byHeading, read.key, nodeOf(read));
        this.addFact(read.parent, this.fact([], headingKey(read), true), nodeOf);
      }
    }
  }

  addPassage(passage: Passage, nodeOf: (heading: Heading | undefined) => Node): void {
    this.addFact(passage.under, this.fact(passage.context, passage.key, true), nodeOf);
    if (!passage.standsAlone()) return;
    this.addFact(passage.under, this.fact(["", ...passage.context.slice(1)], passage.key, true), nodeOf);
  }

  /** Below its own heading, and by the way there below each of those above it. */
  addFact(under: Heading | undefined, fact: string, nodeOf: (heading: Heading | undefined) => Node): void {
    let path = "";
    for (let heading = under; ; heading = heading.parent) {
      const node = nodeOf(heading);
      this.facts.add(`${node.id} ${path} ${fact}`);
      if (path === "") push(this.byPassage, fact, node);
      if (heading === undefined) return;
      if (!heading.isBare) path = `${this.numberOf(heading.key, true)}/${path}`;
    }
  }

  find(own: Heading, below: Iterable<Passage | Heading>): HeldPlace | undefined {
    const facts: string[] = [];
    for (const read of below) {
      const fact = this.factBelow(own, read);
      // The first one that is new ends it: most sections are not read any further.
      if (fact === UNKNOWN) return undefined;
      if (fact !== undefined) facts.push(fact);
    }
    const wanted = saying(own);
    const first = facts[0]?.startsWith(" ") === true ? facts[0].slice(1) : UNKNOWN;
    const nodes = wanted[0] === undefined ? this.byPassage.get(first) : this.byHeading.get(wanted[0].key);
    return nodes?.find(
      (node) => isAllowed(node.heading, wanted) && facts.every((fact) => this.facts.has(`${node.id} ${fact}`)),
    );
  }

  /** `path fact` below `own`. Undefined for a heading without which nothing is lost. */
  factBelow(own: Heading, read: Passage | Heading): string | undefined {
    if (!isPassage(read) && read.isBare) return undefined;
    let path = "";
    for (let at = isPassage(read) ? read.under : read.parent; at !== own && at !== undefined; at = at.parent) {
      if (at.isBare) continue;
      const number = this.numberOf(at.key, false);
      if (number === undefined) return UNKNOWN;
      path = `${number}/${path}`;
    }
    const fact = isPassage(read) ? this.fact(read.context, read.key) : this.fact([], headingKey(read));
    return fact === UNKNOWN ? UNKNOWN : `${path} ${fact}`;
  }

  /** `UNKNOWN`: a text that the memory does not hold at all. */
  fact(context: readonly string[], key: string, isNew = false): string {
    const numbers = [...context, key].map((text) => this.numberOf(text, isNew));
    return numbers.includes(undefined) ? UNKNOWN : numbers.join(".");
  }

  numberOf(text: string, isNew: boolean): number | undefined {
    const known = this.known.get(text);
    if (known !== undefined || !isNew) return known;
    this.known.set(text, this.known.size);
    return this.known.size - 1;
  }
}

/** Itself and those above it, the innermost first, without those that say nothing. */
function saying(heading: Heading | undefined): readonly Heading[] {
  const found: Heading[] = [];
  for (let at = heading; at !== undefined; at = at.parent) if (!at.isBare) found.push(at);
  return found;
}

/** Stands below the wanted headings, and below no others that would change what it says. */
function isAllowed(heading: Heading | undefined, wanted: readonly Heading[]): boolean {
  const chain = saying(heading);
  if (wanted.some(({ key }, at) => chain[at]?.key !== key)) return false;
  return !chain.slice(wanted.length).some(({ text }) => narrows(text));
}

function isPassage(read: Passage | Heading): read is Passage {
  return "context" in read;
}

function headingKey({ key }: Heading): string {
  return `# ${key}`;
}

function push(places: Map<string, Node[]>, key: string, node: Node): void {
  const known = places.get(key);
  if (known === undefined) places.set(key, [node]);
  else if (known.length < MOST_PLACES) known.push(node);
}
