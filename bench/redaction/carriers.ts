// Secrets that a format carries rather than a vendor makes: headers, addresses, connection strings, files of tools,
// commands, key blocks. Each is one text as it stands in a transcript, with the part that has to go.
import { ADDRESSES } from "./carriers/addresses.ts";
import type { Sample } from "./carriers/carrier.ts";
import { COMMANDS } from "./carriers/commands.ts";
import { FILES } from "./carriers/files.ts";
import { HEADERS } from "./carriers/headers.ts";
import { KEYS } from "./carriers/keys.ts";
import type { Random } from "./random.ts";

export function carriedSecrets(random: Random): readonly Sample[] {
  return [...ADDRESSES, ...HEADERS, ...FILES, ...COMMANDS, ...KEYS].map(({ kind, surroundings, make }) => {
    const { text, secret, keeps } = make(random);
    const secrets = (typeof secret === "string" ? [secret] : secret).flatMap((part) => part.split("\n"));
    return { kind, surroundings, text, secrets, keeps: typeof keeps === "string" ? [keeps] : keeps };
  });
}
