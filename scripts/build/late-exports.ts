// A step of the build: what the root exports and answers with a promise is loaded at its first call. The sources say
// `export { compactDecisions } from "./decisions/compact-decisions.ts"`; the built root holds a function that imports that
// file and calls it. Types, names and results stay as they are; what answers at once is loaded at once.
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Plugin } from "rolldown";
import ts from "typescript";

/** @param root the file whose exports are made late. */
export function lateExports(root: string): Plugin {
  const path = resolve(root);
  return {
    name: "late-exports",
    transform: (code, id) => (id === path ? { code: withLateExports(code, path), map: null } : undefined),
  };
}

function withLateExports(code: string, path: string): string {
  return parse(path, code)
    .statements.map((statement) => {
      if (!ts.isExportDeclaration(statement) || statement.isTypeOnly) return statement.getText();
      return lateExport(statement, dirname(path));
    })
    .join("\n");
}

function lateExport(statement: ts.ExportDeclaration, folder: string): string {
  const { exportClause, moduleSpecifier } = statement;
  if (exportClause === undefined || moduleSpecifier === undefined || !ts.isNamedExports(exportClause))
    return statement.getText();
  const source = (moduleSpecifier as ts.StringLiteral).text;
  const functions = functionsIn(resolve(folder, source));
  const late = exportClause.elements.flatMap(({ name, propertyName = name, isTypeOnly }) => {
    if (isTypeOnly) return [];
    const declared = functions.get(propertyName.text);
    return [isLate(declared) ? lateFunction(declared, propertyName.text, name.text, source) : undefined];
  });
  // A file that is loaded at once for one of its exports is there for all of them.
  return late.includes(undefined) ? statement.getText() : late.join("\n");
}

function functionsIn(path: string): ReadonlyMap<string, ts.FunctionDeclaration> {
  const { statements } = parse(path, readFileSync(path, "utf8"));
  return new Map(
    statements.filter(ts.isFunctionDeclaration).map((declared) => [declared.name?.text ?? "", declared] as const),
  );
}

/** An async function says so; one that hands on another's promise says it by its type. */
function isLate(declared: ts.FunctionDeclaration | undefined): declared is ts.FunctionDeclaration {
  if (declared === undefined) return false;
  const { modifiers, type } = declared;
  return (
    modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) === true ||
    (type !== undefined && ts.isTypeReferenceNode(type) && type.typeName.getText() === "Promise")
  );
}

function lateFunction(
  { asteriskToken }: ts.FunctionDeclaration,
  name: string,
  exported: string,
  source: string,
): string {
  const loaded = `(await import(${JSON.stringify(source)})).${name}(...input)`;
  return asteriskToken === undefined
    ? `export async function ${exported}(...input) { return ${loaded}; }`
    : `export async function* ${exported}(...input) { yield* ${loaded}; }`;
}

function parse(path: string, code: string): ts.SourceFile {
  return ts.createSourceFile(path, code, ts.ScriptTarget.ES2023, true);
}
