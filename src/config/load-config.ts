// Reads a configuration file (YAML or JSON) and lays the environment over it, field by field. Node only.
import { parseDocument } from "yaml";
import { CompactError } from "../errors.ts";
import { type ConfigFile, configFileSchema } from "./conversation-schema.ts";
import { type Environment, readEnvironment } from "./environment.ts";
import { explainConfigError } from "./explain-config-error.ts";
import { keysToCamelCase } from "./key-case.ts";

export interface LoadOptions {
  /** Path of the file; without one only the environment counts. */
  readonly file?: string;
  readonly env?: Environment;
}

/** Throws `InvalidConfig` with the path of each field at fault, `NotFound` when the file is missing. */
export async function loadConfig({ file, env }: LoadOptions = {}): Promise<ConfigFile> {
  const content = file === undefined ? {} : parseFile(await readFileText(file), file);
  const { fields, policy, variables } = readEnvironment(env);
  const inFile = content as { readonly policy?: Readonly<Record<string, unknown>> };
  const merged = {
    ...content,
    ...fields,
    ...(inFile.policy || Object.keys(policy).length > 0 ? { policy: { ...inFile.policy, ...policy } } : {}),
  };
  const parsed = configFileSchema.safeParse(merged);
  if (!parsed.success) throw explainConfigError(parsed.error, { source: file, variables });
  return parsed.data;
}

async function readFileText(file: string): Promise<string> {
  const { readFile } = await import("node:fs/promises");
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw new CompactError("NotFound", `The configuration file ${file} cannot be read.`, {
      hint: "Check the path given to --config.",
      cause,
    });
  }
}

function parseFile(text: string, file: string): object {
  const document = parseDocument(text, { prettyErrors: true });
  const [fault] = document.errors;
  if (fault !== undefined) {
    throw new CompactError("InvalidConfig", `${file} is not valid YAML: ${fault.message.split("\n")[0]}`, {
      hint: "Correct the file.",
    });
  }
  const value: unknown = document.toJS({ maxAliasCount: 100 }) ?? {};
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return keysToCamelCase(value) as object;
  throw new CompactError("InvalidConfig", `${file} must hold keys and values.`, {
    hint: 'Start it with: version: "1.0"',
  });
}
