// The tokens of a decision server and whom they stand for. From the environment alone, so that they stand in no file and in
// no list of processes.
import { CompactError } from "../../errors.ts";
import { CSTP_TOKENS_VARIABLE, type Environment } from "./variable-names.ts";

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
  return new CompactError("InvalidConfig", `The environment variable ${CSTP_TOKENS_VARIABLE} ${fault}.`, {
    code: "INVALID_CSTP_TOKENS",
    hint: "Write agent:token,agent:token: names of letters and digits, tokens as `openssl rand -hex 32` prints them. Or unset it.",
  });
}
