// The few requests that the archive makes, each with a limit on its time. Throws what the SDK throws: whoever asks knows
// what it was for, and says so through s3-failure.ts.
import type * as Sdk from "@aws-sdk/client-s3";
import { CompactError } from "../../errors.ts";
import { lazy } from "../../lazy.ts";
import { type RunningLimit, withTimeout } from "../../timeout.ts";
import { joinBytes } from "../content.ts";
import { statusOf, TimeLimitPassed } from "./s3-failure.ts";

/** What goes into each request and what comes back. */
interface Commands {
  PutObject: [Sdk.PutObjectCommandInput, Sdk.PutObjectCommandOutput];
  HeadObject: [Sdk.HeadObjectCommandInput, Sdk.HeadObjectCommandOutput];
  GetObject: [Sdk.GetObjectCommandInput, Sdk.GetObjectCommandOutput];
  ListObjectsV2: [Sdk.ListObjectsV2CommandInput, Sdk.ListObjectsV2CommandOutput];
  DeleteObject: [Sdk.DeleteObjectCommandInput, Sdk.DeleteObjectCommandOutput];
}

type Input<Name extends keyof Commands> = Omit<Commands[Name][0], "Bucket">;
type Output<Name extends keyof Commands> = Commands[Name][1];

export interface S3Requests {
  send<Name extends keyof Commands>(name: Name, input: Input<Name>): Promise<Output<Name>>;
  /** Undefined when there is no such object. */
  head(key: string): Promise<Output<"HeadObject"> | undefined>;
  /** Undefined when there is no such object. */
  get(key: string): Promise<Uint8Array | undefined>;
  /** The objects whose keys begin so. */
  list(prefix: string): AsyncIterable<Sdk._Object>;
}

const MOST_READS = 3;

export function createS3Requests(bucket: string, options: S3ConnectionOptions): S3Requests {
  const { timeoutMs } = options;
  const limit = { timeoutMs, timeoutError: () => new TimeLimitPassed(timeoutMs) };
  // One that failed is tried again at the next use.
  const connect = lazy(async () => {
    const sdk = await loadSdk();
    return { sdk, client: options.client ?? (await openClient(sdk, options)) };
  });
  const ask = <Name extends keyof Commands, Read>(
    name: Name,
    input: Input<Name>,
    read: (answer: Output<Name>, running: RunningLimit) => Read | Promise<Read>,
  ) =>
    withTimeout(async (running) => {
      const { sdk, client } = await connect();
      const Command = sdk[`${name}Command`] as new (input: object) => unknown;
      const command = new Command({ Bucket: bucket, ...input });
      return read((await client.send(command as never, { abortSignal: running.signal })) as Output<Name>, running);
    }, limit);
  const send: S3Requests["send"] = (name, input) => ask(name, input, (answer) => answer);
  return {
    send,
    head: (key) => unlessAbsent(send("HeadObject", { Key: key })),
    get: (key) => unlessAbsent(retryReading(() => ask("GetObject", { Key: key }, readBody))),
    async *list(prefix) {
      let token: string | undefined;
      do {
        const more = token === undefined ? {} : { ContinuationToken: token };
        const page: Output<"ListObjectsV2"> = await send("ListObjectsV2", { Prefix: prefix, ...more });
        yield* page.Contents ?? [];
        token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
      } while (token !== undefined);
    },
  };
}

/** A missing bucket is a fault, unlike a missing object. HEAD has no body that could tell them apart. */
async function unlessAbsent<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (statusOf(error) === 404 && (error as Error).name !== "NoSuchBucket") return undefined;
    throw error;
  }
}

/** The SDK retries a request, but not a body that breaks off in the middle. */
async function retryReading(read: () => Promise<Uint8Array>): Promise<Uint8Array> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof BrokenBody) || attempt === MOST_READS) throw error;
    }
  }
}

class BrokenBody extends Error {}

async function readBody({ Body: body }: Output<"GetObject">, limit: RunningLimit): Promise<Uint8Array> {
  if (body === undefined) return new Uint8Array();
  if (!(Symbol.asyncIterator in body)) return body.transformToByteArray();
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      pieces.push(piece);
      limit.extend();
    }
  } catch (error) {
    throw new BrokenBody("the answer broke off", { cause: error });
  }
  return joinBytes(pieces);
}

// The SDK, loaded when first needed, and the one client of an archive. Credentials come from the SDK's own chain alone;
// region, endpoint and way of addressing are decided here.

type S3Sdk = typeof import("@aws-sdk/client-s3");

/** What is used of an `S3Client` of `@aws-sdk/client-s3`. */
export interface S3Sender {
  send(command: never, options?: { readonly abortSignal?: AbortSignal }): Promise<unknown>;
}

interface S3ConnectionOptions {
  readonly region?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly client?: S3Sender | undefined;
  readonly timeoutMs: number;
}

/** A store with an address of its own needs no region, but requests are signed with one. */
const REGION_OF_ENDPOINTS = "us-east-1";
const LONGEST_CONNECT_MS = 5_000;

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
