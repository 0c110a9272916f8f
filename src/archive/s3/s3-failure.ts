// Says in words what went wrong at an object store, on which bucket and key, and what to do about it. An error of the SDK
// itself never leaves: it carries headers, and its message may quote key ids and what was signed.
import { CompactError } from "../../errors.ts";

const RIGHTS =
  "s3:PutObject, s3:PutObjectTagging, s3:GetObject, s3:ListBucket, s3:DeleteObject (with versions also s3:DeleteObjectVersion) and s3:AbortMultipartUpload; with KMS also kms:GenerateDataKey and kms:Decrypt on the key";

interface Fault {
  readonly code: string;
  readonly says: string;
  readonly hint: string;
}

const DENIED: Fault = {
  code: "ACCESS_DENIED",
  says: "access was denied",
  hint: `Allow the role ${RIGHTS}. A mistyped bucket of somebody else's and a revoked session token look the same.`,
};
const NO_BUCKET: Fault = {
  code: "BUCKET_NOT_FOUND",
  says: "there is no such bucket",
  hint: "Check storage.bucket, storage.region and storage.endpoint; the bucket is never created here.",
};
const EXPIRED: Fault = {
  code: "CREDENTIALS_EXPIRED",
  says: "the session token has expired or is not valid",
  hint: "Renew the temporary credentials (sign in again, or let the role's provider renew them), then try once more.",
};
const REFUSED: Fault = {
  code: "CREDENTIALS_REFUSED",
  says: "the store does not accept these credentials",
  hint: "Check which credentials the AWS chain finds: AWS_* variables, AWS_PROFILE, the container's or instance's role.",
};
const ABSENT: Fault = {
  code: "NO_CREDENTIALS",
  says: "no credentials were found",
  hint: "Give the process a role, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE; none stand in the configuration.",
};
const SKEWED: Fault = {
  code: "CLOCK_SKEW",
  says: "the clock of this machine and the store's differ too much",
  hint: "Set this machine's clock (NTP): signed requests are valid for 15 minutes.",
};
const KMS: Fault = {
  code: "KMS_REFUSED",
  says: "the encryption key cannot be used",
  hint: "Check storage.kms_key_id: the key exists in the bucket's region, is enabled, and the role has kms:GenerateDataKey and kms:Decrypt on it.",
};
const ELSEWHERE: Fault = {
  code: "WRONG_REGION",
  says: "the bucket is in another region",
  hint: "Set storage.region (or AWS_REGION) to the bucket's region.",
};
const NO_REGION: Fault = {
  code: "NO_REGION",
  says: "no region is known",
  hint: "Set storage.region or AWS_REGION to the bucket's region.",
};
const BUSY: Fault = {
  code: "STORE_UNAVAILABLE",
  says: "the store was not able to answer, also after retries",
  hint: "Try again later; nothing is half written.",
};
const UNKNOWN: Fault = {
  code: "NOT_IMPLEMENTED",
  says: "the store does not know a part of the request",
  hint: "Some stores have no tags, no KMS or no conditional writes: the archive needs a store that has them.",
};
const UNREACHABLE: Fault = {
  code: "STORE_UNREACHABLE",
  says: "the store cannot be reached",
  hint: "Check storage.endpoint (or AWS_ENDPOINT_URL_S3), the region, and the network from here.",
};
const SILENT: Fault = {
  code: "TIMED_OUT",
  says: "no answer in time, also after retries",
  hint: "The store hangs or the line is slow: try again, or raise storage.timeout_ms.",
};
/** An answer to HEAD has no body that could say more. */
const BARE: Fault = {
  code: "ARCHIVE_FAILED",
  says: "the store refused",
  hint: "Mostly an expired session token or a bucket in another region: renew the credentials, check storage.region.",
};
const OTHER: Fault = {
  code: "ARCHIVE_FAILED",
  says: "the store refused",
  hint: "Look the code up in the store's documentation; the request id finds it in its log.",
};

const BY_NAME: Readonly<Record<string, Fault>> = {
  AccessDenied: DENIED,
  AllAccessDisabled: DENIED,
  Forbidden: DENIED,
  NoSuchBucket: NO_BUCKET,
  ExpiredToken: EXPIRED,
  ExpiredTokenException: EXPIRED,
  TokenRefreshRequired: EXPIRED,
  InvalidToken: EXPIRED,
  InvalidAccessKeyId: REFUSED,
  SignatureDoesNotMatch: REFUSED,
  InvalidClientTokenId: REFUSED,
  CredentialsProviderError: ABSENT,
  RequestTimeTooSkewed: SKEWED,
  RequestExpired: SKEWED,
  PermanentRedirect: ELSEWHERE,
  AuthorizationHeaderMalformed: ELSEWHERE,
  IllegalLocationConstraintException: ELSEWHERE,
  SlowDown: BUSY,
  ServiceUnavailable: BUSY,
  InternalError: BUSY,
  NotImplemented: UNKNOWN,
  TimeoutError: SILENT,
};

