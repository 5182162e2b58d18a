import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { defineEndpoint, type Endpoint } from '../http/endpoint.ts';
import { page } from '../http/openapi/responses.ts';

interface LinkPage {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly title: string;
  readonly lead: string;
  readonly fields: string;
  readonly button: string;
  readonly needsToken: boolean; // whether the page sends the token of its link together with the fields
  readonly target: string; // the endpoint, relative to the page, so that it works behind a proxy with any path
}

const STYLE = `body{font:1rem/1.5 system-ui,sans-serif;max-width:26rem;margin:15vh auto;padding:0 1rem;color:#1c1c1c;background:#fff}
label{display:block;margin:1rem 0}input{display:block;width:100%;box-sizing:border-box;padding:.6rem;font:inherit;border:1px solid #888;border-radius:.3rem}
button{padding:.6rem 1.2rem;font:inherit;color:#fff;background:#1d4f91;border:0;border-radius:.3rem;cursor:pointer}button:disabled{opacity:.5}
[role=status]{margin-top:1rem;font-weight:600}
@media(prefers-color-scheme:dark){body{color:#eee;background:#1a1a1a}input{color:inherit;background:#2a2a2a}}`;

// Only the button sends the token, because mail scanners open links, and that must not use up the token.
const script = ({ target, needsToken }: LinkPage): string => `
const form = document.querySelector('form'), button = form.querySelector('button'), status = document.querySelector('[role=status]');
const token = new URLSearchParams(location.search).get('token');
if (${needsToken} && !token) { button.disabled = true; status.textContent = 'This link is incomplete. Copy the whole link from the email.'; }
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  button.disabled = true;
  status.textContent = '';
  try {
    const body = JSON.stringify({ ...Object.fromEntries(new FormData(form)), ...(token && { token }) });
    const response = await fetch('${target}', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const answer = await response.json();
    status.textContent = response.ok ? answer.message : answer.error.message;
    button.disabled = response.ok || answer.error.code === 'INVALID_OR_EXPIRED_TOKEN';
  } catch {
    status.textContent = 'The service cannot be reached right now. Try again in a moment.';
    button.disabled = false;
  }
});`;

const render = (shown: LinkPage, nonce: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${shown.title} · Palimpsest</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<h1>${shown.title}</h1>
<p>${shown.lead}</p>
<form method="post">
${shown.fields}<button type="submit">${shown.button}</button>
</form>
<p role="status" aria-live="polite"></p>
<noscript><p>This page needs JavaScript.</p></noscript>
</main>
<script nonce="${nonce}">${script(shown)}</script>
</body>
</html>
`;

const linkToken = z.object({
  token: z
    .unknown()
    .optional()
    .meta({
      description: 'The token of the link. The page itself does not use it up.',
      override: { type: 'string' },
      param: { example: '3q2-7wX0mZJ8vQ4tYbN1cA6sRkLdPfHuEoIyGjTzWxU' },
    }),
});

const linkPage = (shown: LinkPage): Endpoint =>
  defineEndpoint({
    method: 'get',
    path: shown.path,
    trailingSlash: 'refused',
    tag: 'Pages for people',
    operationId: shown.operationId,
    summary: shown.summary,
    description: shown.description,
    access: 'public',
    ...(shown.needsToken && { request: { query: linkToken } }),
    responses: { 200: page('The page.') },
    handler: ({ res }) => {
      const nonce = randomBytes(16).toString('base64');
      res.set(
        'Content-Security-Policy',
        `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
      );
      res.type('html').send(render(shown, nonce));
    },
  });

/** The pages behind the links in e-mails. */
export const mailLinkPages: readonly Endpoint[] = [
  linkPage({
    path: '/verify-email',
    operationId: 'verifyEmailPage',
    summary: 'Open the page of a verification link',
    description: 'The button of the page sends the token to `POST /v1/auth/verify-email`.',
    title: 'Verify your email address',
    lead: 'Confirm that this address is yours.',
    fields: '',
    button: 'Verify',
    needsToken: true,
    target: 'v1/auth/verify-email',
  }),
  linkPage({
    path: '/reset-password',
    operationId: 'resetPasswordPage',
    summary: 'Open the page of a link to choose a new password',
    description: 'The form of the page sends the token to `POST /v1/auth/reset-password`.',
    title: 'Choose a new password',
    lead: 'All sessions of your account will be ended.',
    fields:
      '<label>New password (at least 8 characters)<input name="password" type="password" autocomplete="new-password" minlength="8" required></label>\n',
    button: 'Change password',
    needsToken: true,
    target: 'v1/auth/reset-password',
  }),
  linkPage({
    path: '/forgot-password',
    operationId: 'forgotPasswordPage',
    summary: 'Open the page to ask for a new password',
    description: 'The form of the page sends the address to `POST /v1/auth/forgot-password`.',
    title: 'Forgot your password?',
    lead: 'A link to choose a new one will be sent to the address of your account.',
    fields:
      '<label>Email address<input name="email" type="email" autocomplete="email" maxlength="254" required></label>\n',
    button: 'Send the link',
    needsToken: false,
    target: 'v1/auth/forgot-password',
  }),
];
