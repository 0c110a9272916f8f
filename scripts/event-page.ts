// docs/reference/events.md: every event and every field of it, read off the types by the compiler.
import ts from "typescript";

const SOURCE = "src/trace/compact-event.ts";

/** As the page has them: attempts first, then what happens in one, then the rest. */
const ORDER = [
  "RunEvent",
  "TokenEstimateEvent",
  "TriggerDecisionEvent",
  "LayerChoiceEvent",
  "ArchivalEvent",
  "SummaryCreatedEvent",
  "PrunedMessagesEvent",
  "ErrorEvent",
  "WarningEvent",
  "ExpiredEvent",
  "PartPlanEvent",
  "PartAppliedEvent",
  "PartRestoredEvent",
];

const HEAD = `# Events

Generated from the types by \`npm run generate\`: do not edit. What they are good for: [OBSERVABILITY.md](../../OBSERVABILITY.md).

An event is one flat JSON object. Its fields are these, in \`events.jsonl\`, at a callback, in the viewer's \`data\`; a field with \`?\` is absent where it has nothing to say, and never null.`;

interface Field {
  readonly name: string;
  readonly type: string;
  readonly meaning: string;
}

export function renderEventPage(): string {
  const program = ts.createProgram([SOURCE], { strict: true, target: ts.ScriptTarget.ES2022, noLib: false });
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(SOURCE);
  if (file === undefined) throw new Error(`${SOURCE} is gone`);
  const types = new Map(
    file.statements.filter(ts.isInterfaceDeclaration).map((node) => [node.name.text, checker.getTypeAtLocation(node)]),
  );
  checkComplete(file, checker);
  const base = fieldsOf(typeNamed(types, "EventBase"), checker);
  const common = new Set(base.map(({ name }) => name.replace("?", "")));
  const sections = ORDER.map((name) => renderEvent(typeNamed(types, name), checker, common));
  return `${[HEAD, "## In every event", tableOf(base), ...sections].join("\n\n")}\n`;
}

/** A new event must get its place on the page. */
function checkComplete(file: ts.SourceFile, checker: ts.TypeChecker): void {
  const union = file.statements.find((node) => ts.isTypeAliasDeclaration(node) && node.name.text === "CompactEvent");
  if (union === undefined) throw new Error("CompactEvent is gone");
  const type = checker.getTypeAtLocation(union);
  const names = type.isUnion() ? type.types.map(({ symbol }) => symbol.name) : [];
  const missing = names.filter((name) => !ORDER.includes(name));
  if (missing.length > 0) throw new Error(`Events without a place in scripts/event-page.ts: ${missing.join(", ")}`);
}

function typeNamed(types: ReadonlyMap<string, ts.Type>, name: string): ts.Type {
  const type = types.get(name);
  if (type === undefined) throw new Error(`There is no interface ${name} in ${SOURCE}`);
  return type;
}

function renderEvent(type: ts.Type, checker: ts.TypeChecker, common: ReadonlySet<string>): string {
  const fields = fieldsOf(type, checker);
  const names = fields.find(({ name }) => name === "event")?.type ?? "";
  const title = names.replaceAll('"', "`").replaceAll(" | ", ", ");
  const own = fields.filter(({ name }) => name !== "event" && !common.has(name.replace("?", "")));
  // A field that every event may have, and this one always does.
  const always = fields.filter(({ name }) => common.has(name) && !["session_id", "at"].includes(name));
  const promise = always.length === 0 ? "" : `Always with ${always.map(({ name }) => `\`${name}\``).join(", ")}.`;
  const meaning = [documentation(type.symbol, checker), promise].filter((text) => text !== "").join(" ");
  return [`## ${title}`, ...(meaning === "" ? [] : [meaning]), tableOf(own)].join("\n\n");
}

function fieldsOf(type: ts.Type, checker: ts.TypeChecker, prefix = ""): readonly Field[] {
  return checker.getPropertiesOfType(type).flatMap((property) => {
    const declaration = property.valueDeclaration ?? property.declarations?.[0];
    if (declaration === undefined) return [];
    const found = checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(property, declaration));
    const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
    const name = `${prefix}${property.name}`;
    const field = { name: isOptional ? `${name}?` : name, meaning: documentation(property, checker) };
    const inner = nestedIn(found, checker);
    if (inner === undefined) return [{ ...field, type: typeText(found, checker) }];
    const [within, mark] = inner;
    const nested = fieldsOf(within, checker, `${name}${mark}.`);
    return field.meaning === "" ? nested : [{ ...field, type: mark === "" ? "object" : "list" }, ...nested];
  });
}

/** An object written out field by field, or the objects of a list. */
function nestedIn(type: ts.Type, checker: ts.TypeChecker): readonly [ts.Type, "" | "[]"] | undefined {
  const element = checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference)[0] : undefined;
  const object = element ?? type;
  const isObject = (object.flags & ts.TypeFlags.Object) !== 0 && object.getStringIndexType() === undefined;
  if (!isObject || checker.isArrayType(object)) return undefined;
  return [object, element === undefined ? "" : "[]"];
}

function typeText(type: ts.Type, checker: ts.TypeChecker): string {
  const byName = type.getStringIndexType();
  if (byName !== undefined) return `${typeText(byName, checker)}s by name`;
  const text = checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias);
  return text.replace(/^readonly \(?(.*?)\)?\[\]$/, "list of $1").replace(/^false \| true$/, "boolean");
}

function documentation(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker)).replace(/\s+/g, " ").trim();
}

function tableOf(fields: readonly Field[]): string {
  const rows = fields.map(
    ({ name, type, meaning }) => `| \`${name}\` | ${cell(type)} | ${meaning.replaceAll("|", "\\|")} |`,
  );
  return ["| field | type | |", "|---|---|---|", ...rows].join("\n");
}

function cell(type: string): string {
  return type.includes('"') ? type.replaceAll('"', "`").replaceAll(" | ", ", ") : type.replaceAll("|", "\\|");
}
