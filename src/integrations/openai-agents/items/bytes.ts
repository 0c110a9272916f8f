// Bytes that a tool gave back as base64, without a Node built-in.

const CHUNK = 8_192;

export function toBase64(bytes: Uint8Array): string {
  const chunks: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) chunks.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  return btoa(chunks.join(""));
}
