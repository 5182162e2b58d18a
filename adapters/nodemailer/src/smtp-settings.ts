/** How to reach the SMTP server. */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean; // TLS from the start; otherwise STARTTLS if the server offers it
  readonly requireTls: boolean; // without TLS, neither credentials nor mails are sent
  readonly allowInvalidCertificate: boolean;
  readonly credentials?: { readonly user: string; readonly password: string };
}

const ALLOWED =
  'smtp://[user:password@]host[:587] or smtps://[user:password@]host[:465], with the options requireTLS=true|false and allowInvalidCertificate=true|false';

// The message never repeats the given address, which may contain a password.
const refuse = (what: string): never => {
  throw new Error(`${what}. The allowed formats are ${ALLOWED}.`);
};

const decoded = (text: string, what: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse(`The ${what} in the SMTP address is not percent-encoded as UTF-8`);
  }
};

const isThisMachine = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.[0-9]{1,3}){3}$/.test(host);

const readOptions = (query: URLSearchParams): ReadonlyMap<string, boolean> => {
  const options = new Map<string, boolean>();
  for (const [key, value] of query) {
    if (key !== 'requireTLS' && key !== 'allowInvalidCertificate') refuse('The SMTP address has an unknown option');
    if (value !== 'true' && value !== 'false')
      refuse(`The option ${key} of the SMTP address is neither true nor false`);
    if (options.has(key)) refuse(`The option ${key} of the SMTP address occurs twice`);
    options.set(key, value === 'true');
  }
  return options;
};

const readCredentials = ({ username, password }: URL): SmtpSettings['credentials'] => {
  if (username === '' && password === '') return undefined;
  if (username === '' || password === '')
    return refuse('The SMTP address has a user without a password, or a password without a user');
  return { user: decoded(username, 'user'), password: decoded(password, 'password') };
};

/**
 * Parses the address of an SMTP server. The default port is 587 (RFC 6409), or 465 with TLS from the start (RFC 8314).
 * With credentials, TLS is required, unless the server is this machine or `requireTLS=false` is given. Throws `Error`
 * with the allowed format and without the given text.
 */
export const parseSmtpUrl = (url: string): SmtpSettings => {
  if (!URL.canParse(url)) refuse('The SMTP address is not a URL');
  const parsed = new URL(url);
  const secure = parsed.protocol === 'smtps:';
  if (!secure && parsed.protocol !== 'smtp:') refuse('The SMTP address starts with neither smtp: nor smtps:');
  const host = parsed.hostname.replace(/^\[(.*)\]$/, '$1');
  if (!/^[a-z0-9._:-]+$/i.test(host)) refuse('The SMTP address has no valid host');
  if (parsed.pathname.replace(/^\//, '') !== '' || parsed.hash !== '')
    refuse('The SMTP address has a path or a fragment');
  if (parsed.port === '0') refuse('The SMTP address has the port 0');
  const options = readOptions(parsed.searchParams);
  const credentials = readCredentials(parsed);
  return {
    host,
    port: parsed.port === '' ? (secure ? 465 : 587) : Number(parsed.port),
    secure,
    requireTls: secure || (options.get('requireTLS') ?? (credentials !== undefined && !isThisMachine(host))),
    allowInvalidCertificate: options.get('allowInvalidCertificate') ?? false,
    ...(credentials && { credentials }),
  };
};
