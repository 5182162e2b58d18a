import { tokenExpiry, type TokenPurpose } from '../../account/account-token.ts';
import type { Account } from '../../account/account.ts';
import { canonicalEmail } from '../../account/email.ts';
import type { CompletedDocument } from '../../document/document.ts';
import { isAppError } from '../../errors.ts';
import type { Letter } from '../../mail/layout.ts';
import {
  addressTakenLetter,
  documentLetter,
  passwordChangedLetter,
  resetLetter,
  verificationLetter,
} from '../../mail/letters.ts';
import type { MailRequest } from '../../mail/mail-request.ts';
import type { MailAttachment } from '../../mail/outgoing-mail.ts';
import type { Ports } from '../../ports/index.ts';
import { rateRules } from '../../rate-limit/rules.ts';
import { currentText } from '../../revision/ocr-view.ts';
import { countRequest } from '../requests/count-request.ts';
import { readOcr } from '../texts/read-ocr.ts';

/** The base of links and Message-IDs in mails. */
export interface MailSettings {
  readonly publicUrl: string; // without a slash at the end
  readonly messageIdDomain: string; // the part of Message-IDs after the @
}

/** A written mail. `withoutAttachment` replaces `letter` if the mail is too large with its attachment. */
export interface WrittenMail {
  readonly to: string;
  readonly letter: Letter;
  readonly attachment?: MailAttachment;
  readonly withoutAttachment?: Letter;
  /** Called if the mail could not be sent, so that it is not counted. */
  readonly notSent?: () => Promise<void>;
}

type Needs =
  | 'accounts'
  | 'accountTokens'
  | 'documents'
  | 'pages'
  | 'revisions'
  | 'blobs'
  | 'secretTokens'
  | 'rateCounters'
  | 'clock';

const isPlainAddress = (email: string): boolean => {
  try {
    return canonicalEmail(email) === email;
  } catch (error) {
    if (isAppError(error, 'VALIDATION_ERROR')) return false;
    throw error;
  }
};

/**
 * Writes the requested mail, or returns the reason why it is not needed any more. The token in a mail is derived from
 * the id of the mail, so that each attempt to send it contains the same token. The token becomes valid when the mail is
 * written, unless a newer token is valid.
 */
export const writeMail = (ports: Pick<Ports, Needs>, { publicUrl }: MailSettings) => {
  const { accounts, accountTokens, documents, blobs, secretTokens, clock } = ports;
  const count = countRequest(ports);

  const issueToken = async (
    request: MailRequest,
    accountId: string,
    purpose: TokenPurpose,
  ): Promise<string | undefined> => {
    const secret = secretTokens.derive(`mail ${request.mailId}`);
    const { requestedAt } = request;
    const expiresAt = tokenExpiry(purpose, clock.now());
    return (await accountTokens.issue({
      accountId,
      purpose,
      digest: secretTokens.digest(secret),
      requestedAt,
      expiresAt,
    }))
      ? secret
      : undefined;
  };

  const writeTaken = async ({ id, email: to }: Account): Promise<WrittenMail | string> => {
    try {
      const counted = await count([{ rule: rateRules.takenNoticesPerAccount, subject: id }], undefined);
      return { to, letter: addressTakenLetter(publicUrl), notSent: () => counted.undo() };
    } catch (error) {
      if (isAppError(error, 'RATE_LIMITED'))
        return 'the owner of the address has received the maximal number of these mails today';
      throw error;
    }
  };

  const writeDocument = async (to: string, document: CompletedDocument): Promise<WrittenMail | string> => {
    const stored = await blobs.stat(document.blobKey);
    if (!stored) return 'the file of the document was removed';
    const ocr = await readOcr(ports)(document);
    const text = currentText(ocr);
    const attachment: MailAttachment = {
      filename: document.originalFilename,
      mediaType: document.mediaType,
      byteSize: stored.byteSize,
      open: async () => {
        const bytes = await blobs.get(document.blobKey);
        if (!bytes) throw new TypeError('The file of the document was removed while it was sent');
        return bytes;
      },
    };
    const link = `${publicUrl}/v1/documents/${document.id}/download`;
    return {
      to,
      letter: documentLetter(document.title, text, { kind: 'attached', filename: document.originalFilename }),
      attachment,
      withoutAttachment: documentLetter(document.title, text, { kind: 'too-large', link }),
    };
  };

  return async (request: MailRequest): Promise<WrittenMail | string> => {
    const account =
      'email' in request ? await accounts.findByEmail(request.email) : await accounts.find(request.accountId);
    if (!account) return 'the account does not exist';
    const { email: to } = account;
    if (!isPlainAddress(to)) return 'the stored address is not a plain address';
    switch (request.mail) {
      case 'verify-email': {
        if (account.emailVerified) return 'the address is verified already';
        const token = await issueToken(request, account.id, 'verify-email');
        return token === undefined ? 'a newer link was sent' : { to, letter: verificationLetter(publicUrl, token) };
      }
      case 'reset-password': {
        const token = await issueToken(request, account.id, 'reset-password');
        return token === undefined ? 'a newer link was sent' : { to, letter: resetLetter(publicUrl, token) };
      }
      case 'address-taken':
        return writeTaken(account);
      case 'password-changed':
        return { to, letter: passwordChangedLetter(publicUrl) };
      case 'document': {
        const document = await documents.find(request.documentId);
        if (document?.status !== 'completed' || document.ownerId !== account.id) return 'the document is gone';
        return writeDocument(to, document);
      }
    }
  };
};
