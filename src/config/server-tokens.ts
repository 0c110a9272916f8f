// The tokens of servers: whom those of a decision server stand for, and the one that clients of MCP over HTTP must send. From the
// environment alone, so that they stand in no file and in no list of processes.
import type { CompactError } from "../errors.ts";
import { CSTP_TOKENS_VARIABLE, type Environment, invalidVariable, MCP_TOKEN_VARIABLE } from "./variables.ts";

const AGENT = /^[\w.@/-]{1,100}$/;
const TOKEN = /^[\x21-\x7e]{1,4096}$/;

/**
 * Token to agent, read from `agent:token,agent:token`; undefined where none is asked for.
 * @throws CompactError `InvalidConfig` when an entry cannot be read: a server that was to be closed must not be open. Neither
 * tokens nor agents are quoted, since a misplaced colon makes one of the other.
 */
export function readCstpTokens(
  environment: Environment = globalThis.process?.env ?? {},
): ReadonlyMap<string, string> | undefined {
  const written = environment[CSTP_TOKENS_VARIABLE];
  if (written === undefined) return undefined;
  if (written.trim() === "") throw refuse("is empty");
  const agents = new Map<string, string>();
  written.split(",").forEach((entry, index) => {
    const place = `entry ${index + 1}`;
    if (entry.trim() === "") throw refuse(`has nothing in ${place}`);
    const colon = entry.indexOf(":");
    if (colon < 0) throw refuse(`has no colon in ${place}`);
    const [agent, token] = [entry.slice(0, colon).trim(), entry.slice(colon + 1).trim()];
    if (!AGENT.test(agent)) throw refuse(`has no name of an agent in ${place}`);
    if (!TOKEN.test(token)) throw refuse(`has no token that a header takes in ${place}`);
    if (agents.has(token)) throw refuse(`gives one token twice, the second time in ${place}`);
    if ([...agents.values()].includes(agent)) throw refuse(`names one agent twice, the second time in ${place}`);
    agents.set(token, agent);
  });
  return agents;
}

function refuse(fault: string): CompactError {
  const hint =
    "Write agent:token,agent:token: names of letters and digits, tokens as `openssl rand -hex 32` prints them. Or unset it.";
  return invalidVariable(CSTP_TOKENS_VARIABLE, fault, "INVALID_CSTP_TOKENS", hint);
}

// The token that clients of a server over HTTP must send. From the environment alone, so that it stands in no file and in
// no list of processes.

/**
 * Undefined where none is asked for.
 * @throws CompactError `InvalidConfig` when it could not be sent in a header: a server that was to be closed must not be
 * open. The token is never quoted.
 */
export function readMcpToken(environment: Environment = globalThis.process?.env ?? {}): string | undefined {
  const token = environment[MCP_TOKEN_VARIABLE]?.trim();
  if (token === undefined || /^[\x21-\x7e]{1,4096}$/.test(token)) return token;
  const fault = token === "" ? "is empty" : "holds a space or a character that no header takes, or is too long";
  const hint = "Set it to letters and digits, for example what `openssl rand -hex 32` prints, or unset it.";
  throw invalidVariable(MCP_TOKEN_VARIABLE, fault, "INVALID_MCP_TOKEN", hint);
}
