// Compares the requirement lists with the `verifies(...)` calls of the tests. Pure: texts in, findings out.
import ts from "typescript";
import type { Requirement } from "../test/requirements/requirement.ts";
import type { FileMap } from "./source-files.ts";

export interface Citation {
  readonly id: string;
  /** "path:line" of the call. */
  readonly place: string;
}

export interface GateReport {
  /** Breaches, each as "place what is wrong". */
  readonly violations: readonly string[];
  /** Ids that a test cites while the list still says planned. */
  readonly unmarked: readonly string[];
}

export interface CitationScan {
  readonly citations: readonly Citation[];
  /** Places where an argument is not a string literal, so that no list can be made of it. */
  readonly unreadable: readonly string[];
}

/** Reads the calls out of test sources (path to text). */
export function scanCitations(tests: FileMap): CitationScan {
  const citations: Citation[] = [];
  const unreadable: string[] = [];
  for (const [path, text] of tests) {
    if (!text.includes("verifies(")) continue;
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "verifies") {
        const place = `${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`;
        for (const argument of node.arguments) {
          if (ts.isStringLiteralLike(argument)) citations.push({ id: argument.text, place });
          else unreadable.push(place);
        }
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return { citations, unreadable };
}

/** Fails unknown ids, ids named twice in the lists, and proved ids without a test. */
export function judgeRequirements(requirements: readonly Requirement[], scan: CitationScan): GateReport {
  const byId = new Map(requirements.map((requirement) => [requirement.id, requirement]));
  const cited = new Set(scan.citations.map((citation) => citation.id));
  const ids = requirements.map((requirement) => requirement.id);
  return {
    violations: [
      ...scan.unreadable.map((place) => `${place} verifies() takes string literals only`),
      ...scan.citations
        .filter(({ id }) => !byId.has(id))
        .map(({ id, place }) => `${place} unknown requirement "${id}"`),
      ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `"${id}" stands twice in the lists`),
      ...requirements
        .filter(({ id, status }) => status === "proved" && !cited.has(id))
        .map(({ id }) => `"${id}" is marked proved, but no test cites it`),
    ],
    unmarked: requirements.filter(({ id, status }) => status === "planned" && cited.has(id)).map(({ id }) => id),
  };
}

/** The list's source text with the given ids marked proved; the same text when nothing changes. */
export function markProved(listSource: string, ids: readonly string[]): string {
  return ids.reduce((text, id) => {
    const start = text.indexOf(`id: ${JSON.stringify(id)},`);
    if (start < 0) return text;
    const end = text.indexOf("}", start);
    const entry = text.slice(start, end).replace('status: "planned"', 'status: "proved"');
    return text.slice(0, start) + entry + text.slice(end);
  }, listSource);
}
