// Who may talk to a server on this machine: programs that name it by a loopback name, pages of this machine, and, where a
// token is set, whoever has it. A page elsewhere reaches 127.0.0.1 by a name of its own (DNS rebinding); its Host and
// Origin give it away.

const LOOPBACK_NAMES = ["localhost", "127.0.0.1", "[::1]"];

export interface Refusal {
  readonly status: 401 | 403;
  readonly message: string;
}

export function refuseHost(host: string | undefined): Refusal | undefined {
  if (host !== undefined && isLoopback(`http://${host}`)) return undefined;
  return { status: 403, message: "The Host header does not name this machine. Use http://127.0.0.1 and the port." };
}

/** Programs send no Origin; `null` is what a page without one sends. */
export function refuseOrigin(origin: string | undefined): Refusal | undefined {
  if (origin === undefined || (/^https?:\/\//.test(origin) && isLoopback(origin))) return undefined;
  return { status: 403, message: "Pages of this Origin may not use this server." };
}

function isLoopback(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname, username, pathname, search } = new URL(address);
  return LOOPBACK_NAMES.includes(hostname) && username === "" && pathname === "/" && search === "";
}

export interface Admission {
  /** Whom the token stands for. */
  readonly agent: string;
}

/**
 * Tells whose token an Authorization header carries, in a time that depends neither on how much of it is right nor on whose
 * it is. `agents` is token to agent.
 */
export async function createBearerCheck(
  agents: ReadonlyMap<string, string>,
): Promise<(header: string | undefined) => Refusal | Admission> {
  const { createHash, randomBytes, timingSafeEqual } = await import("node:crypto");
  const salt = randomBytes(16);
  const hash = (text: string) => createHash("sha256").update(salt).update(text).digest();
  const expected = [...agents].map(([token, agent]) => ({ hash: hash(token), agent }));
  return (header) => {
    const [, given = ""] = /^Bearer {1,3}([\x21-\x7e]{1,4096})$/i.exec(header ?? "") ?? [];
    const found = hash(given);
    const [admitted] = expected.filter((one) => timingSafeEqual(found, one.hash));
    if (admitted !== undefined) return { agent: admitted.agent };
    const what = header === undefined ? "This server asks for a token" : "The token is not one of this server";
    return { status: 401, message: `${what}: send the header "Authorization: Bearer TOKEN".` };
  };
}
