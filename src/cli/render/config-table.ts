// The configuration in effect, for a person: one line a field, its value, and where that comes from.
import type { EffectiveField, EffectiveSource } from "../../config/describe-config.ts";
import { yamlValue } from "../../config/pages/config-template.ts";
import type { Colors } from "../terminal.ts";
import { renderTable } from "./table.ts";

const WIDEST_VALUE = 60;

export function renderConfig(fields: readonly EffectiveField[], colors: Colors): string {
  const rows = fields.map(({ name, value, source, note }) =>
    value === undefined
      ? [name, note ?? "", describeSource(source)]
      : [name, yamlValue(value), describeSource(source, note)],
  );
  return renderTable([{ title: "key" }, { title: "value", width: WIDEST_VALUE }, { title: "from" }], rows, colors);
}

function describeSource(source: EffectiveSource, note?: string): string {
  switch (source.kind) {
    case "file":
      return `${source.file}:${source.line}`;
    case "model":
      return `${source.file}:${source.line} (models: ${source.entry})`;
    case "variable":
    case "flag":
      return source.name;
    default:
      return note === undefined ? "default" : `default (${note})`;
  }
}
