/**
 * Tokens that were mailed to accounts, the attempts and outcomes of mails, and requests with idempotency keys. Instants
 * are whole microseconds. A mail without `outcome` is not finished. A keyed request without `answer` is in progress.
 */
export const mailAndKeysSchema = `
CREATE TABLE account_tokens (
  account_id TEXT NOT NULL,
  purpose TEXT NOT NULL,
  digest TEXT NOT NULL,
  requested_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  spent INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, purpose)
) STRICT;
CREATE INDEX account_tokens_unspent ON account_tokens (digest, purpose) WHERE spent = 0;
CREATE INDEX account_tokens_by_expiry ON account_tokens (expires_at);

CREATE TABLE mails (
  mail_id TEXT PRIMARY KEY,
  attempts INTEGER NOT NULL,
  first_attempt_at INTEGER NOT NULL,
  outcome TEXT
) STRICT;
CREATE INDEX mails_by_first_attempt ON mails (first_attempt_at);

CREATE TABLE keyed_requests (
  account_id TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  resource_id TEXT NOT NULL,
  held_until INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  answer TEXT,
  PRIMARY KEY (account_id, key)
) STRICT;
CREATE INDEX keyed_requests_by_expiry ON keyed_requests (expires_at);
`;
