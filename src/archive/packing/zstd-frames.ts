// Whether a zstd file ends where its last frame does (RFC 8878, section 3.1.1). Some runtimes unpack one that breaks off
// without a word.

const MAGIC = 0xfd2fb528;
const DICTIONARY_ID_BYTES = [0, 1, 2, 4];
const CONTENT_SIZE_BYTES = [0, 2, 4, 8];

/** Looks at the headers alone; false also for what is no zstd. */
export function endsWithWholeFrame(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  while (at < bytes.length) {
    const end = frameEnd(view, at);
    if (end === undefined || end > bytes.length) return false;
    at = end;
  }
  return bytes.length > 0;
}

function frameEnd(view: DataView, start: number): number | undefined {
  if (start + 5 > view.byteLength || view.getUint32(start, true) !== MAGIC) return undefined;
  const descriptor = view.getUint8(start + 4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeFlag = descriptor >> 6;
  const sizeBytes = sizeFlag === 0 && isSingleSegment ? 1 : (CONTENT_SIZE_BYTES[sizeFlag] ?? 0);
  let at = start + 5 + (isSingleSegment ? 0 : 1) + (DICTIONARY_ID_BYTES[descriptor & 3] ?? 0) + sizeBytes;
  for (let isLast = false; !isLast; ) {
    if (at + 3 > view.byteLength) return undefined;
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    isLast = (header & 1) === 1;
    // A run of one byte stands there as that byte, whatever its length.
    const isRun = ((header >> 1) & 3) === 1;
    at += 3 + (isRun ? 1 : header >> 3);
  }
  return at + ((descriptor & 4) === 0 ? 0 : 4);
}
