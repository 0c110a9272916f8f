// Every key of a configuration file as a list: what the environment, `config show` and the generated pages go through.
import { type ConfigField, fieldsOf } from "./config-fields.ts";
import { configFileSchema } from "./file-schema.ts";

/** In the order of the schema; those inside `models` are the same once more and left out. */
export function listConfigFields(): readonly ConfigField[] {
  return fieldsOf(configFileSchema);
}

/** `policy.trigger_pct`: where a key may be meant that stands in the wrong block. */
export function fieldNames(): readonly string[] {
  return listConfigFields().map(({ name }) => name);
}
