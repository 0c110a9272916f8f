// Secrets that a format carries rather than a vendor makes: headers, addresses, connection strings, files of tools,
// commands, key blocks. Each is one text as it stands in a transcript, with the part that has to go.
import { ALNUM, BASE64, BASE64URL, HEX, LOWER, type Random } from "./random.ts";
import { jwt } from "./secret-kinds.ts";

export interface Sample {
  readonly kind: string;
  readonly surroundings: string;
  readonly text: string;
  /** What may not be left, nor any six characters of it in a row. */
  readonly secrets: readonly string[];
  /** What has to stay. */
  readonly keeps: readonly string[];
}

interface Carrier {
  readonly kind: string;
  readonly surroundings: string;
  readonly make: (random: Random) => {
    text: string;
    secret: string | readonly string[];
    keeps: string | readonly string[];
  };
}

const password = (random: Random) => `${random.text(5, LOWER)}${random.text(9)}`;

function carrier(
  kind: string,
  surroundings: string,
  secretOf: (random: Random) => string,
  textOf: (secret: string, random: Random) => string,
  ...keeps: readonly string[]
): Carrier {
  return {
    kind,
    surroundings,
    make: (random) => {
      const secret = secretOf(random);
      return { text: textOf(secret, random), secret, keeps };
    },
  };
}

const url = (name: string, textOf: (secret: string, random: Random) => string, ...keeps: readonly string[]) =>
  carrier("connection string", name, password, textOf, ...keeps);
const basic = (random: Random) => Buffer.from(`deploy:${random.text(14)}`).toString("base64");

const ADDRESSES: readonly Carrier[] = [
  url(
    "PostgreSQL",
    (secret) => `DATABASE_URL=postgres://app:${secret}@db.internal:5432/app?sslmode=require`,
    "@db.internal:5432/app",
  ),
  url(
    "MongoDB",
    (secret) => `mongoose.connect("mongodb+srv://svc:${secret}@cluster0.abcde.mongodb.net/prod");`,
    "@cluster0",
  ),
  url("Redis", (secret) => `redis_url: rediss://:${secret}@cache.internal:6380/0`, "@cache.internal"),
  url("AMQP", (secret) => `broker_url = 'amqps://worker:${secret}@mq.internal/vhost'`, "@mq.internal/vhost'"),
  url("MySQL with an @", (secret) => `mysql://root:${secret}@${secret}@localhost/app`, "@localhost/app"),
  url("JDBC", (secret) => `jdbc:postgresql://db.internal/app?user=app&password=${secret}&ssl=true`, "&ssl=true"),
  url("Oracle JDBC", (secret) => `url=jdbc:oracle:thin:scott/${secret}@//db.internal:1521/orcl`, "@//db.internal"),
  url(
    "ADO.NET",
    (secret) => `"Default": "Server=db;Database=app;User Id=sa;Password=${secret};Encrypt=True"`,
    ";Encrypt=True",
  ),
  url("ODBC", (secret) => `Driver={SQL Server};Server=db;Uid=sa;Pwd=${secret};Database=app`, ";Database=app"),
  url("slashes escaped", (secret) => `{"dsn":"postgres:\\/\\/app:${secret}@db.internal\\/app"}`, "@db.internal"),
  carrier(
    "Azure connection string",
    "storage",
    (random) => `${random.text(86, BASE64)}==`,
    (secret) => `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${secret};EndpointSuffix=core.windows.net`,
    "AccountName=shop",
    "EndpointSuffix",
  ),
  carrier(
    "Azure connection string",
    "service bus",
    (random) => `${random.text(43, BASE64)}=`,
    (secret) => `Endpoint=sb://shop.servicebus.windows.net/;SharedAccessKeyName=root;SharedAccessKey=${secret}`,
    "SharedAccessKeyName=root",
  ),
  carrier(
    "signed address",
    "Azure SAS",
    (random) => `${random.text(42, ALNUM)}%3D`,
    (secret) => `https://shop.blob.core.windows.net/in/a.csv?sv=2023-11-03&se=2026-01-01&sp=r&sig=${secret}`,
    "&sp=r",
  ),
  carrier(
    "signed address",
    "AWS",
    (random) => random.text(64, HEX),
    (secret) => `https://b.s3.amazonaws.com/k?X-Amz-Date=20260101T000000Z&X-Amz-Signature=${secret}&x-id=GetObject`,
    "&x-id=GetObject",
  ),
  carrier(
    "URL user-info",
    "git remote",
    password,
    (secret) => `origin\thttps://bot:${secret}@git.internal/team/app.git (fetch)`,
    "(fetch)",
  ),
  carrier(
    "URL user-info",
    "token as the user",
    (random) => random.text(40, HEX),
    (secret) => `git clone https://${secret}@git.internal/team/app.git`,
    "@git.internal/team",
  ),
  carrier(
    "Sentry DSN",
    "assignment",
    (random) => random.text(32, HEX),
    (secret) => `Sentry.init({ dsn: "https://${secret}@o4504.ingest.sentry.io/4505" });`,
    "ingest.sentry.io",
  ),
  carrier(
    "query parameter",
    "log line",
    (random) => random.text(24),
    (secret) => `10:02:11 GET /v1/items?page=2&access_token=${secret}&sort=asc 200`,
    "&sort=asc 200",
  ),
  carrier(
    "query parameter",
    "address",
    (random) => random.text(24),
    (secret) => `fetch("https://api.internal/geo?api_key=${secret}&q=berlin")`,
    "&q=berlin",
  ),
  carrier(
    "webhook",
    "Slack",
    (random) => random.text(24),
    (secret) => `https://hooks.slack.com/services/T0000ABCD/B0000ABCD/${secret}`,
    "hooks.slack.com",
  ),
  carrier(
    "webhook",
    "Discord",
    (random) => random.text(68, BASE64URL),
    (secret) => `curl -d @m.json https://discord.com/api/webhooks/112233445566778899/${secret}`,
    "112233445566778899",
  ),
];

