import PostalMime from 'postal-mime';
import type { DeliveredMail } from '@palimpsest/contract-tests';

/**
 * Parses the file name of the only attachment of `raw` (RFC 2231). postal-mime is not used for this, because it decodes
 * the name twice: a decoded name that looks like an encoded word is decoded again.
 */
const filenameIn = (raw: Uint8Array): string => {
  const [, header = ''] =
    /^content-disposition:(.*)$/im.exec(
      Buffer.from(raw)
        .toString('latin1')
        .replaceAll(/\r\n(?=[ \t])/g, ''),
    ) ?? [];
  const parts = [...header.matchAll(/;\s*filename(?:\*[0-9]+)?(\*?)=(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/gi)];
  const texts = parts.map(([, extended, quoted, token = '']) => {
    const text = quoted?.replaceAll(/\\(.)/g, '$1') ?? token;
    return extended === '' ? encodeURIComponent(text) : text.replace(/^utf-8'[a-z-]*'/i, '');
  });
  return decodeURIComponent(texts.join(''));
};

/** Parses a raw mail into the fields that the contract suite checks. */
export const parseMail = async (raw: Uint8Array, envelope?: DeliveredMail['envelope']): Promise<DeliveredMail> => {
  const mail = await PostalMime.parse(raw, { attachmentEncoding: 'arraybuffer' });
  return {
    ...(envelope && { envelope }),
    from: mail.from?.address ?? '',
    to: (mail.to ?? []).map(({ address }) => address ?? ''),
    headerNames: mail.headers.map(({ key }) => key),
    subject: mail.subject ?? '',
    messageId: mail.messageId?.replaceAll(/^<|>$/g, '') ?? '',
    dateMs: Date.parse(mail.date ?? ''),
    text: mail.text ?? '',
    html: mail.html ?? '',
    attachments: mail.attachments.map(({ mimeType, content }) => ({
      filename: filenameIn(raw),
      mediaType: mimeType,
      bytes: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
    })),
  };
};
