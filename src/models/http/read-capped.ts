// Reads a body as text up to a cap. A model's answer is some kilobytes; a peer that sends megabytes is not obeyed.

export interface CappedText {
  readonly text: string;
  /** There was more; the rest was not read. */
  readonly isCut: boolean;
}

/** `maxBytes` counts after decompression. Rejects as the stream does when it breaks. */
export async function readCapped(response: Response, maxBytes: number): Promise<CappedText> {
  if (response.body === null) return { text: "", isCut: false };
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text: pieces.join("") + decoder.decode(), isCut: false };
    size += value.byteLength;
    if (size > maxBytes) {
      // What cancelling says does not matter: the connection is given up either way.
      await reader.cancel().catch(() => {});
      return { text: pieces.join(""), isCut: true };
    }
    pieces.push(decoder.decode(value, { stream: true }));
  }
}
