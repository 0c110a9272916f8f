// What may not stand in any tracked file: places of one machine, package hosts, ids of outside lists.
import { posix } from "node:path";
import ts from "typescript";
import type { Violation } from "./layer-check.ts";
import type { FileMap } from "./source-files.ts";

// Put together from parts, so that this file does not hold what it forbids.
const machineRoot = new RegExp(`(?:^|[^\\w.])/${"work"}/`);
const neighbourFolder = ["..", "shared"].join("/");
const packageHost = /\bhttps?:\/\/[^\s/"'<>]*(?:registry|artifactory|verdaccio|nexus|npmmirror|pypi)[^\s/"'<>]*/i;
/** A capital letter and two digits, or a numbered requirement: ids that only make sense beside their list. */
const outsideId = /\b(?:[A-T](?:0\d|1[0-2])|N?FR-\d{3})\b/;

const testFunctions = new Set(["describe", "it", "test"]);

/** Checks every file of the repository (paths relative to its root). */
export function checkRepositoryText(files: FileMap): Violation[] {
  return [...files].flatMap(([path, text]) => [...checkPlaces(path, text), ...checkOutsideIds(path, text)]);
}

function checkPlaces(path: string, text: string): Violation[] {
  const violations: Violation[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const place = `${path}:${index + 1}`;
    if (machineRoot.test(line)) violations.push(`${place} names a folder of one machine`);
    if (line.includes(neighbourFolder) && path !== ".ci/run")
      violations.push(`${place} names a folder beside the checkout`);
    if (packageHost.test(line)) violations.push(`${place} names a package host`);
  }
  return violations;
}

function checkOutsideIds(path: string, text: string): Violation[] {
  return prosePieces(path, text).flatMap((piece) =>
    piece.text.split("\n").flatMap((line, index) => {
      const id = outsideId.exec(line)?.[0];
      return id === undefined ? [] : [`${path}:${piece.line + index} names "${id}": describe the kind in words`];
    }),
  );
}

interface Piece {
  readonly text: string;
  readonly line: number;
}

function prosePieces(path: string, text: string): Piece[] {
  if (/\.(?:ts|js|mjs)$/.test(path)) return [...comments(path, text), ...testNames(path, text)];
  return posix.extname(path) === ".md" ? [{ text, line: 1 }] : [];
}

function comments(path: string, text: string): Piece[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  const pieces = new Map<number, Piece>();
  const collect = (start: number): void => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(text, start) ?? []),
      ...(ts.getTrailingCommentRanges(text, start) ?? []),
    ];
    for (const range of ranges) {
      pieces.set(range.pos, { text: text.slice(range.pos, range.end), line: lineAt(file, range.pos) });
    }
  };
  const visit = (node: ts.Node): void => {
    // Every token, because a comment may stand before a closing bracket; template text holds no comments.
    if (!ts.isTemplateLiteralToken(node)) {
      collect(node.getFullStart());
      collect(node.getEnd());
    }
    for (const child of node.getChildren(file)) visit(child);
  };
  visit(file);
  return [...pieces.values()];
}

function testNames(path: string, text: string): Piece[] {
  if (!path.endsWith(".test.ts")) return [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  const pieces: Piece[] = [];
  const visit = (node: ts.Node): void => {
    const name = ts.isCallExpression(node) && testFunctions.has(calledName(node)) ? node.arguments[0] : undefined;
    if (name !== undefined) pieces.push({ text: name.getText(file), line: lineAt(file, name.getStart(file)) });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return pieces;
}

/** "it" for it(...), it.skipIf(...)(...) and it.each(...)(...). */
function calledName(call: ts.CallExpression): string {
  let expression: ts.Expression = call.expression;
  while (ts.isCallExpression(expression) || ts.isPropertyAccessExpression(expression))
    expression = expression.expression;
  return ts.isIdentifier(expression) ? expression.text : "";
}

function lineAt(file: ts.SourceFile, position: number): number {
  return file.getLineAndCharacterOfPosition(position).line + 1;
}