const BY_STATUS: Readonly<Record<number, Fault>> = {
  301: ELSEWHERE,
  400: OTHER,
  401: DENIED,
  403: DENIED,
  501: UNKNOWN,
};

const UNREACHABLE_CODES =
  /^(?:ECONN|ENOTFOUND|EAI_|EHOST|ENET|EPIPE|ETIMEDOUT|CERT_|ERR_TLS|DEPTH_|SELF_SIGNED|UNABLE_TO)/;

/** `what` reads after "could not": "save the transcript". An error of ours passes through unchanged. */
export function s3Failure(what: string, url: string, error: unknown): CompactError {
  if (CompactError.isInstance(error)) return error;
  if (error instanceof TimeLimitPassed) return timedOut(what, url, error.milliseconds);
  const { name: given, status, requestId } = describeError(error);
  const fault = faultOf(error);
  // The code of a wrong access key would send whoever reads it to the wrong key.
  const name = fault === KMS && BY_NAME[given ?? ""] === REFUSED ? undefined : given;
  const reason = [name, status].filter((part) => part !== undefined).join(", ");
  const shown = reason === "" ? "" : ` (${reason})`;
  return new CompactError("ArchiveFailed", `could not ${what}: ${url}: ${fault.says}${shown}`, {
    code: fault.code,
    hint: fault.hint,
    data: {
      location: url,
      ...(name === undefined ? {} : { reason: name }),
      ...(status === undefined ? {} : { status }),
      ...(requestId === undefined ? {} : { request_id: requestId }),
    },
  });
}

/** The HTTP status; undefined where no answer came. */
export function statusOf(error: unknown): number | undefined {
  return describeError(error).status;
}

/** `NoSuchKey`, `PreconditionFailed`; a network error's code. */
export function nameOf(error: unknown): string | undefined {
  return describeError(error).name;
}

function faultOf(error: unknown): Fault {
  const { name = "", status = 0, message } = describeError(error);
  // Some stores answer with the code of a wrong access key when it is the encryption key that they do not know.
  if (/^KMS|^Kms/.test(name) || /\bkms[-:]?(?:key|generate|decrypt)/i.test(message)) return KMS;
  if (message === "Region is missing") return NO_REGION;
  if (name === "CredentialsProviderError" && /expired/i.test(message)) return EXPIRED;
  if (status === 400 && (name === "" || name === "BadRequest")) return BARE;
  const known = BY_NAME[name];
  if (known !== undefined) return known;
  if (UNREACHABLE_CODES.test(name)) return UNREACHABLE;
  return BY_STATUS[status] ?? (status >= 500 || status === 429 ? BUSY : OTHER);
}

interface Described {
  readonly name: string | undefined;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** For recognising only: it may quote what must not be told. */
  readonly message: string;
}

function describeError(error: unknown): Described {
  const { name, Code, code, message, $metadata } = (typeof error === "object" && error !== null ? error : {}) as {
    readonly [Key in "name" | "Code" | "code" | "message"]?: unknown;
  } & { readonly $metadata?: { readonly httpStatusCode?: number; readonly requestId?: string } };
  const names = [Code, code, name === "Error" ? undefined : name];
  const known = names.find((word): word is string => typeof word === "string" && /^[A-Z][\w.-]{0,79}$/i.test(word));
  const requestId = $metadata?.requestId;
  return {
    name: known === "UnknownError" || known === "Unknown" ? undefined : known,
    status: $metadata?.httpStatusCode,
    requestId: typeof requestId === "string" && /^[\w.:-]{1,120}$/.test(requestId) ? requestId : undefined,
    message: typeof message === "string" ? message.slice(0, 2000) : "",
  };
}

function timedOut(what: string, url: string, milliseconds: number): CompactError {
  const seconds = (milliseconds / 1000).toLocaleString("en-US");
  return new CompactError("ArchiveFailed", `could not ${what}: ${url}: no answer within ${seconds} s`, {
    code: "TIMED_OUT",
    hint: SILENT.hint,
    data: { location: url, timeout_ms: milliseconds },
  });
}

/** Of how long something may take as a whole, retries included. */
export class TimeLimitPassed extends Error {
  readonly milliseconds: number;

  constructor(milliseconds: number) {
    super(`took longer than ${milliseconds} ms`);
    this.name = "TimeLimitPassed";
    this.milliseconds = milliseconds;
  }
}
