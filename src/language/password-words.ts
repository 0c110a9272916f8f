// By itself, since an import of the root reads it: the other words are many.
/** How a password is called where it is not called so; the beginnings of words, lower case. */
export const PASSWORD_WORDS: readonly string[] =
  "passwort kennwort contraseña contrasena senha парол 密码 密碼 口令 パスワード 비밀번호".split(" ");
