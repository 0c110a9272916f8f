// The variables that hold what no configuration file may, keys and tokens, and the error for one that cannot be read.
import { CompactError } from "../errors.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export const KEY_VARIABLE = "COMPACT_SUMMARIZER_API_KEY";
export const MCP_TOKEN_VARIABLE = "COMPACT_MCP_TOKEN";
/** The name that servers of this protocol have given it. */
export const CSTP_TOKENS_VARIABLE = "CSTP_AUTH_TOKENS";

/** The value is never quoted. */
export function invalidVariable(variable: string, fault: string, code: string, hint: string): CompactError {
  return new CompactError("InvalidConfig", `The environment variable ${variable} ${fault}.`, { code, hint });
}

// Keeps a warning of the AWS SDK, eight lines about the age of Node, off the standard error of a program that is all ours.
// For the command line alone: in somebody's process it is theirs to read.

const SDK_WARNING_VARIABLE = "AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED";

/** Before the SDK is loaded. What the user has set stays. */
export function silenceSdkWarning(environment: Record<string, string | undefined> = process.env): void {
  environment[SDK_WARNING_VARIABLE] ??= "true";
}
