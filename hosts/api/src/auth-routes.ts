import type { UseCases } from '@palimpsest/composition';
import { Router } from 'express';
import { JSON_LIMIT_BYTES, jsonBody } from './json-body.ts';
import { presentTokens } from './presenters.ts';
import { route } from './routing.ts';
import { parseCredentials } from './schemas.ts';

/** The endpoints below `/v1/auth`. */
export const authRoutes = (useCases: UseCases): Router => {
  const router = Router({ caseSensitive: true });

  route(router, '/register', {
    post: [
      ...jsonBody(JSON_LIMIT_BYTES),
      async (req, res) => {
        await useCases.registerAccount(parseCredentials(req.body));
        res.status(202).json({ message: 'Check your email to verify your account.' });
      },
    ],
  });

  route(router, '/login', {
    post: [
      ...jsonBody(JSON_LIMIT_BYTES),
      async (req, res) => {
        res.json(presentTokens(await useCases.signIn(parseCredentials(req.body))));
      },
    ],
  });
  return router;
};
