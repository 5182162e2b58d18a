import { letter, type Block, type Letter } from './layout.ts';

const MAX_PREVIEW_CHARACTERS = 2000;

/** The beginning of a document's text, at most 2,000 characters (code points); empty lines separate the pages. */
export const previewOf = (text: string): string => {
  const beginning = Array.from(text.slice(0, 2 * MAX_PREVIEW_CHARACTERS + 2));
  const preview = beginning.slice(0, MAX_PREVIEW_CHARACTERS).join('').replaceAll('\f', '\n\n');
  return beginning.length > MAX_PREVIEW_CHARACTERS ? `${preview}…` : preview;
};

const NOT_YOU = 'If that was not you, you need not do anything.';

const resetPasswordLink = (publicUrl: string): Block => ({
  label: 'Ask for a link to choose a new password',
  link: `${publicUrl}/forgot-password`,
});

/** Asks the owner of an address to verify it. */
export const verificationLetter = (publicUrl: string, token: string): Letter =>
  letter('Verify your email address', [
    'Somebody, probably you, registered this address with Palimpsest.',
    { label: 'Verify your email address', link: `${publicUrl}/verify-email?token=${token}` },
    'The link works once, within 24 hours.',
    NOT_YOU,
  ]);

/** Tells the owner of an address that somebody tried to register it again. */
export const addressTakenLetter = (publicUrl: string): Letter =>
  letter('You already have an account', [
    'Somebody, probably you, tried to register this address with Palimpsest, but it has an account already. Nothing was changed.',
    'Sign in as usual, or choose a new password if you do not know yours any more.',
    resetPasswordLink(publicUrl),
    NOT_YOU,
  ]);

/** Contains a link with which the owner can choose a new password. */
export const resetLetter = (publicUrl: string, token: string): Letter =>
  letter('Reset your password', [
    'Somebody, probably you, asked for a new password for this address.',
    { label: 'Choose a new password', link: `${publicUrl}/reset-password?token=${token}` },
    'The link works once, within an hour.',
    `${NOT_YOU} Your password stays as it is.`,
  ]);

/** Tells the owner that the password was changed. */
export const passwordChangedLetter = (publicUrl: string): Letter =>
  letter('Your password was changed', [
    'The password of your Palimpsest account was changed, and its other sessions were ended.',
    'If that was not you, choose a new password at once.',
    resetPasswordLink(publicUrl),
  ]);

/** How a letter refers to the file of its document: as an attachment, or as a link. */
export type DocumentFile =
  { readonly kind: 'attached'; readonly filename: string } | { readonly kind: 'too-large'; readonly link: string };

/** A letter with a document and the beginning of its text. */
export const documentLetter = (title: string, text: string, file: DocumentFile): Letter =>
  letter(title, [
    file.kind === 'attached'
      ? `Here is your document “${title}”. The original file is attached: ${file.filename}.`
      : `Here is your document “${title}”. The original file is too large for a mail to you, so it is not attached. A client that is signed in to your account can download it.`,
    ...(file.kind === 'too-large' ? [{ label: 'Download the original file', link: file.link }] : []),
    ...(text.trim() === ''
      ? ['No text was found in it.']
      : ['This is the beginning of its text:', { quote: previewOf(text) }]),
  ]);
