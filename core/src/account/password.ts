import { AppError } from '../errors.ts';

const MIN_PASSWORD_CHARACTERS = 8;
const MAX_PASSWORD_CHARACTERS = 256;

/**
 * A new password in the form that is hashed: NFC (so that one keyboard's é is another's), nothing trimmed. 8 to 256
 * characters (code points) of well-formed Unicode (NIST SP 800-63B, section 3.1.1); otherwise throws `VALIDATION_ERROR`.
 */
export const newPassword = (given: string): string => {
  const characters = [...given].length;
  if (!given.isWellFormed() || characters < MIN_PASSWORD_CHARACTERS || characters > MAX_PASSWORD_CHARACTERS) {
    throw new AppError(
      'VALIDATION_ERROR',
      `password: use ${MIN_PASSWORD_CHARACTERS} to ${MAX_PASSWORD_CHARACTERS} characters of any script.`,
    );
  }
  return given.normalize('NFC');
};

/** A password that somebody signs in with, in the form that is compared. Never throws: what is too long is just wrong. */
export const offeredPassword = (given: string): string =>
  given.length > 4 * MAX_PASSWORD_CHARACTERS ? '' : given.toWellFormed().normalize('NFC');