const HEADERS: readonly Carrier[] = [
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
];

const FILES: readonly Carrier[] = [
  carrier("netrc", "one line", password, (secret) => `machine api.internal login bot password ${secret}`, "login bot"),
  carrier(
    "netrc",
    "several lines",
    password,
    (secret) => `machine api.internal\n  login bot\n  password ${secret}\n`,
    "login bot",
  ),
  carrier(
    "npmrc",
    "_authToken",
    (random) => random.text(36),
    (secret) => `//packages.internal/:_authToken=${secret}\nalways-auth=true`,
    "always-auth=true",
  ),
  carrier(
    "npmrc",
    "_auth",
    basic,
    (secret) => `//packages.internal/:_auth=${secret}\nalways-auth=true`,
    "always-auth=true",
  ),
  carrier(
    "docker config",
    "auth",
    basic,
    (secret) => `{"auths":{"images.internal":{"auth":"${secret}"}}}`,
    "images.internal",
  ),
  carrier(
    "kubeconfig",
    "client key",
    (random) => random.text(400, BASE64),
    (secret) => `users:\n- name: admin\n  user:\n    client-key-data: ${secret}\n`,
    "name: admin",
  ),
  carrier(
    "kubernetes secret",
    "manifest",
    (random) => Buffer.from(random.text(18)).toString("base64"),
    (secret) => `kind: Secret\ndata:\n  password: ${secret}\ntype: Opaque`,
    "type: Opaque",
  ),
  carrier(
    "htpasswd",
    "bcrypt",
    (random) => random.text(53),
    (secret) => `admin:$2y$05$${secret}`,
    "admin:",
  ),
  carrier(
    "htpasswd",
    "Apache",
    (random) => random.text(22),
    (secret, random) => `admin:$apr1$${random.text(8)}$${secret}`,
    "admin:",
  ),
  carrier(
    "shadow",
    "SHA-512",
    (random) => random.text(86),
    (secret, random) => `root:$6$${random.text(16)}$${secret}:19000:0:99999:7:::`,
    ":19000:0:",
  ),
  carrier(
    "pgpass",
    "line",
    password,
    (secret) => `db.internal:5432:app:app_user:${secret}`,
    "db.internal:5432:app:app_user:",
  ),
  carrier(
    ".env",
    "file",
    password,
    (secret) => `PORT=3000\nDB_PASSWORD=${secret}\nLOG_LEVEL=debug`,
    "PORT=3000",
    "LOG_LEVEL=debug",
  ),
  carrier(
    ".env",
    "quoted",
    password,
    (secret) => `export API_SECRET="${secret}, ${secret}"\nNODE_ENV=test`,
    "NODE_ENV=test",
  ),
  carrier(
    "YAML",
    "Compose",
    password,
    (secret) => `    environment:\n      - POSTGRES_PASSWORD=${secret}\n      - TZ=UTC`,
    "TZ=UTC",
  ),
  carrier(
    "YAML",
    "Kubernetes variables",
    password,
    (secret) => `env:\n- name: DB_PASSWORD\n  value: "${secret}"\n- name: TZ\n  value: UTC`,
    "value: UTC",
  ),
  carrier(
    "YAML",
    "Rails",
    (random) => random.text(128, HEX),
    (secret) => `production:\n  secret_key_base: ${secret}\n  pool: 5`,
    "pool: 5",
  ),
  carrier(
    "TOML",
    "table",
    password,
    (secret) => `[database]\nuser = "app"\npassword = "${secret}"\npool = 5`,
    "pool = 5",
  ),
  carrier(
    "INI",
    "AWS credentials",
    (random) => random.text(40, BASE64),
    (secret) => `[default]\naws_secret_access_key = ${secret}\nregion = eu-west-1`,
    "region = eu-west-1",
  ),
  carrier(
    "Java properties",
    "Spring",
    password,
    (secret) => `spring.datasource.password=${secret}\nserver.port=8080`,
    "server.port=8080",
  ),
  carrier(
    "XML",
    "element",
    password,
    (secret) => `<server><id>x</id><password>${secret}</password></server>`,
    "<id>x</id>",
  ),
  carrier(
    "XML",
    "attributes",
    (random) => random.text(24),
    (secret) => `<add key="ApiKey" value="${secret}" /><add key="Mode" value="live" />`,
    'value="live"',
  ),
  carrier(
    "JSON",
    "field",
    password,
    (secret) => `{"user": "app", "password": "${secret}", "port": 5432}`,
    '"port": 5432',
  ),
  carrier(
    "JSON",
    "names and values",
    password,
    (secret) => `[{"name": "DB_PASSWORD", "value": "${secret}"}, {"name": "TZ", "value": "UTC"}]`,
    '"value": "UTC"',
  ),
  carrier(
    "JSON web key",
    "private part",
    (random) => random.text(86, BASE64URL),
    (secret) => `{"kty":"EC","crv":"P-256","x":"abc","d":"${secret}","use":"sig"}`,
    '"use":"sig"',
  ),
];

