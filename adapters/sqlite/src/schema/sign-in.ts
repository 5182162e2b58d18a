/**
 * Used refresh tokens, for the detection of reuse; `expires_at` is the expiry that the session had before the use. And
 * closed accounts whose data the cleanup job must remove.
 */
export const signInSchema = `
CREATE INDEX sessions_by_refresh_token ON sessions (refresh_token_digest);

CREATE TABLE used_refresh_tokens (
  digest TEXT PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
  used_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX used_refresh_tokens_of_session ON used_refresh_tokens (session_id, used_at);
CREATE INDEX used_refresh_tokens_by_expiry ON used_refresh_tokens (expires_at);

CREATE TABLE closed_accounts (
  id TEXT PRIMARY KEY,
  closed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX closed_accounts_by_age ON closed_accounts (closed_at);
`;
