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
  ...(
    [
      ["zip -P", (secret) => `zip -r -P ${secret} out.zip dist`, "out.zip dist"],
      ["htpasswd -b", (secret) => `htpasswd -bc .htpasswd bob ${secret}\nls`, ".htpasswd bob"],
      ["openssl -k", (secret) => `openssl enc -aes-256-cbc -k ${secret} -in a.tar`, "-in a.tar"],
      ["net user", (secret) => `net user bob ${secret} /add`, "/add"],
      ["chpasswd", (secret) => `echo 'root:${secret}' | sudo chpasswd`, "chpasswd"],
      ["--password-stdin", (secret) => `echo ${secret} | docker login -u bot --password-stdin`, "--password-stdin"],
      ["ConvertTo-SecureString", (secret) => `ConvertTo-SecureString '${secret}' -AsPlainText -Force`, "-Force"],
      ["IDENTIFIED BY", (secret) => `CREATE USER app IDENTIFIED BY '${secret}' ACCOUNT LOCK;`, "ACCOUNT LOCK;"],
      ["WITH PASSWORD", (secret) => `ALTER ROLE app WITH PASSWORD '${secret}' CREATEDB;`, "CREATEDB;"],
    ] as const satisfies readonly (readonly [string, (secret: string) => string, string])[]
  ).map(([surroundings, textOf, keeps]) => carrier("command line", surroundings, password, textOf, keeps)),
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
