// Secrets in addresses: connection strings, URLs with a user, signed ones, query parameters, webhooks.
import { ALNUM, BASE64, BASE64URL, HEX, type Random } from "../random.ts";
import { type Carrier, carrier, password } from "./carrier.ts";

const url = (name: string, textOf: (secret: string, random: Random) => string, ...keeps: readonly string[]) =>
  carrier("connection string", name, password, textOf, ...keeps);

export const ADDRESSES: readonly Carrier[] = [
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
