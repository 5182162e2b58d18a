import { randomBytes } from 'node:crypto';
import { Router, type RequestHandler } from 'express';
import { route } from './routing.ts';

interface Page {
  readonly title: string;
  readonly lead: string;
  readonly fields: string;
  readonly button: string;
  readonly needsToken: boolean; // of the link, to be sent with the fields
  readonly endpoint: string; // relative to the page, so that it works below any path of a proxy
}

const STYLE = `body{font:1rem/1.5 system-ui,sans-serif;max-width:26rem;margin:15vh auto;padding:0 1rem;color:#1c1c1c;background:#fff}
label{display:block;margin:1rem 0}input{display:block;width:100%;box-sizing:border-box;padding:.6rem;font:inherit;border:1px solid #888;border-radius:.3rem}
button{padding:.6rem 1.2rem;font:inherit;color:#fff;background:#1d4f91;border:0;border-radius:.3rem;cursor:pointer}button:disabled{opacity:.5}
[role=status]{margin-top:1rem;font-weight:600}
@media(prefers-color-scheme:dark){body{color:#eee;background:#1a1a1a}input{color:inherit;background:#2a2a2a}}`;

// The token leaves the page with the button alone: who merely opens a link, as scanners of mail do, uses nothing up.
const script = ({ endpoint, needsToken }: Page): string => `
const form = document.querySelector('form'), button = form.querySelector('button'), status = document.querySelector('[role=status]');
const token = new URLSearchParams(location.search).get('token');
if (${needsToken} && !token) { button.disabled = true; status.textContent = 'This link is not complete. Copy all of it from the email.'; }
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  button.disabled = true;
  status.textContent = '';
  try {
    const body = JSON.stringify({ ...Object.fromEntries(new FormData(form)), ...(token && { token }) });
    const response = await fetch('${endpoint}', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const answer = await response.json();
    status.textContent = response.ok ? answer.message : answer.error.message;
    button.disabled = response.ok || answer.error.code === 'INVALID_OR_EXPIRED_TOKEN';
  } catch {
    status.textContent = 'The service cannot be reached right now. Try again in a moment.';
    button.disabled = false;
  }
});`;

const render = (page: Page, nonce: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${page.title} · Palimpsest</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<h1>${page.title}</h1>
<p>${page.lead}</p>
<form method="post">
${page.fields}<button type="submit">${page.button}</button>
</form>
<p role="status" aria-live="polite"></p>
<noscript><p>This page needs JavaScript.</p></noscript>
</main>
<script nonce="${nonce}">${script(page)}</script>
</body>
</html>
`;

const serve =
  (page: Page): RequestHandler =>
  (_req, res) => {
    const nonce = randomBytes(16).toString('base64');
    res.set(
      'Content-Security-Policy',
      `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
    );
    res.type('html').send(render(page, nonce));
  };

/** The pages that links in mails lead to. */
export const mailLinkPages = (): Router => {
  const router = Router({ caseSensitive: true, strict: true });
  route(router, '/verify-email', {
    get: [
      serve({
        title: 'Verify your email address',
        lead: 'Confirm that this address is yours.',
        fields: '',
        button: 'Verify',
        needsToken: true,
        endpoint: 'v1/auth/verify-email',
      }),
    ],
  });
  route(router, '/reset-password', {
    get: [
      serve({
        title: 'Choose a new password',
        lead: 'All sessions of your account will be ended.',
        fields:
          '<label>New password (at least 8 characters)<input name="password" type="password" autocomplete="new-password" minlength="8" required></label>\n',
        button: 'Change password',
        needsToken: true,
        endpoint: 'v1/auth/reset-password',
      }),
    ],
  });
  route(router, '/forgot-password', {
    get: [
      serve({
        title: 'Forgot your password?',
        lead: 'A link to choose a new one will be sent to the address of your account.',
        fields:
          '<label>Email address<input name="email" type="email" autocomplete="email" maxlength="254" required></label>\n',
        button: 'Send the link',
        needsToken: false,
        endpoint: 'v1/auth/forgot-password',
      }),
    ],
  });
  return router;
};
