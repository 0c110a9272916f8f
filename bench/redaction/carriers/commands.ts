// Secrets in commands and in source code.
import { type Carrier, carrier, password } from "./carrier.ts";

export const COMMANDS: readonly Carrier[] = [
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
