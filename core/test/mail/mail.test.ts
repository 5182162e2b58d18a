import {
  addressTakenLetter,
  documentLetter,
  letter,
  mailRequestOf,
  nextMailAttempt,
  passwordChangedLetter,
  plusMs,
  previewOf,
  resetLetter,
  verificationLetter,
  type JobPayload,
} from '@palimpsest/core';
import { expect } from 'chai';
import * as fc from 'fast-check';

const URL = 'https://ocr.example.org';
const TOKEN = 'abc_DEF-123';
const EVIL = `<script>alert("1")</script> & 'x'`;
const ATTACHED = { kind: 'attached', filename: 'scan.pdf' } as const;

const RULER = '-'.repeat(60);

describe('nextMailAttempt', () => {
  it('is after 5 s, 30 s, 2, 10 and 30 minutes, then every hour for a day', () => {
    const waits: number[] = [];
    let now = 1_000_000;
    for (let attempts = 1; ; attempts++) {
      const next = nextMailAttempt(attempts, 1_000_000, now);
      if (next === undefined) break;
      waits.push((next - now) / 1_000_000);
      now = next;
    }
    expect(waits.slice(0, 6)).to.deep.equal([5, 30, 120, 600, 1800, 3600]);
    expect(new Set(waits.slice(5))).to.deep.equal(new Set([3600]));
    expect(waits.length).to.equal(28); // 42 minutes and 35 seconds, and 23 hours
  });

  it('is at most one day after the first attempt', () => {
    const lastStart = plusMs(0, 23 * 3_600_000);
    expect(nextMailAttempt(20, 0, lastStart)).to.equal(plusMs(0, 24 * 3_600_000));
    expect(nextMailAttempt(20, 0, lastStart + 1)).to.equal(undefined);
    expect(nextMailAttempt(1, 0, plusMs(0, 24 * 3_600_000 - 5000))).to.equal(plusMs(0, 24 * 3_600_000));
    expect(nextMailAttempt(1, 0, plusMs(0, 24 * 3_600_000))).to.equal(undefined);
  });
});

describe('mailRequestOf', () => {
  const queued = { mailId: 'm', requestedAt: 1 };

  it('returns the request of each kind of mail', () => {
    for (const request of [
      { mail: 'verify-email', accountId: 'a', ...queued },
      { mail: 'address-taken', email: 'ada@example.org', ...queued },
      { mail: 'reset-password', email: 'ada@example.org', ...queued },
      { mail: 'password-changed', accountId: 'a', ...queued },
      { mail: 'document', accountId: 'a', documentId: 'd', ...queued },
    ])
      expect(mailRequestOf(request)).to.deep.equal(request);
  });

  it('throws TypeError for an unknown kind, and for a missing field or one of another type', () => {
    const payloads: readonly JobPayload[] = [
      {},
      { ...queued, mail: 'greeting', accountId: 'a' },
      { ...queued, mail: 'verify-email' },
      { ...queued, mail: 'reset-password', accountId: 'a' },
      { ...queued, mail: 'document', accountId: 'a', documentId: 7 },
      { mail: 'verify-email', accountId: 'a', mailId: 'm', requestedAt: '1' },
      { mail: 'verify-email', accountId: 'a', mailId: null, requestedAt: 1 },
    ];
    for (const payload of payloads) expect(() => mailRequestOf(payload), JSON.stringify(payload)).to.throw(TypeError);
  });
});

