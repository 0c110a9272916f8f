// The keys of a schema as a list. Knows nothing of where values come from.
import * as z from "zod/mini";
import { fieldPath, toSnakeCase } from "./schema-parts.ts";

export type FieldKind = "number" | "switch" | "text" | "list" | "literal";

export interface ConfigField {
  /** `["policy", "triggerPct"]` */
  readonly path: readonly string[];
  /** `policy.trigger_pct` */
  readonly name: string;
  /** `COMPACT_TRIGGER_PCT`; none for the version, which belongs to the file. */
  readonly variable: string | undefined;
  readonly kind: FieldKind;
  /** What the field takes, as in `must be ...`. */
  readonly expected: string;
  readonly meaning: string;
  readonly default: unknown;
  /** In place of a default that depends on something else. */
  readonly note: string | undefined;
  readonly example: unknown;
}

/** All keys that hold a value, in the order of the schema; those of records have no names and are left out. */
export function fieldsOf(schema: z.ZodMiniType, path: readonly string[] = []): readonly ConfigField[] {
  return Object.entries(shapeOf(schema) ?? {}).flatMap(([key, child]) => {
    const inner = unwrap(child);
    if (shapeOf(inner) !== undefined) return fieldsOf(inner, [...path, key]);
    return kindOf(inner) === undefined ? [] : [describeField(child, [...path, key])];
  });
}

function describeField(schema: z.ZodMiniType, path: readonly string[]): ConfigField {
  const inner = unwrap(schema);
  const notes: Readonly<Record<string, unknown>> = z.globalRegistry.get(schema) ?? {};
  return {
    path,
    name: fieldPath(path),
    variable: variableOf(path),
    kind: kindOf(inner) ?? "text",
    // Asked only of a field at fault.
    get expected() {
      return expectedBy(inner);
    },
    meaning: String(notes.description ?? ""),
    default: notes.default,
    note: notes.note as string | undefined,
    example: notes.example,
  };
}

/** Policy keys stand without their block, as the first variables did. */
function variableOf(path: readonly string[]): string | undefined {
  if (path[0] === "version") return undefined;
  const words = path[0] === "policy" ? path.slice(1) : path;
  return `COMPACT_${words.map(toSnakeCase).join("_").toUpperCase()}`;
}

/** The schema's own complaint says what it takes. */
function expectedBy(schema: z.ZodMiniType): string {
  const [issue] = schema.safeParse(Symbol("nothing takes this")).error?.issues ?? [];
  return (issue?.message ?? "").replace(/^must be /, "");
}

/** Without the `optional` around it. */
export function unwrap(schema: z.ZodMiniType): z.ZodMiniType {
  const { type, innerType } = definition(schema);
  return type === "optional" && innerType !== undefined ? unwrap(innerType) : schema;
}

/** The keys of a block; undefined for anything else. */
export function shapeOf(schema: z.ZodMiniType): Readonly<Record<string, z.ZodMiniType>> | undefined {
  const { type, shape } = definition(schema);
  return type === "object" ? shape : undefined;
}

/** What stands under each name of a record; undefined for anything else. */
export function valueOfRecord(schema: z.ZodMiniType): z.ZodMiniType | undefined {
  const { type, valueType } = definition(schema);
  return type === "record" ? valueType : undefined;
}

/** Undefined for what holds no single value. */
export function kindOf(schema: z.ZodMiniType): FieldKind | undefined {
  const { type, options } = definition(schema);
  const kinds: Readonly<Record<string, FieldKind>> = {
    number: "number",
    boolean: "switch",
    string: "text",
    enum: "text",
    array: "list",
    literal: "literal",
  };
  if (type === "union") return options?.some((option) => definition(option).type === "number") ? "number" : "text";
  return kinds[type];
}

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodMiniType;
  readonly valueType?: z.ZodMiniType;
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
  readonly options?: readonly z.ZodMiniType[];
}

function definition(schema: z.ZodMiniType): Definition {
  return schema.def as unknown as Definition;
}
