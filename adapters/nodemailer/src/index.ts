export type { Sender } from './compose-mail.ts';
export * from './outbox-mailer.ts';
export * from './smtp-mailer.ts';
export * from './smtp-settings.ts';
