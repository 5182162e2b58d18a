import type { AccessClaims } from '../../account/session.ts';
import type { Ports } from '../../ports/index.ts';

/**
 * Ends the session of the caller, or all sessions of the account. Their access and refresh tokens are refused at once.
 */
export const signOut =
  ({ sessions }: Pick<Ports, 'sessions'>) =>
  async ({ accountId, sessionId }: AccessClaims, { all = false }: { readonly all?: boolean } = {}): Promise<void> => {
    await (all ? sessions.removeAllOf(accountId) : sessions.remove(sessionId));
  };
