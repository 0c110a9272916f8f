// The SDK, loaded when first needed, and the one client of an archive. Credentials come from the SDK's own chain alone;
// region, endpoint and way of addressing are decided here.
import { CompactError } from "../../errors.ts";
import { late } from "../../late.ts";

export type S3Sdk = typeof import("@aws-sdk/client-s3");

/** What is used of an `S3Client` of `@aws-sdk/client-s3`. */
export interface S3Sender {
  send(command: never, options?: { readonly abortSignal?: AbortSignal }): Promise<unknown>;
}

export interface S3ConnectionOptions {
  readonly region?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly client?: S3Sender | undefined;
  readonly timeoutMs: number;
}

export interface S3Connection {
  readonly sdk: S3Sdk;
  readonly client: S3Sender;
}

/** Of a region's name nothing hangs where a store has an address of its own; something must be signed. */
const REGION_OF_ENDPOINTS = "us-east-1";
const LONGEST_CONNECT_MS = 5_000;

/** Opens once; one that failed is tried again at the next use. Throws `MissingDependency` without the SDK. */
export function createS3Connection(options: S3ConnectionOptions): () => Promise<S3Connection> {
  return late(() => open(options));
}

async function open(options: S3ConnectionOptions): Promise<S3Connection> {
  const sdk = await loadSdk();
  return { sdk, client: options.client ?? (await openClient(sdk, options)) };
}

async function openClient(sdk: S3Sdk, { region, endpoint, timeoutMs }: S3ConnectionOptions): Promise<S3Sender> {
  const base = {
    ...(region === undefined ? {} : { region }),
    // Checksums of the SDK's own kind are unknown to many stores; the payload's SHA-256 is part of the signature anyway.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // A third, so that a silent connection is given up early enough for the retries.
    requestHandler: {
      connectionTimeout: Math.min(LONGEST_CONNECT_MS, timeoutMs / 3),
      socketTimeout: Math.max(1, Math.floor(timeoutMs / 3)),
    },
  } as const;
  const plain = new sdk.S3Client(base);
  const address = endpoint ?? (await configuredEndpoint(plain.config));
  if (address === undefined) return plain;
  const known = region ?? (await plain.config.region().catch(() => REGION_OF_ENDPOINTS));
  plain.destroy();
  return new sdk.S3Client({ ...base, region: known, endpoint: address, forcePathStyle: true });
}

/** From AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL or a profile, as the SDK itself reads them at the first request. */
async function configuredEndpoint(config: object): Promise<string | undefined> {
  const { serviceConfiguredEndpoint } = config as { serviceConfiguredEndpoint?: () => Promise<string | undefined> };
  return serviceConfiguredEndpoint?.();
}

async function loadSdk(): Promise<S3Sdk> {
  try {
    return await import("@aws-sdk/client-s3");
  } catch (cause) {
    throw new CompactError("MissingDependency", "an archive on S3 needs the package @aws-sdk/client-s3", {
      hint: "Install it: npm install @aws-sdk/client-s3",
      cause,
    });
  }
}
