// The block `storage` of a configuration file: where the archive is, how it is packed and how long it is kept. Which keys go
// together is checked here; factories/archive.ts makes the archive, and credentials come from the AWS chain alone.
import * as z from "zod/mini";
import {
  DEFAULT_PREFIX,
  DEFAULT_TIMEOUT_MS,
  findBucketFault,
  findPrefixFault,
  findTagsFault,
} from "../archive/s3/s3-settings.ts";
import {
  checked,
  checkedTogether,
  findAddressFault,
  findBaseUrlFault,
  key,
  listOf,
  oneOf,
  strict,
  text,
  whole,
  yesOrNo,
} from "./schema-parts.ts";

const ADAPTERS = ["fs", "s3"] as const;
const COMPRESSIONS = ["none", "gzip", "zstd"] as const;
const LONGEST_AGE_DAYS = 36_500;
const MOST_BYTES = 1_000_000_000_000_000;

const bucket = checked(text, findBucketFault);
const prefix = checked(text, findPrefixFault);
const endpoint = checked(text, findEndpointFault);
const tags: z.ZodMiniType<readonly string[]> = checked(listOf(text, "name=value"), (written) => {
  const bad = written.some((tag) => tag.indexOf("=") < 1);
  if (bad) return "must be a list of name=value";
  const read = readTags(written);
  return Object.keys(read).length < written.length ? "must name each tag once" : findTagsFault(read);
});
const kmsKeyId = checked(text, (id) =>
  /^[\w:/.-]{1,2048}$/.test(id) ? undefined : "must be the id, the ARN or the alias of a KMS key",
);
const region = checked(text, (name) =>
  /^[a-z0-9-]{1,64}$/.test(name) ? undefined : "must be a region, as eu-central-1",
);

const storageBlock = strict({
  adapter: key(oneOf(ADAPTERS), "Where transcripts and summaries are kept: a folder, or a bucket.", { default: "fs" }),
  path: key(
    text,
    "The archive's folder, from the working directory. With s3 only events.jsonl of each session is there.",
    { default: ".compact/archive" },
  ),
  required: key(yesOrNo, "true: nothing is pruned that could not be archived.", { default: true }),
  compression: key(oneOf(COMPRESSIONS), "How transcripts are packed. zstd needs Node 22.15.", { default: "none" }),
  bucket: key(bucket, "The bucket of an archive on s3. It is never created.", { example: "agent-archives" }),
  prefix: key(prefix, "The folder in the bucket.", { default: DEFAULT_PREFIX }),
  kmsKeyId: key(kmsKeyId, "The KMS key that every object is encrypted with, confirmed by the store's answer.", {
    note: "no SSE-KMS; the bucket's own encryption",
    example: "alias/agent-archives",
  }),
  region: key(region, "The bucket's region.", { note: "as the AWS chain says", example: "eu-central-1" }),
  endpoint: key(endpoint, "Address of a store that is not AWS. Plain http on private networks only.", {
    note: "AWS_ENDPOINT_URL_S3 or AWS's own",
    example: "https://objects.example.com",
  }),
  timeoutMs: key(whole(100, 3_600_000), "Milliseconds that one request to the bucket may take, its retries included.", {
    default: DEFAULT_TIMEOUT_MS,
  }),
  tags: key(tags, "Tags on every object, as name=value, for the bucket's lifecycle rules.", {
    default: [],
    example: ["team=payments"],
  }),
  retention: z.optional(
    strict({
      maxAgeDays: key(
        whole(1, LONGEST_AGE_DAYS),
        "Days after which archived steps are removed, the newest of a session never.",
        {
          note: "kept for ever",
          example: 365,
        },
      ),
      maxBytes: key(
        whole(1, MOST_BYTES),
        "Bytes above which the oldest steps are removed, the newest of a session never.",
        {
          note: "no limit",
          example: 10_000_000_000,
        },
      ),
    }),
  ),
});

export const storageSchema = checkedTogether(storageBlock, faultsBetween);

/** What `CompactManager` takes: an archive, the block, or false. Told apart by shape first, so that the faults are those of the block. */
export const archiveConfigSchema = z.custom<object | false>().check((context) => {
  const given: unknown = context.value;
  if (given === false || isArchive(given)) return;
  if (!isBlock(given)) {
    context.issues.push({ code: "custom", message: "must be an archive, {path} or false", input: "" });
    return;
  }
  const parsed = storageSchema.safeParse(given, { reportInput: true });
  if (!parsed.success) context.issues.push(...(parsed.error.issues as z.core.$ZodRawIssue[]));
});

function isArchive(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return ["saveTranscript", "readState", "nextStep"].every((name) => isFunction(value[name as keyof typeof value]));
}

/** An empty one says nothing: what was meant is more likely lost than the default. */
function isBlock(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.keys(value).length > 0 && !Object.values(value).some(isFunction);
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

/** As configuration spells them: `["team=payments"]`. */
export function readTags(written: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    written.map((tag) => [tag.slice(0, tag.indexOf("=")).trim(), tag.slice(tag.indexOf("=") + 1).trim()]),
  );
}

/** What is wrong with the address of a store, as the end of a sentence; undefined when nothing is. */
function findEndpointFault(address: string): string | undefined {
  const fault = "must not hold a user name, a key or parameters: credentials come from the AWS chain alone";
  return findAddressFault(address, { user: fault, query: fault });
}

/** An explicit fs may keep the keys of s3, so that a variable can switch for one run; but encryption is never promised in vain. */
function faultsBetween({ adapter, bucket: named, kmsKeyId: keyId }: z.infer<typeof storageBlock>) {
  const faults: { readonly path: readonly string[]; readonly message: string }[] = [];
  if (adapter === "s3" && named === undefined)
    faults.push({ path: ["bucket"], message: "must be given for the adapter s3" });
  if (adapter !== "s3" && keyId !== undefined)
    faults.push({ path: ["kmsKeyId"], message: "must stand with the adapter s3: files on disk are not encrypted" });
  if (adapter === undefined && named !== undefined)
    faults.push({ path: ["adapter"], message: "must be s3 for a bucket" });
  return faults;
}

// The block `telemetry` of a configuration file: where trace events go. Only addresses stand there; what a collector wants
// in its headers is secret and comes from the environment.

/** Events hold summaries, so they travel as conversations do. */
const viewerAddress = addressWith(": the viewer takes none");
const collectorAddress = addressWith(": headers come from the environment (OTEL_EXPORTER_OTLP_HEADERS)");

export const telemetrySchema = strict({
  console: key(yesOrNo, "Prints each event as a line on standard error.", { default: false }),
  jsonl: key(
    yesOrNo,
    "Writes each event of a conversation to events.jsonl beside its transcripts; set to true, also those of the other parts.",
    { default: true },
  ),
  ariadneUrl: key(viewerAddress, "Address of an Ariadne trace viewer.", {
    note: "none",
    example: "http://127.0.0.1:5175",
  }),
  otlpUrl: key(collectorAddress, "Address of an OpenTelemetry collector that takes OTLP over HTTP.", {
    note: "none",
    example: "http://127.0.0.1:4318",
  }),
});

function addressWith(where: string) {
  return checked(text, (address) => findBaseUrlFault(address, where));
}
