// Identity of texts and lists by SHA-256, through Web Crypto so that it runs anywhere.

export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Fingerprint of a message list: two lists with the same JSON have the same one. */
export function fingerprint(messages: readonly unknown[]): Promise<string> {
  return sha256(messages.map((message) => JSON.stringify(message)).join("\n"));
}
