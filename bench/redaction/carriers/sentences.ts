// Passwords that people write: in sentences of the languages that are known, in notes, lists and tables.
import { type Carrier, carrier, password } from "./carrier.ts";

const said = (surroundings: string, textOf: (secret: string) => string, keeps: string) =>
  carrier("sentence", surroundings, password, textOf, keeps);

export const SENTENCES: readonly Carrier[] = [
  said("English", (secret) => `The password is ${secret}. Use it once.`, ". Use it once."),
  said("English, for somebody", (secret) => `password for bob: ${secret}, valid today`, ", valid today"),
  said("German", (secret) => `Das Passwort für den Server lautet ${secret}, danke.`, ", danke."),
  said("German, label", (secret) => `Kennwort: ${secret}\nOrt: Bonn`, "Ort: Bonn"),
  said("Spanish", (secret) => `La contraseña es ${secret} y caduca hoy.`, "y caduca hoy."),
  said("French", (secret) => `Le mot de passe est ${secret} pour tous.`, "pour tous."),
  said("Portuguese", (secret) => `A senha é ${secret} por enquanto.`, "por enquanto."),
  said("Italian", (secret) => `La password è ${secret} per ora.`, "per ora."),
  said("Russian", (secret) => `Пароль для входа: ${secret}\nготово`, "готово"),
  said("Chinese", (secret) => `数据库密码是${secret},请登录`, "请登录"),
  said("Chinese, wide colon", (secret) => `密码：${secret}\n完成`, "完成"),
  said("Japanese", (secret) => `パスワードは ${secret} です`, "です"),
  said("Korean", (secret) => `비밀번호는 ${secret} 입니다`, "입니다"),
  said("markdown", (secret) => `- **Password:** \`${secret}\`\n- **Host:** db`, "**Host:** db"),
  said("markdown table", (secret) => `| Host | db |\n| Password | ${secret} |\n| Port | 5432 |`, "| Port | 5432 |"),
  said("short names", (secret) => `user: bob\npass: ${secret}\nhost: db`, "host: db"),
  said("JSON, short name", (secret) => `{"user": "bob", "pw": "${secret}", "port": 22}`, '"port": 22'),
  said("list of arguments", (secret) => `["deploy", "--password", "${secret}", "--now"]`, '"--now"'),
  said("name in an address", (secret) => `see?next=%2Fin%3Fpassword%3D${secret}%26page%3D2`, "page%3D2"),
  said("name in entities", (secret) => `&quot;password&quot;: &quot;${secret}&quot;, &quot;n&quot;`, "&quot;n&quot;"),
  said(
    "grep in colour",
    (secret) => `a.ini:\u001b[01;31m\u001b[Kpassword\u001b[m\u001b[K=${secret}\nb.ini:1`,
    "b.ini:1",
  ),
  said("invisible in the name", (secret) => `Pass\u200bword: ${secret}\nHost: db`, "Host: db"),
];
