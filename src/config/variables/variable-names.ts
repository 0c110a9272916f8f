// The variables that hold what no configuration file may: keys and tokens.

export type Environment = Readonly<Record<string, string | undefined>>;

export const KEY_VARIABLE = "COMPACT_SUMMARIZER_API_KEY";
export const MCP_TOKEN_VARIABLE = "COMPACT_MCP_TOKEN";
/** The name that servers of this protocol have given it. */
export const CSTP_TOKENS_VARIABLE = "CSTP_AUTH_TOKENS";
