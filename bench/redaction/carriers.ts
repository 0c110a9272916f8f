// Secrets that a format carries rather than a vendor makes: headers, addresses, connection strings, files of tools,
// commands, key blocks. Each is one text as it stands in a transcript, with the part that has to go.
import { ADDRESSES } from "./carriers/addresses.ts";
import type { Carrier, Sample } from "./carriers/carrier.ts";
import { COMMANDS } from "./carriers/commands.ts";
import { FILES } from "./carriers/files.ts";
import { HEADERS } from "./carriers/headers.ts";
import { KEYS } from "./carriers/keys.ts";
import { SENTENCES } from "./carriers/sentences.ts";
import type { Random } from "./random.ts";

const OWN = [...ADDRESSES, ...HEADERS, ...FILES, ...COMMANDS, ...SENTENCES, ...KEYS];

export function carriedSecrets(random: Random, carriers: readonly Carrier[] = OWN): readonly Sample[] {
  return carriers.map(({ kind, surroundings, make }) => {
    const { text, secret, keeps } = make(random);
    const secrets = (typeof secret === "string" ? [secret] : secret).flatMap((part) => part.split("\n"));
    return { kind, surroundings, text, secrets, keeps: typeof keeps === "string" ? [keeps] : keeps };
  });
}
