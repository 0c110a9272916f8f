// Carriers that the author of the rules did not think of: forms in which public pages, threads and manuals show passwords,
// taken in the order in which a search gave them, and written down before the rules were looked at again. They tell what
// the others cannot: how much of the unknown is found. A rule that is made for one of them belongs with its own carrier.
import { DIGITS } from "../random.ts";
import { jwt } from "../secret-kinds.ts";
import { type Carrier, carrier, password } from "./carrier.ts";

const held = (
  surroundings: string,
  textOf: (secret: string) => string,
  keeps: string,
  secretOf: Parameters<typeof carrier>[2] = password,
) => carrier("held out", surroundings, secretOf, textOf, keeps);

export const HELD_OUT: readonly Carrier[] = [
  held("flag of two letters", (secret) => `hco -b broker01 -usr deploy -pw ${secret} -o out.log`, "-o out.log"),
  held("echo into a flag", (secret) => `echo ${secret} | tibschemad --trust t.pem --password stdin`, "--trust t.pem"),
  held("pass: as an argument", (secret) => `tibschemad -p pass:${secret} --log debug`, "--log debug"),
  held("a constant as the name", (secret) => `props.put(Context.SECURITY_CREDENTIALS, "${secret}");`, "props.put("),
  held("Visual Basic", (secret) => `Dim foo As String, passwd As String = "${secret}" 'checked`, "'checked"),
  held("C# verbatim", (secret) => `string password = @"${secret}"; // later`, "// later"),
  held("third argument", (secret) => `DriverManager.getConnection(url, "steve", "${secret}");`, '(url, "steve"'),
  held("entities", (secret) => `<a href="/in?user=admin&amp;password=${secret}&amp;mode=1">`, "mode=1"),
  held("put together", (secret) => `q = "user=" & user & "&" & "password=" & "${secret}" & tail`, "& tail"),
  held("SQL without quotes", (secret) => `CREATE USER ann IDENTIFIED BY ${secret} LOGIN POLICY basic;`, "LOGIN POLICY"),
  held("SQL PASSWORD", (secret) => `CREATE USER xuser PASSWORD '${secret}';`, "CREATE USER xuser"),
  held("user/password", (secret) => `The default is root/${secret} here, so change it.`, "so change it"),
  held("user:name password:value", (secret) => `The default is username:admin password:${secret}`, "username:admin"),
  held("with password", (secret) => `It makes the user admin with password ${secret}. Log in there.`, "Log in there."),
  held("Chinese", (secret) => `登陆后,首次登陆默认用户admin,密码是${secret}`, "默认用户admin"),
  held(
    "a dialogue",
    (secret) => `Username: ann\nPassword: ${secret}\nPassword (again): ${secret}\nCreated.`,
    "Created.",
  ),
  held("a log line", (secret) => `INFO Created flight token for user: bob, token: ${secret}`, "for user: bob"),
  held("bearer in an address", (secret) => `GET /store/f.root?authz=Bearer%20${secret}&size=1`, "size=1", jwt),
  held(
    "a PIN",
    (secret) => `DEBUG opening slot 0 with pin ${secret} for the token`,
    "opening slot 0",
    (random) => random.text(6, DIGITS),
  ),
  held("router: enable secret", (secret) => `enable secret ${secret}\nip ssh version 2`, "ip ssh version 2"),
  held("router: user", (secret) => `username ops privilege 15 secret 0 ${secret}\nlldp run`, "lldp run"),
  held("router: community", (secret) => `snmp-server community ${secret} RW`, "snmp-server"),
  held("wireless", (secret) => `network={\n  ssid="Home"\n  psk="${secret}"\n}`, 'ssid="Home"'),
  held("wireless command", (secret) => `wpa_passphrase Home ${secret} > wpa.conf`, "> wpa.conf"),
  held("slash and colon", (secret) => `cmdkey /add:files01 /user:bob /pass:${secret}`, "/user:bob"),
  held("constructor", (secret) => `new NetworkCredential("bob", "${secret}", domain)`, "domain)"),
  held("--set", (secret) => `helm install db x/mysql --set auth.root.password=${secret},size=5Gi`, "size=5Gi"),
  held(
    "several hosts",
    (secret) => `mongodb://root:${secret}@m1.internal:27017,m2.internal:27017/admin`,
    "@m1.internal",
  ),
  held("JSON patch", (secret) => `[{"op":"replace","path":"/data/password","value":"${secret}"}]`, '"op":"replace"'),
  held("printed by a shell", (secret) => `PS> $c.GetNetworkCredential().Password\n${secret}\nPS> exit`, "PS> exit"),
];
