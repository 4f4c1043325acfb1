"""The words for secrets of each language, and how each says that a value follows."""

from __future__ import annotations

# Words for what a person makes up: any word may be one. Behind a colon stands how the language says `is` behind them,
# where no other word of the text can be taken for it.
_BY_LANGUAGE = (
    ("password passwords passphrase passcode passwd",),  # English
    ("passwort passwörter kennwort", r"auf(?=[ \t]\S{4,64}[ \t](?:ge|um|zurück)[a-zä])"),  # German
    ("contraseña contrasena contrasenya",),  # Spanish, Catalan
    ("senha palavra-passe",),  # Portuguese
    ("wachtwoord",),  # Dutch
    ("mot_de_passe mots_de_passe",),  # French
    ("parola parolă parolei", "este|için|olarak"),  # Italian, Romanian, Turkish
    ("parolası şifre şifresi", "için|olarak"),  # Turkish
    ("salasana salasanan", "on"),  # Finnish
    ("lösenord passord adgangskode",),  # Swedish, Norwegian, Danish
    ("hasło hasła", "to|brzmi"),  # Polish
    ("heslo", "je|zní|znie"),  # Czech, Slovak
    ("lozinka lozinku zaporka šifra geslo", "je"),  # Serbian, Croatian, Slovene
    ("jelszó jelszava jelszavam", "az"),  # Hungarian
    ("slaptažodis salasõna", "yra|on"),  # Lithuanian, Estonian
    ("пароль пароля паролем паролю", "такой"),  # Russian, Ukrainian
    ("парола паролата лозинка лозинку шифра", "е|је"),  # Bulgarian, Serbian, Macedonian
    ("κωδικός_πρόσβασης κωδικό_πρόσβασης κωδικός συνθηματικό", "είναι"),  # Greek
    ("كلمة_المرور كلمة_مرور كلمة_السر كلمة_سر", "هي|هو"),  # Arabic
    ("رمز_عبور گذرواژه پاس_ورڈ", "برابر"),  # Persian, Urdu
    ("סיסמה סיסמא סיסמת הסיסמה", "היא|הוא"),  # Hebrew
    ("पासवर्ड कूटशब्द পাসওয়ার্ড கடவுச்சொல்", "है|हैं"),  # Hindi, Bengali, Tamil
    ("รหัสผ่าน",),  # Thai
    ("mật_khẩu", "là"),  # Vietnamese
    ("kata_sandi kata_laluan", "adalah|ialah|yaitu"),  # Indonesian, Malay
    ("密码 密碼 口令",),  # Chinese
    ("パスワード 暗証番号",),  # Japanese
    ("비밀번호 암호",),  # Korean
)
PASSWORDS = tuple(word.replace("_", " ") for words, *_ in _BY_LANGUAGE for word in words.split())
# How a language says that the value follows, by its word for a password.
LINKS = {
    word.replace("_", " "): links[0] for words, *links in _BY_LANGUAGE if links for word in words.split()
}  # fmt: skip
# Those of them that have no `pass` in them: in a text that has none but ASCII they are rare.
FOREIGN = tuple(word for word in PASSWORDS if "pass" not in word)
# The same, where no letter stands beside them.
SHORT = ("pass", "pwd", "pw", "pin", "mdp", "psw")
# Words for what a machine makes up: random, or nothing.
TOKENS = (
    "token", "secret", "credential", "bearer", "schlüssel", "geheimnis", "clave", "chiave", "chave", "sleutel",
    "nyckel", "avain", "anahtar", "klíč", "kľúč", "cheie", "kulcs", "ключ", "токен", "секрет", "κλειδί", "مفتاح",
    "מפתח", "कुंजी", "khóa", "kunci", "密钥", "密鑰", "令牌", "キー", "トークン", "토큰", "키",
)  # fmt: skip
SHORT_TOKENS = ("key", "keys", "clé", "clef", "klucz", "ključ")

# What many people take for a password: without digits, and no answer to where it is, whose it is or how it looks.
WEAK = frozenset(
    "letmein qwerty qwertz azerty qwertyuiop asdfgh asdfghjkl zxcvbn zxcvbnm iloveyou trustnoone sunshine princess dragon"
    " monkey football baseball superman batman starwars pokemon shadow ninja mustang swordfish abcdef abcdefg abcdefgh"
    " abcabc aaaaaa qweasd qazwsx poiuyt postgres toor raspberry ubnt welcome opensesame killer pepper cheese hallo"
    " schatz soleil bonjour doudou marseille".split()
)

# A password's word with one of these behind it is about passwords, and gives none away.
ABOUT = frozenset(
    "age algorithm change changed count created expires expiry field file format generator hash hashed hashes hashing"
    " hint length limit manager max maximum min minimum name page path policy prompt reset rotated rotation rule rules"
    " size store strategy strength ttl type updated url vault version".split()
)
# The same, right behind it only: "the password for the admin form is …" gives one away.
PART = frozenset(
    "argument attribute box cell column columns complexity cracker cracking dialog encoder encryption entropy env field"
    " fields flag form grant grants input label managers option parameter param pattern placeholder property protected"
    " protection recovery regex requirement requirements salt schema screen service table variable validation".split()
)
# So has a token's word: what follows is no secret, or is known to be public.
PUBLIC = frozenset(
    "checksum commit digest etag field fingerprint format header hash hashes id ids image integrity md5 public publishable rev revision sha"
    " sha1 sha256 sha512 trace uuid version".split()
)
# Quoted words that describe a value.
PLAIN = frozenset(
    "admin any boolean changed changeme default disabled empty enabled encrypted expired false hashed hidden integer long"
    " masked missing never none null number optional password passwort plain required reset rotated same sample secret short"
    " string string? text todo token true unchanged undefined unique unknown unset value vault weak wrong".split()
)
UNITS = frozenset(
    "attempts bits bytes character characters chars day days digit digits hours letters minutes months of percent seconds"
    " times tokens users weeks words years zeichen".split()
)
# Words of four letters that stand in a sentence, not in a password of four groups.
COMMON = frozenset(
    "also been each from have here into kept line main must need note only read same sent some team than that them then"
    " they this used user when wiki will with your".split()
)
# Words for how to log in; a user and a password may stand behind one.
PLACES = (
    "credentials", "credential", "creds", "cred", "login", "logins", "log in", "logon", "sign in", "basic auth",
    "basic-auth", "http auth", "zugangsdaten", "anmeldedaten", "identifiants", "identifiant", "credenciales", "credenziali",
    "inloggegevens", "логин", "учётка", "přihlášení",
)  # fmt: skip
