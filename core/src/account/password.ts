import { AppError } from '../errors.ts';

const MIN_PASSWORD_CHARACTERS = 8;
const MAX_PASSWORD_CHARACTERS = 256;

/**
 * Passwords that are refused: the name of the service, and the most common leaked passwords of sufficient length,
 * because attackers try them first (NIST SP 800-63B, section 3.1.1.2).
 */
const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  (
    'password password1 passw0rd p@ssw0rd 12345678 123456789 1234567890 87654321 11111111 00000000 88888888 12341234 ' +
    '11223344 123123123 abcd1234 qwertyui qwertyuiop qwerty123 1q2w3e4r 1qaz2wsx iloveyou sunshine princess football ' +
    'baseball superman starwars trustno1 whatever letmein1 palimpsest'
  ).split(' '),
);

/**
 * A new password in the form that is hashed: in NFC, because keyboards encode letters such as é differently, and not
 * trimmed. It needs 8 to 256 characters (code points) of well-formed Unicode (NIST SP 800-63B, section 3.1.1), and must
 * be neither a common password nor `email`. Otherwise throws `VALIDATION_ERROR`.
 */
export const newPassword = (given: string, email: string): string => {
  const characters = [...given].length;
  if (!given.isWellFormed() || characters < MIN_PASSWORD_CHARACTERS || characters > MAX_PASSWORD_CHARACTERS) {
    throw new AppError(
      'VALIDATION_ERROR',
      `password: use ${MIN_PASSWORD_CHARACTERS} to ${MAX_PASSWORD_CHARACTERS} characters of any script.`,
    );
  }
  const folded = given.trim().toLowerCase();
  if (COMMON_PASSWORDS.has(folded) || folded === email) {
    throw new AppError('VALIDATION_ERROR', 'password: this password is easy to guess; choose another one.');
  }
  return given.normalize('NFC');
};

/**
 * The password that a user entered to sign in, in the form that is compared with the hash. Never throws: a password
 * that is too long becomes the empty string, which is never right.
 */
export const enteredPassword = (given: string): string =>
  given.length > 4 * MAX_PASSWORD_CHARACTERS ? '' : given.toWellFormed().normalize('NFC');

/** The error for a wrong address or password. */
export const invalidCredentials = (message = 'The e-mail address or the password is wrong.'): AppError =>
  new AppError('INVALID_CREDENTIALS', message);