const COMMANDS: readonly Carrier[] = [
  carrier(
    "command line",
    "mysql -p",
    password,
    (secret) => `mysql -h db.internal -u root -p${secret} app < dump.sql`,
    "< dump.sql",
  ),
  carrier("command line", "quoted -p", password, (secret) => `mysql -u root -p'${secret} x' app`, "-u root"),
  carrier(
    "command line",
    "sshpass",
    password,
    (secret) => `sshpass -p '${secret}' ssh deploy@host uptime`,
    "ssh deploy@host uptime",
  ),
  carrier(
    "command line",
    "docker login",
    password,
    (secret) => `docker login -u bot -p ${secret} images.internal`,
    "images.internal",
  ),
  carrier(
    "command line",
    "--password",
    password,
    (secret) => `helm registry login images.internal --username bot --password ${secret}`,
    "--username bot",
  ),
  carrier(
    "command line",
    "variable before",
    password,
    (secret) => `PGPASSWORD=${secret} psql -h db.internal -c 'select 1'`,
    "psql -h db.internal",
  ),
  carrier("command line", "redis-cli -a", password, (secret) => `redis-cli -h cache -a ${secret} ping`, "ping"),
  carrier(
    "command line",
    "openssl",
    password,
    (secret) => `openssl rsa -in k.pem -passin pass:${secret} -out o.pem`,
    "-out o.pem",
  ),
  carrier("source code", "Go", password, (secret) => `dbPassword := "${secret}" // TODO`, "// TODO"),
  carrier(
    "source code",
    "TypeScript",
    password,
    (secret) => `const clientSecret: string = "${secret}";`,
    "const clientSecret: string",
  ),
  carrier(
    "source code",
    "Python",
    password,
    (secret) => `conn = connect(user="app", password="${secret}", timeout=3)`,
    "timeout=3",
  ),
];

const KEY_KINDS = [
  "RSA PRIVATE KEY",
  "PRIVATE KEY",
  "EC PRIVATE KEY",
  "OPENSSH PRIVATE KEY",
  "PGP PRIVATE KEY BLOCK",
  "ENCRYPTED PRIVATE KEY",
];

const KEYS: readonly Carrier[] = [
  ...KEY_KINDS.map((kind) =>
    carrier(
      "private key",
      kind,
      keyBody,
      (secret) => `${armour("BEGIN", kind)}\n${secret}\n${armour("END", kind)}\nnext`,
      "next",
    ),
  ),
  carrier(
    "private key",
    "numbered lines",
    keyBody,
    (secret) =>
      [armour("BEGIN", "RSA PRIVATE KEY"), ...secret.split("\n"), armour("END", "RSA PRIVATE KEY"), "next"]
        .map((line, at) => `${String(at + 1).padStart(6)}\u2192${line}`)
        .join("\n"),
    "next",
  ),
  carrier(
    "private key",
    "base64 of a file",
    keyBody,
    (secret) =>
      `tls.key: ${Buffer.from(`${armour("BEGIN", "RSA PRIVATE KEY")}\n${secret}\n`).toString("base64")}\ntype: tls`,
    "type: tls",
  ),
  carrier(
    "Google service account",
    "JSON",
    keyBody,
    (secret) =>
      JSON.stringify({
        type: "service_account",
        private_key_id: "0",
        private_key: `${armour("BEGIN", "PRIVATE KEY")}\n${secret}\n${armour("END", "PRIVATE KEY")}\n`,
        client_email: "a@b.iam",
      }),
    "service_account",
    "a@b.iam",
  ),
];

function armour(end: "BEGIN" | "END", kind: string): string {
  return `-----${end} ${kind}-----`;
}

function keyBody(random: Random): string {
  return [...Array.from({ length: 12 }, () => random.text(64, BASE64)), random.text(22, BASE64)].join("\n");
}

export function carriedSecrets(random: Random): readonly Sample[] {
  return [...ADDRESSES, ...HEADERS, ...FILES, ...COMMANDS, ...KEYS].map(({ kind, surroundings, make }) => {
    const { text, secret, keeps } = make(random);
    const secrets = (typeof secret === "string" ? [secret] : secret).flatMap((part) => part.split("\n"));
    return { kind, surroundings, text, secrets, keeps: typeof keeps === "string" ? [keeps] : keeps };
  });
}
