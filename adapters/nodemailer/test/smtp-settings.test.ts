import { expect } from 'chai';
import { parseSmtpUrl } from '../src/smtp-settings.ts';

const plain = { secure: false, requireTls: false, allowInvalidCertificate: false };

describe('parseSmtpUrl', () => {
  it('returns host, port and TLS settings', () => {
    expect(parseSmtpUrl('smtp://mail.example.org')).to.deep.equal({ ...plain, host: 'mail.example.org', port: 587 });
    expect(parseSmtpUrl('smtp://mailpit:1025')).to.deep.equal({ ...plain, host: 'mailpit', port: 1025 });
    expect(parseSmtpUrl('smtp://[::1]:25/')).to.deep.equal({ ...plain, host: '::1', port: 25 });
    expect(parseSmtpUrl('smtps://mail.example.org')).to.deep.equal({
      ...plain,
      host: 'mail.example.org',
      port: 465,
      secure: true,
      requireTls: true,
    });
    expect(parseSmtpUrl('smtp://a.b?requireTLS=true&allowInvalidCertificate=true')).to.include({
      requireTls: true,
      allowInvalidCertificate: true,
    });
  });

  it('returns decoded credentials', () => {
    const credentials = { user: 'me@example.org', password: 'p@ss:w/ör?d' };
    const url = `smtp://${encodeURIComponent(credentials.user)}:${encodeURIComponent(credentials.password)}@mail.example.org`;
    expect(parseSmtpUrl(url).credentials).to.deep.equal(credentials);
    expect(parseSmtpUrl('smtp://mail.example.org')).to.not.have.property('credentials');
  });

  it('requires TLS with credentials, unless the server is this machine or requireTLS=false is given', () => {
    expect(parseSmtpUrl('smtp://a:b@mail.example.org').requireTls).to.equal(true);
    expect(parseSmtpUrl('smtp://a:b@mail.example.org?requireTLS=false').requireTls).to.equal(false);
    for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]'])
      expect(parseSmtpUrl(`smtp://a:b@${host}`).requireTls, host).to.equal(false);
    for (const host of ['127.evil.example.org', '127.0.0.1.example.org', 'localhost.example.org'])
      expect(parseSmtpUrl(`smtp://a:b@${host}`).requireTls, host).to.equal(true);
    expect(parseSmtpUrl('smtps://a:b@mail.example.org?requireTLS=false').requireTls).to.equal(true);
  });

  for (const url of [
    '',
    'mail.example.org',
    'smtp:',
    'smtp://',
    'smtp://:25',
    'http://a:hunter2@mail.example.org',
    'smtp://a:hunter2@mail.example.org:99999',
    'smtp://a:hunter2@mail.example.org:0',
    'smtp://a:hunter2@mail.example.org?pool=true',
    'smtp://a:hunter2@mail.example.org?requiretls=true',
    'smtp://a:hunter2@mail.example.org?requireTLS=1',
    'smtp://a:hunter2@mail.example.org?requireTLS=true&requireTLS=false',
    'smtp://a:hunter2@mail.example.org?rejectUnauthorized=false',
    'smtp://a:hunter2%ff@mail.example.org',
    'smtp://a:hunter2@mail.example.org/path',
    'smtp://a:hunter2@mail.example.org#fragment',
    'smtp://hunter2@mail.example.org',
    'smtp://:hunter2@mail.example.org',
    'smtp://a:hun#ter2@mail.example.org',
    'smtp://a:hunter2@mail example.org',
  ]) {
    it(`throws for ${JSON.stringify(url)} an error with the allowed formats and without the password`, () => {
      expect(() => parseSmtpUrl(url))
        .to.throw(Error, /The allowed formats are smtp:\/\//)
        .with.property('message')
        .that.does.not.match(/hun|ter2/);
    });
  }
});