describe('a letter', () => {
  it('escapes quoted text in HTML', () => {
    const { html, text } = letter(EVIL, [EVIL, { label: EVIL, link: `${URL}/?a="><b>&c` }, { quote: EVIL }]);
    expect(html).not.to.match(/<script|<b>|"1"|'x'/);
    expect(html.split('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;')).to.have.length(5);
    expect(html).to.include(`href="${URL}/?a=&quot;&gt;&lt;b&gt;&amp;c"`);
    expect(text.split(EVIL)).to.have.length(4);
  });

  it('has a subject of one line without control and direction characters, for any title', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(
            fc.constantFrom('\r', '\n', '\0', '\u202e', '\u2066', '\u2028', '\u0085', '\ud800', '\u001b'),
            fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
          ),
          maxLength: 400,
        }),
        (title) => {
          const { subject } = letter(title, []);
          expect(subject).not.to.match(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/);
          expect(subject.isWellFormed()).to.equal(true);
          expect(subject).to.equal(subject.trim());
          expect([...subject].length).to.be.at.most(200);
        },
      ),
    );
    expect(letter('a\r\nBcc: eve@example.org\u202egpj', []).subject).to.equal('a Bcc: eve@example.org gpj');
  });

  it('has a subject of at most 200 whole characters', () => {
    expect(letter('😀'.repeat(200), []).subject).to.equal('😀'.repeat(200));
    expect(letter('😀'.repeat(201), []).subject).to.equal(`${'😀'.repeat(199)}…`);
  });

  it('puts quoted text between rulers, with any line ends', () => {
    const { text } = letter('x', [{ quote: 'one\ntwo\r\nthree\rfour\n\nsix' }]);
    expect(text).to.include(`${RULER}\none\ntwo\nthree\nfour\n\nsix\n${RULER}\n\n-- \n`);
  });
});

describe('the letters', () => {
  it('contain the link with its token, in text and HTML', () => {
    for (const [written, link] of [
      [verificationLetter(URL, TOKEN), `${URL}/verify-email?token=${TOKEN}`],
      [resetLetter(URL, TOKEN), `${URL}/reset-password?token=${TOKEN}`],
    ] as const) {
      expect(written.text).to.include(`\n${link}\n`);
      expect(written.html).to.include(`<a href="${link}">`);
      expect(written.subject).not.to.include(TOKEN);
    }
  });

  it('without a link for an action contain no token', () => {
    for (const written of [addressTakenLetter(URL), passwordChangedLetter(URL)]) {
      expect(written.text).to.include(URL);
      expect(`${written.text}${written.html}`).not.to.include('token=');
    }
  });

  it('state how long a link works', () => {
    expect(verificationLetter(URL, TOKEN).text).to.include('24 hours');
    expect(resetLetter(URL, TOKEN).text).to.include('an hour');
  });

  it('contain a document with its title, its file and the beginning of its text', () => {
    const written = documentLetter('My <title>', 'first\fsecond & last', ATTACHED);
    expect(written.subject).to.equal('My <title>');
    expect(written.text).to.include('attached: scan.pdf').and.to.include('-\nfirst\n\nsecond & last\n-');
    expect(written.html)
      .to.include('My &lt;title&gt;')
      .and.to.include('first\n\nsecond &amp; last')
      .and.not.include('<title>My <');
  });

  it('contain a link in place of a file that is too large', () => {
    const { text, html } = documentLetter('T', 'words', { kind: 'too-large', link: `${URL}/v1/documents/1/download` });
    expect(text)
      .to.include('too large')
      .and.to.include(`\n${URL}/v1/documents/1/download\n`)
      .and.not.include('is attached:');
    expect(html).to.include(`href="${URL}/v1/documents/1/download"`);
  });

  it('state that no text was found if the text is empty', () => {
    for (const nothing of ['', ' \n\f '])
      expect(documentLetter('T', nothing, ATTACHED).text).to.include('No text was found');
  });
});

describe('a preview', () => {
  it('is the text up to 2,000 characters, with empty lines between pages', () => {
    expect(previewOf('one\ftwo')).to.equal('one\n\ntwo');
    expect(previewOf('x'.repeat(2000))).to.equal('x'.repeat(2000));
    expect(previewOf('x'.repeat(2001))).to.equal(`${'x'.repeat(2000)}…`);
  });

  it('is never cut within a character', () => {
    expect(previewOf('😀'.repeat(2000))).to.equal('😀'.repeat(2000));
    expect(previewOf('😀'.repeat(2001))).to.equal(`${'😀'.repeat(2000)}…`);
    expect(previewOf(`x${'😀'.repeat(2000)}`)).to.equal(`x${'😀'.repeat(1999)}…`);
    fc.assert(
      fc.property(fc.array(fc.constantFrom('x', '😀'), { minLength: 1990, maxLength: 4100 }), (characters) => {
        const preview = previewOf(characters.join(''));
        expect(preview.isWellFormed()).to.equal(true);
        expect(preview).to.equal(
          characters.length > 2000 ? `${characters.slice(0, 2000).join('')}…` : characters.join(''),
        );
      }),
      { numRuns: 30 },
    );
  });
});
