import { expect } from 'chai';
import { expectRefusal } from '../kit/expectations.ts';
import type { MailTest } from './mail-test.ts';
import { aMail } from './samples.ts';

const refusedRecipients: readonly string[] = [
  '',
  'nobody',
  'a@example.org, b@example.org',
  'a@example.org,b@example.org',
  'a@example.org; b@example.org',
  'a@example.org b@example.org',
  'a@example.org\r\nBcc: b@example.org',
  'a@example.org\nRCPT TO:<b@example.org>',
  'a@example.org>\r\nRCPT TO:<b@example.org',
  '"a,b@example.org"@example.org',
  '"a b"@example.org',
  'a(b@example.org)@example.org',
  'a@example.org(b)',
  'friends:a@example.org,b@example.org;',
  'A Reader <a@example.org>',
  '<a@example.org>',
  'a@[127.0.0.1]',
  'a@localhost',
  'a@example..org',
  'a@example.org\0',
  'ä@example.org',
  'a@exämple.org',
  ' a@example.org',
];

/** Tests recipients that are not one plain address. */
export const describeRefusedRecipients = ({ send, delivered }: MailTest): void => {
  for (const to of refusedRecipients) {
    it(`throws MAIL_REFUSED for the recipient ${JSON.stringify(to)} and delivers nothing`, async () => {
      await expectRefusal('MAIL_REFUSED', () => send(aMail({ to })));
      expect(await delivered()).to.deep.equal([]);
    });
  }
};
