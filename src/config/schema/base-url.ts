// Which addresses a model may be called at, and events may be sent to. Conversations and keys travel there, so plain http is for this machine and
// private networks only, and an address holds no secrets.

const KEYS_ELSEWHERE = ": keys come from the environment (COMPACT_SUMMARIZER_API_KEY)";

/** What is wrong with it, as the end of a sentence; undefined when nothing is. `keysElsewhere` tells what to do with a key. */
export function findBaseUrlFault(address: string, keysElsewhere = KEYS_ELSEWHERE): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return "must be an http or https address";
  if (url.username !== "" || url.password !== "") return `must not hold a user name or a key${keysElsewhere}`;
  if (/[?#]/.test(address)) return "must end before ? and #: paths are added to it";
  if (url.protocol === "http:" && !isPrivateHost(url.hostname))
    return "must begin with https: plain http is for this machine and private networks only";
  return undefined;
}

/** Loopback, private address ranges, and names that only a local network knows. */
export function isPrivateHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  if (name.startsWith("[")) return /^\[(?:::1|f[cd][\da-f]{2}:.{0,40})\]$/.test(name);
  const parts = name.split(".");
  if (parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part))) return isPrivateAddress(parts.map(Number));
  return parts.length === 1 || /\.(?:localhost|local|internal|lan|home\.arpa)$/.test(name);
}

/** 0.0.0.0 is this machine; 100.64-127 is shared by private overlay networks. */
function isPrivateAddress([a = 256, b = 256]: readonly number[]): boolean {
  if (a === 0 || a === 10 || a === 127) return true;
  if (a === 172) return b >= 16 && b <= 31;
  return (a === 192 && b === 168) || (a === 100 && b >= 64 && b <= 127);
}

/** Where each type goes when nobody says otherwise, and the host that may see that provider's own key. */
export const PROVIDER_ADDRESSES = {
  "openai-compatible": "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com",
} as const;
