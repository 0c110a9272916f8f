// Pictures of a given size in pixels and in bytes, and what each provider's messages make of them.

/** Base64 of a PNG header for this many pixels, then noise that looks like any other payload. */
export function pngBase64(width: number, height: number, characters: number, seed = 1): string {
  const header = new Uint8Array(24);
  header.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  const sizes = new DataView(header.buffer);
  sizes.setUint32(16, width);
  sizes.setUint32(20, height);
  const noise = Array.from({ length: 997 }, (_, n) => ALPHABET[(n * 41 + n * n * seed) % 64]).join("");
  const body = noise.repeat(Math.ceil(characters / noise.length));
  return (btoa(String.fromCharCode(...header)) + body).slice(0, characters - (characters % 4));
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

export const chatImage = (base64: string) => ({
  type: "image_url",
  image_url: { url: `data:image/png;base64,${base64}` },
});
export const responsesImage = (base64: string) => ({
  type: "input_image",
  image_url: `data:image/png;base64,${base64}`,
  detail: "auto",
});
export const anthropicImage = (base64: string) => ({
  type: "image",
  source: { type: "base64", media_type: "image/png", data: base64 },
});

/** One provider's way to write a user's words with attachments, a tool step with attachments, an answer. */
export interface Dialect {
  readonly name: string;
  readonly image: (base64: string) => object;
  readonly text: (text: string) => object;
  readonly user: (parts: readonly object[]) => object;
  readonly step: (id: string, result: readonly object[]) => readonly object[];
  readonly answer: (text: string) => object;
}

export const DIALECTS: readonly Dialect[] = [
  {
    name: "openai-chat",
    image: chatImage,
    text: (text) => ({ type: "text", text }),
    user: (content) => ({ role: "user", content }),
    step: (id, content) => [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id, type: "function", function: { name: "screenshot", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: id, content },
    ],
    answer: (content) => ({ role: "assistant", content }),
  },
  {
    name: "openai-responses",
    image: responsesImage,
    text: (text) => ({ type: "input_text", text }),
    user: (content) => ({ type: "message", role: "user", content }),
    step: (call_id, output) => [
      { type: "function_call", call_id, name: "screenshot", arguments: "{}" },
      { type: "function_call_output", call_id, output },
    ],
    answer: (text) => ({ type: "message", role: "assistant", content: [{ type: "output_text", text }] }),
  },
  {
    name: "anthropic",
    image: anthropicImage,
    text: (text) => ({ type: "text", text }),
    user: (content) => ({ role: "user", content }),
    step: (id, content) => [
      { role: "assistant", content: [{ type: "tool_use", id, name: "screenshot", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
    ],
    answer: (text) => ({ role: "assistant", content: [{ type: "text", text }] }),
  },
];
