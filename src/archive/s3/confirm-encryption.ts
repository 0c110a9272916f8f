// Whether a store has encrypted what it was told to encrypt. Some answer 200 and keep the plain text: only an answer that
// names the algorithm, and no other key, counts.
import { CompactError } from "../../errors.ts";

/** What the answer to a write, or to HEAD, says. */
export interface EncryptionAnswer {
  readonly ServerSideEncryption?: string | undefined;
  readonly SSEKMSKeyId?: string | undefined;
}

export function encryptionHeaders(kmsKeyId: string | undefined) {
  return kmsKeyId === undefined ? {} : ({ ServerSideEncryption: "aws:kms", SSEKMSKeyId: kmsKeyId } as const);
}

/** True where nothing was asked for. */
export function isEncrypted(kmsKeyId: string | undefined, answer: EncryptionAnswer): boolean {
  if (kmsKeyId === undefined) return true;
  if (answer.ServerSideEncryption !== "aws:kms") return false;
  const [asked, used] = [keyName(kmsKeyId), keyName(answer.SSEKMSKeyId ?? "")];
  return asked === undefined || used === undefined || asked === used;
}

/** `arn:aws:kms:eu-west-1:1:key/2f` and `2f` are one key. An alias cannot be told from here; none is told either. */
function keyName(id: string): string | undefined {
  if (id === "" || /(?:^|:)alias\//.test(id)) return undefined;
  return id.slice(id.lastIndexOf("/") + 1);
}

export function encryptionNotConfirmed(what: string, url: string, isRemoved: boolean): CompactError {
  const after = isRemoved ? "It was deleted again." : "It could not be deleted again: delete it by hand.";
  return new CompactError(
    "ArchiveFailed",
    `could not save the ${what}: ${url}: the store did not confirm the encryption with the KMS key. ${after}`,
    {
      code: "ENCRYPTION_NOT_CONFIRMED",
      hint: "Use a store that has SSE-KMS, check storage.kms_key_id, or leave it out to do without.",
      data: { location: url, removed: isRemoved },
    },
  );
}
