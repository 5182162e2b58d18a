import { defineEndpoint } from '../http/endpoint.ts';
import { message } from '../http/openapi/formats.ts';
import { json } from '../http/openapi/responses.ts';
import { requestSource } from '../http/rate-limit-headers.ts';

const RESENT = { message: 'If your address is not verified yet, we send it a new link.' };

export const resendVerification = defineEndpoint({
  method: 'post',
  path: '/v1/auth/resend-verification',
  tag: 'Account',
  operationId: 'resendVerification',
  summary: 'Send the verification link again',
  description:
    'Sends a new link by e-mail. If the address is verified already, the service sends nothing. The response is the same.',
  rateLimit: { limit: '1 per minute and 5 per hour', headers: 'always' },
  responses: { 202: json(message, 'The request is accepted.', RESENT) },
  handler: async ({ actor, useCases, req, res }) => {
    await useCases.resendVerification(actor, requestSource(req, res));
    return RESENT;
  },
});
