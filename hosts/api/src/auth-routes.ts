import type { UseCases } from '@palimpsest/composition';
import { Router } from 'express';
import { actorOf, requireActor } from './authenticate.ts';
import { JSON_LIMIT_BYTES, jsonBody } from './json-body.ts';
import { presentAccount, presentTokens } from './presenters.ts';
import { sourceOf } from './rate-limit-headers.ts';
import { route } from './routing.ts';
import {
  parseCredentials,
  parseEmail,
  parseLogout,
  parseMailedToken,
  parsePassword,
  parsePasswordChange,
  parsePasswordReset,
  parseRefresh,
} from './schemas.ts';

/** The endpoints below `/v1/auth`. */
export const authRoutes = (useCases: UseCases): Router => {
  const router = Router({ caseSensitive: true });
  const body = jsonBody(JSON_LIMIT_BYTES);
  const signedIn = requireActor(useCases);

  route(router, '/register', {
    post: [
      ...body,
      async (req, res) => {
        await useCases.registerAccount(parseCredentials(req.body), sourceOf(req, res));
        res.status(202).json({ message: 'Check your email to verify your account.' });
      },
    ],
  });

  route(router, '/login', {
    post: [
      ...body,
      async (req, res) => {
        res.json(presentTokens(await useCases.signIn(parseCredentials(req.body), sourceOf(req, res))));
      },
    ],
  });

  route(router, '/refresh', {
    post: [
      ...body,
      async (req, res) => {
        res.json(presentTokens(await useCases.refreshSession(parseRefresh(req.body))));
      },
    ],
  });

  route(router, '/logout', {
    post: [
      signedIn,
      ...body,
      async (req, res) => {
        await useCases.signOut(actorOf(res), parseLogout(req.body));
        res.status(204).end();
      },
    ],
  });

  route(router, '/verify-email', {
    post: [
      ...body,
      async (req, res) => {
        await useCases.verifyEmail(parseMailedToken(req.body));
        res.json({ message: 'Your email address is verified.' });
      },
    ],
  });

  route(router, '/resend-verification', {
    post: [
      signedIn,
      async (req, res) => {
        await useCases.resendVerification(actorOf(res), sourceOf(req, res));
        res.status(202).json({ message: 'If your address is not verified yet, a new link is on its way to it.' });
      },
    ],
  });

  route(router, '/forgot-password', {
    post: [
      ...body,
      async (req, res) => {
        await useCases.forgotPassword(parseEmail(req.body), sourceOf(req, res));
        res
          .status(202)
          .json({ message: 'If this address has an account, a link for a new password is on its way to it.' });
      },
    ],
  });

  route(router, '/reset-password', {
    post: [
      ...body,
      async (req, res) => {
        await useCases.resetPassword(parsePasswordReset(req.body));
        res.json({ message: 'Your password is changed. Sign in with the new one.' });
      },
    ],
  });

  route(router, '/change-password', {
    post: [
      signedIn,
      ...body,
      async (req, res) => {
        await useCases.changePassword(actorOf(res), parsePasswordChange(req.body), sourceOf(req, res));
        res.json({ message: 'Your password is changed. All other sessions were ended.' });
      },
    ],
  });

  route(router, '/me', {
    get: [
      signedIn,
      async (_req, res) => {
        res.json(presentAccount(await useCases.findOwnAccount(actorOf(res))));
      },
    ],
    delete: [
      signedIn,
      ...body,
      async (req, res) => {
        await useCases.closeAccount(actorOf(res), parsePassword(req.body), sourceOf(req, res));
        res.status(204).end();
      },
    ],
  });
  return router;
};
