// Says in words what went wrong at an object store, on which bucket and key, and what to do about it. An error of the SDK
// itself never leaves: it carries headers, and its message may quote key ids and what was signed.
import { CompactError } from "../../errors.ts";

const RIGHTS =
  "s3:PutObject, s3:PutObjectTagging, s3:GetObject, s3:ListBucket, s3:DeleteObject (with versions also s3:DeleteObjectVersion) and s3:AbortMultipartUpload; with KMS also kms:GenerateDataKey and kms:Decrypt on the key";

interface Fault {
  readonly says: string;
  readonly hint: string;
  /** What stores and the SDK call it, with blanks between. */
  readonly names?: string;
}

const FAULTS = {
  ACCESS_DENIED: {
    names: "AccessDenied AllAccessDisabled Forbidden",
    says: "access was denied",
    hint: `Allow the role ${RIGHTS}. A mistyped bucket of somebody else's and a revoked session token look the same.`,
  },
  BUCKET_NOT_FOUND: {
    names: "NoSuchBucket",
    says: "there is no such bucket",
    hint: "Check storage.bucket, storage.region and storage.endpoint; the bucket is never created here.",
  },
  CREDENTIALS_EXPIRED: {
    names: "ExpiredToken ExpiredTokenException TokenRefreshRequired InvalidToken",
    says: "the session token has expired or is not valid",
    hint: "Renew the temporary credentials (sign in again, or let the role's provider renew them), then try once more.",
  },
  CREDENTIALS_REFUSED: {
    names: "InvalidAccessKeyId SignatureDoesNotMatch InvalidClientTokenId",
    says: "the store does not accept these credentials",
    hint: "Check which credentials the AWS chain finds: AWS_* variables, AWS_PROFILE, the container's or instance's role.",
  },
  NO_CREDENTIALS: {
    names: "CredentialsProviderError",
    says: "no credentials were found",
    hint: "Give the process a role, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE; none stand in the configuration.",
  },
  CLOCK_SKEW: {
    names: "RequestTimeTooSkewed RequestExpired",
    says: "the clock of this machine and the store's differ too much",
    hint: "Set this machine's clock (NTP): signed requests are valid for 15 minutes.",
  },
  KMS_REFUSED: {
    says: "the encryption key cannot be used",
    hint: "Check storage.kms_key_id: the key exists in the bucket's region, is enabled, and the role has kms:GenerateDataKey and kms:Decrypt on it.",
  },
  WRONG_REGION: {
    names: "PermanentRedirect AuthorizationHeaderMalformed IllegalLocationConstraintException",
    says: "the bucket is in another region",
    hint: "Set storage.region (or AWS_REGION) to the bucket's region.",
  },
  NO_REGION: {
    says: "no region is known",
    hint: "Set storage.region or AWS_REGION to the bucket's region.",
  },
  STORE_UNAVAILABLE: {
    names: "SlowDown ServiceUnavailable InternalError",
    says: "the store was not able to answer, also after retries",
    hint: "Try again later; nothing is half written.",
  },
  NOT_IMPLEMENTED: {
    names: "NotImplemented",
    says: "the store does not know a part of the request",
    hint: "Some stores have no tags, no KMS or no conditional writes: the archive needs a store that has them.",
  },
  STORE_UNREACHABLE: {
    says: "the store cannot be reached",
    hint: "Check storage.endpoint (or AWS_ENDPOINT_URL_S3), the region, and the network from here.",
  },
  TIMED_OUT: {
    names: "TimeoutError",
    says: "no answer in time, also after retries",
    hint: "The store hangs or the line is slow: try again, or raise storage.timeout_ms.",
  },
  ARCHIVE_FAILED: {
    says: "the store refused",
    hint: "Look the code up in the store's documentation; the request id finds it in its log.",
  },
} satisfies Readonly<Record<string, Fault>>;

type FaultCode = keyof typeof FAULTS;

/** Of an answer without a name that is known. */
const BY_STATUS: Readonly<Record<number, FaultCode>> = {
  301: "WRONG_REGION",
  400: "ARCHIVE_FAILED",
  401: "ACCESS_DENIED",
  403: "ACCESS_DENIED",
  501: "NOT_IMPLEMENTED",
};
/** An answer to HEAD has no body that could say more. */
const BARE_HINT =
  "Mostly an expired session token or a bucket in another region: renew the credentials, check storage.region.";

const UNREACHABLE_CODES =
  /^(?:ECONN|ENOTFOUND|EAI_|EHOST|ENET|EPIPE|ETIMEDOUT|CERT_|ERR_TLS|DEPTH_|SELF_SIGNED|UNABLE_TO)/;

/** `what` reads after "could not": "save the transcript". An error of ours passes through unchanged. */
export function s3Failure(what: string, url: string, error: unknown): CompactError {
  if (CompactError.isInstance(error)) return error;
  const limit = error instanceof TimeLimitPassed ? error.milliseconds : undefined;
  const { name: given, status, requestId } = describeError(error);
  const code = limit === undefined ? codeOf(error) : "TIMED_OUT";
  // The code of a wrong access key would send whoever reads it to the wrong key.
  const name = code === "KMS_REFUSED" && codeNamed(given) === "CREDENTIALS_REFUSED" ? undefined : given;
  const reason = [name, status].filter((part) => part !== undefined).join(", ");
  const says = limit === undefined ? FAULTS[code].says : `no answer within ${(limit / 1000).toLocaleString("en-US")} s`;
  return new CompactError("ArchiveFailed", `could not ${what}: ${url}: ${says}${reason === "" ? "" : ` (${reason})`}`, {
    code,
    hint: code === "ARCHIVE_FAILED" && isBare(given, status) ? BARE_HINT : FAULTS[code].hint,
    data: {
      location: url,
      ...(limit === undefined ? {} : { timeout_ms: limit }),
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

function codeOf(error: unknown): FaultCode {
  const { name = "", status = 0, message } = describeError(error);
  // Some stores answer with the code of a wrong access key when it is the encryption key that they do not know.
  if (/^KMS|^Kms/.test(name) || /\bkms[-:]?(?:key|generate|decrypt)/i.test(message)) return "KMS_REFUSED";
  if (message === "Region is missing") return "NO_REGION";
  if (name === "CredentialsProviderError" && /expired/i.test(message)) return "CREDENTIALS_EXPIRED";
  if (UNREACHABLE_CODES.test(name)) return "STORE_UNREACHABLE";
  const isBusy = status >= 500 || status === 429;
  return codeNamed(name) ?? BY_STATUS[status] ?? (isBusy ? "STORE_UNAVAILABLE" : "ARCHIVE_FAILED");
}

function codeNamed(name = ""): FaultCode | undefined {
  const faults = Object.entries<Fault>(FAULTS) as [FaultCode, Fault][];
  return faults.find(([, { names = "" }]) => names.split(" ").includes(name) && name !== "")?.[0];
}

function isBare(name: string | undefined, status: number | undefined): boolean {
  return status === 400 && (name === undefined || name === "BadRequest");
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

/** Of how long something may take as a whole, retries included. */
export class TimeLimitPassed extends Error {
  readonly milliseconds: number;

  constructor(milliseconds: number) {
    super(`took longer than ${milliseconds} ms`);
    this.milliseconds = milliseconds;
  }
}
