// The token that clients of a server over HTTP must send. From the environment alone, so that it stands in no file and in
// no list of processes.
import { CompactError } from "../../errors.ts";
import { type Environment, MCP_TOKEN_VARIABLE } from "./variable-names.ts";

/**
 * Undefined where none is asked for.
 * @throws CompactError `InvalidConfig` when it could not be sent in a header: a server that was to be closed must not be
 * open. The token is never quoted.
 */
export function readMcpToken(environment: Environment = globalThis.process?.env ?? {}): string | undefined {
  const token = environment[MCP_TOKEN_VARIABLE]?.trim();
  if (token === undefined || /^[\x21-\x7e]{1,4096}$/.test(token)) return token;
  const fault = token === "" ? "is empty" : "holds a space or a character that no header takes, or is too long";
  throw new CompactError("InvalidConfig", `The environment variable ${MCP_TOKEN_VARIABLE} ${fault}.`, {
    code: "INVALID_MCP_TOKEN",
    hint: "Set it to letters and digits, for example what `openssl rand -hex 32` prints, or unset it.",
  });
}
