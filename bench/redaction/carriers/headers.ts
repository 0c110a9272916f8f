// Secrets in headers: bearer and basic authorization, keys, cookies.
import { jwt } from "../secret-kinds.ts";
import { basic, type Carrier, carrier, password } from "./carrier.ts";

export const HEADERS: readonly Carrier[] = [
  carrier(
    "bearer auth",
    "HTTP header",
    (random) => random.text(40),
    (secret) => `GET /me HTTP/1.1\nAuthorization: Bearer ${secret}\nAccept: */*`,
    "Accept: */*",
  ),
  carrier(
    "bearer auth",
    "curl",
    (random) => random.text(40),
    (secret) => `curl -sS -H "Authorization: Bearer ${secret}" https://api.internal/me`,
    "https://api.internal/me",
  ),
  carrier(
    "bearer auth",
    "JavaScript",
    jwt,
    (secret) => `headers: { authorization: "Bearer ${secret}", accept: "*/*" }`,
    'accept: "*/*"',
  ),
  carrier(
    "bearer auth",
    "prose",
    (random) => random.text(40),
    (secret) => `I sent it with Bearer ${secret} and got a 401.`,
    "and got a 401.",
  ),
  carrier("basic auth", "HTTP header", basic, (secret) => `> Authorization: Basic ${secret}\n> Host: x`, "> Host: x"),
  carrier(
    "basic auth",
    "Python",
    basic,
    (secret) => `requests.get(url, headers={"Authorization": "Basic ${secret}"}, timeout=5)`,
    "timeout=5",
  ),
  carrier(
    "basic auth",
    "curl -u",
    password,
    (secret) => `curl -fsSL -u deploy:${secret} https://files.internal/a.tgz`,
    "https://files.internal",
  ),
  carrier(
    "key header",
    "X-Api-Key",
    (random) => random.text(32),
    (secret) => `curl https://api.internal -H 'X-Api-Key: ${secret}' -d '{}'`,
    "-d '{}'",
  ),
  carrier(
    "key header",
    "X-Auth-Token",
    (random) => random.text(32),
    (secret) => `X-Auth-Token: ${secret}\r\nContent-Type: text/plain`,
    "Content-Type",
  ),
  carrier(
    "cookie",
    "Cookie",
    (random) => random.text(32),
    (secret) => `Cookie: theme=dark; sessionid=${secret}; lang=en`,
    "theme=dark",
    "lang=en",
  ),
  carrier(
    "cookie",
    "Set-Cookie",
    (random) => random.text(32),
    (secret) => `set-cookie: connect.sid=s%3A${secret}; Path=/; HttpOnly`,
    "Path=/; HttpOnly",
  ),
  carrier(
    "cookie",
    "curl -b",
    (random) => random.text(32),
    (secret) => `curl -H 'Cookie: csrftoken=${secret}; tz=UTC' https://x.internal`,
    "tz=UTC",
  ),
  carrier(
    "cookie",
    "JSESSIONID in an address",
    (random) => random.text(32),
    (secret) => `GET /shop/cart;jsessionid=${secret}?page=2 200`,
    "?page=2 200",
  ),
];
