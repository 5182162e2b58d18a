import { AppError } from '../errors.ts';

const MAX_EMAIL_CHARACTERS = 254;
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const DOMAIN_LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

const isAddress = (text: string): boolean => {
  if (text.length > MAX_EMAIL_CHARACTERS) return false;
  const at = text.indexOf('@');
  if (at < 1 || at > 64) return false;
  const labels = text.slice(at + 1).split('.');
  return (
    LOCAL_PART.test(text.slice(0, at)) &&
    labels.length >= 2 &&
    labels.every((label) => DOMAIN_LABEL.test(label)) &&
    !/^[0-9]+$/.test(labels.at(-1) ?? '')
  );
};

/** Whether `text` is an address in the form that {@link canonicalEmail} returns. */
export const isCanonicalEmail = (text: string): boolean => isAddress(text) && text === text.toLowerCase();

/**
 * Whether the operator may configure `text` as the sender of mails: one address without quotes, comments and groups.
 * Its domain may have no dot, as in `no-reply@localhost`.
 */
export const isSenderAddress = (text: string): boolean =>
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9.-]{1,253}$/.test(text);

/**
 * The canonical form of an e-mail address: lower case, without surrounding white space. Only plain addresses are
 * accepted (`local@domain.tld`, the local part an ASCII dot-atom of RFC 5322, section 3.2.3, without quotes, comments,
 * groups and address literals), because mail programs treat the others differently. Otherwise throws
 * `VALIDATION_ERROR`.
 */
export const canonicalEmail = (given: string): string => {
  const text = given.trim();
  if (!isAddress(text)) {
    throw new AppError(
      'VALIDATION_ERROR',
      'email: give one plain e-mail address such as name@example.org, at most 254 characters.',
    );
  }
  return text.toLowerCase();
};
