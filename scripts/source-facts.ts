// Reads one TypeScript source text into the facts that the rule checks need. Knows no rule itself.
import ts from "typescript";

export interface ImportFact {
  readonly specifier: string;
  /** "type" is erased at build time, "dynamic" is loaded when the code runs. */
  readonly kind: "static" | "type" | "dynamic";
  readonly line: number;
}

export interface SourceFacts {
  readonly imports: readonly ImportFact[];
  readonly defaultExportLines: readonly number[];
  readonly consoleLines: readonly number[];
  readonly environmentLines: readonly number[];
  /** Statements that do something when the module is loaded. */
  readonly topLevelActionLines: readonly number[];
}

type MutableFacts = { -readonly [Key in keyof SourceFacts]: SourceFacts[Key][number][] };

export function readSourceFacts(path: string, text: string): SourceFacts {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
  const facts: MutableFacts = {
    imports: [],
    defaultExportLines: [],
    consoleLines: [],
    environmentLines: [],
    topLevelActionLines: [],
  };
  const lineOf = (node: ts.Node): number => file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
  for (const statement of file.statements) {
    if (isTopLevelAction(statement)) facts.topLevelActionLines.push(lineOf(statement));
    if (exportsDefault(statement)) facts.defaultExportLines.push(lineOf(statement));
  }
  const visit = (node: ts.Node): void => {
    const imported = importOf(node);
    if (imported !== undefined) facts.imports.push({ ...imported, line: lineOf(node) });
    if (readsMemberOf(node, "console")) facts.consoleLines.push(lineOf(node));
    if (readsMemberOf(node, "process", "env")) facts.environmentLines.push(lineOf(node));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return facts;
}

function importOf(node: ts.Node): Omit<ImportFact, "line"> | undefined {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    const erased = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    return { specifier: node.moduleSpecifier.text, kind: erased ? "type" : "static" };
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined && ts.isStringLiteral(node.moduleSpecifier)) {
    return { specifier: node.moduleSpecifier.text, kind: node.isTypeOnly ? "type" : "static" };
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
    return { specifier: node.argument.literal.text, kind: "type" };
  }
  const argument = ts.isCallExpression(node) ? node.arguments[0] : undefined;
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword && argument !== undefined) {
    return ts.isStringLiteralLike(argument) ? { specifier: argument.text, kind: "dynamic" } : undefined;
  }
  return undefined;
}

function exportsDefault(statement: ts.Statement): boolean {
  if (ts.isExportAssignment(statement)) return true;
  if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause)) {
    return statement.exportClause.elements.some((element) => element.name.text === "default");
  }
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.DefaultKeyword) ?? false;
}

function isTopLevelAction(statement: ts.Statement): boolean {
  return (
    ts.isExpressionStatement(statement) ||
    ts.isIfStatement(statement) ||
    ts.isIterationStatement(statement, false) ||
    ts.isTryStatement(statement) ||
    ts.isBlock(statement)
  );
}

/** `name.anything`, or `name.member` when a member is given, also written with brackets. */
function readsMemberOf(node: ts.Node, name: string, member?: string): boolean {
  if (ts.isPropertyAccessExpression(node)) {
    return isIdentifier(node.expression, name) && (member === undefined || node.name.text === member);
  }
  if (!ts.isElementAccessExpression(node) || !isIdentifier(node.expression, name)) return false;
  return (
    member === undefined || (ts.isStringLiteral(node.argumentExpression) && node.argumentExpression.text === member)
  );
}

function isIdentifier(node: ts.Node, name: string): boolean {
  return ts.isIdentifier(node) && node.text === name;
}
