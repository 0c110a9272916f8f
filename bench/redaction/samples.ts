// Every secret in its natural surroundings: each vendor's in a few formats that fit it, and those that a format carries.
import type { Sample } from "./carriers/carrier.ts";
import { carriedSecrets } from "./carriers.ts";
import { type Random, seededRandom } from "./random.ts";
import { CLOUD, DEVELOPER, type SecretKind, VENDORS } from "./secret-kinds.ts";

/** Where a secret's name stands beside it. */
const NAMED: Readonly<Record<string, (secret: string, variable: string) => readonly [string, string]>> = {
  ".env": (secret, variable) => [`PORT=3000\n${variable}=${secret}\nTZ=UTC`, "TZ=UTC"],
  shell: (secret, variable) => [`$ export ${variable}='${secret}' && npm start`, "&& npm start"],
  JSON: (secret, variable) => [`{"env": {"${variable}": "${secret}", "TZ": "UTC"}}`, '"TZ": "UTC"'],
  YAML: (secret, variable) => [`env:\n  ${variable.toLowerCase()}: ${secret}\n  tz: UTC`, "tz: UTC"],
  code: (secret, variable) => [`const ${camel(variable)} = "${secret}";\nstart();`, "start();"],
};

/** Where only the shape tells. */
const BARE: Readonly<Record<string, (secret: string) => readonly [string, string]>> = {
  prose: (secret) => [`The one that I was given is ${secret}, and it works.`, ", and it works."],
  call: (secret) => [`client = Client("${secret}", retries=3)`, "retries=3"],
  log: (secret) => [`2026-01-02T03:04:05Z debug using ${secret} for upstream`, "for upstream"],
  "in colour": (secret) => [
    `a.ts:\u001b[01;31m\u001b[K${secret.slice(0, 4)}\u001b[m\u001b[K${secret.slice(4)}, b`,
    ", b",
  ],
  "colour in code": (secret) => [`print("\\x1b[31m${secret}\\x1b[0m now")`, " now"],
  "in an address": (secret) => [`/in?q=%22${secret}%22%20and%20more&k%3D${secret}`, "%20and%20more"],
  "escaped as JSON": (secret) => [`say \\u0022${secret}\\u0022 twice`, "twice"],
  "behind a joint": (secret) => [`cache_${secret} is gone`, "is gone"],
};

export function plantedSamples(seed: number): readonly Sample[] {
  const random = seededRandom(seed);
  return [
    ...[...CLOUD, ...DEVELOPER, ...VENDORS].flatMap((kind) => ownSamples(kind, random)),
    ...carriedSecrets(random),
  ];
}

function ownSamples({ kind, make, variable, byName }: SecretKind, random: Random): readonly Sample[] {
  const named = Object.entries(NAMED).map(([surroundings, write]) => {
    const secret = make(random);
    return sample(kind, surroundings, secret, write(secret, variable));
  });
  if (byName === true) return named;
  const bare = Object.entries(BARE).map(([surroundings, write]) => {
    const secret = make(random);
    return sample(kind, surroundings, secret, write(secret));
  });
  return [...named, ...bare];
}

function sample(kind: string, surroundings: string, secret: string, [text, keeps]: readonly [string, string]): Sample {
  return { kind, surroundings, text, secrets: [secret], keeps: [keeps] };
}

function camel(variable: string): string {
  return variable.toLowerCase().replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
