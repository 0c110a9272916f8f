// Carriers in forms in which public pages, threads and manuals show passwords, taken in the order in which a search gave
// them. The first thirty were written down before a rule was changed in November 2026; whoever changed the rules knew them
// then. The others were taken afterwards, and no rule was changed since: they tell how much of the unknown is found. A rule
// that is made for one of them takes it to the other carriers, and another form is looked for in its place.
import { DIGITS, HEX } from "../random.ts";
import { jwt, uuid } from "../secret-kinds.ts";
import { type Carrier, carrier, password } from "./carrier.ts";

const held = (
  surroundings: string,
  textOf: (secret: string) => string,
  keeps: string,
  secretOf: Parameters<typeof carrier>[2] = password,
) => carrier("held out", surroundings, secretOf, textOf, keeps);

export const KNOWN_SINCE: readonly Carrier[] = [
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

export const HELD_OUT: readonly Carrier[] = [
  held(
    "field of an object",
    (secret) => `settings.username = "app";\nsettings.password = "${secret}";`,
    "settings.username",
  ),
  held("template text", (secret) => `smtpUser   : \`app\`,\nsmtpPass   : \`${secret}\`,\nsmtpPort   : 587`, "smtpPort"),
  held("default of a variable", (secret) => `:password => ENV.fetch("SMTP_PASSWORD", "${secret}"), # dev`, "# dev"),
  held("quoted variable", (secret) => `SMTP_USERNAME=app\nSMTP_PASSWORD="${secret}"\nSMTP_SSL=true`, "SMTP_SSL=true"),
  held("constant with a remark", (secret) => `SMTP_PASSWORD = '${secret}'  # of the relay`, "# of the relay"),
  held(
    "pair in brackets",
    (secret) => `the username and password ("vpn" / "${secret}") do not seem to work`,
    "to work",
  ),
  held("header without a scheme", (secret) => `curl "https://api.internal" -H "Authorization: ${secret}" -d x`, "-d x"),
  held("condition", (secret) => `If your API key is "${secret}", then the header will be:`, "then the header"),
  held("own scheme", (secret) => `Authorization: Apisecret ${secret}\nAccept: */*`, "Accept: */*"),
  held(
    "fields on a line",
    (secret) => `Key=4f5f626b Secret=${secret} Method=POST Url=https://x`,
    "Method=POST",
    (random) => random.text(32),
  ),
  held(
    "signed header",
    (secret) => `"Authorization: SDK-HMAC-SHA256 Access=071f, SignedHeaders=host, Signature=${secret}"`,
    "SDK-HMAC-SHA256",
    (random) => random.text(64, HEX),
  ),
  held("key as the user", (secret) => `curl https://api.internal/v1/me/ -u ${secret}:`, "https://api.internal"),
  held("field of a fixture", (secret) => `validUsername: 'app',\nvalidPassword: '${secret}',\nmode: 'x'`, "mode: 'x'"),
  held("typed into a form", (secret) => `cy.get('input[name=password]').type('${secret}');`, "cy.get("),
  held("typed into a selector", (secret) => `.typeText("#password", "${secret}").click("#submit")`, "#submit"),
  held("credentials in order", (secret) => `new Credentials('uid=t,ou=People', '${secret}')`, "uid=t,ou=People"),
  held("login in order", (secret) => `page.login("user", "${secret}")\nassert page.ok`, "assert page.ok"),
  held("exports on a line", (secret) => `export A="b"; export TEST_USER_PASSWORD="${secret}"; bun x.ts`, "bun x.ts"),
  held("query parameter", (secret) => `curl -X GET "https://api.internal/data?API_Key=${secret}"`, "/data?"),
  held("key of an application", (secret) => `AppKey: 12\nAppSecret: ${secret}\nregion: eu`, "region: eu", uuid),
];
