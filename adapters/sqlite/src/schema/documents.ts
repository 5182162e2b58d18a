/**
 * Documents with their pages and revisions, accounts and sessions. Instants are whole microseconds. The record of a
 * document is JSON; the other columns are copies of its fields for queries. `claim_at` is the time from which a worker
 * may claim the document; NULL: never.
 *
 * `owners` has two counts for each owner: `listed`, so that a list need not count the documents, and `open`, the
 * documents with a `claim_at`. `last_served` is the place of the owner's last claim in the order of all claims (0:
 * never served), so that the next owner is the first one in an index.
 */
export const documentsSchema = `
CREATE TABLE documents (
  id TEXT PRIMARY KEY,
  owner_id TEXT NOT NULL,
  status TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  claim_at INTEGER,
  purge_at INTEGER,
  blob_key TEXT NOT NULL,
  version INTEGER NOT NULL,
  record TEXT NOT NULL
) STRICT;
CREATE INDEX documents_listed ON documents (owner_id, received_at DESC, id DESC) WHERE status <> 'deleting';
CREATE INDEX documents_claimable ON documents (claim_at) WHERE claim_at IS NOT NULL;
CREATE INDEX documents_claimable_of_owner ON documents (owner_id, claim_at) WHERE claim_at IS NOT NULL;
CREATE INDEX documents_claimable_in_order ON documents (owner_id, received_at, id, claim_at) WHERE claim_at IS NOT NULL;
CREATE INDEX documents_held ON documents (owner_id, claim_at) WHERE status = 'processing';
CREATE INDEX documents_purgeable ON documents (purge_at) WHERE purge_at IS NOT NULL;
CREATE INDEX documents_by_blob ON documents (blob_key);

CREATE TABLE owners (
  owner_id TEXT PRIMARY KEY,
  listed INTEGER NOT NULL DEFAULT 0,
  open INTEGER NOT NULL DEFAULT 0,
  last_served INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX owners_by_turn ON owners (last_served);
CREATE INDEX owners_open_by_turn ON owners (last_served) WHERE open > 0;

CREATE TRIGGER documents_counted AFTER INSERT ON documents BEGIN
  INSERT INTO owners (owner_id) VALUES (NEW.owner_id) ON CONFLICT DO NOTHING;
  UPDATE owners SET listed = listed + (NEW.status <> 'deleting'), open = open + (NEW.claim_at IS NOT NULL)
    WHERE owner_id = NEW.owner_id;
END;
CREATE TRIGGER documents_uncounted AFTER DELETE ON documents BEGIN
  UPDATE owners SET listed = listed - (OLD.status <> 'deleting'), open = open - (OLD.claim_at IS NOT NULL)
    WHERE owner_id = OLD.owner_id;
END;
CREATE TRIGGER documents_recounted AFTER UPDATE ON documents
WHEN OLD.owner_id <> NEW.owner_id
  OR (OLD.status <> 'deleting') <> (NEW.status <> 'deleting')
  OR (OLD.claim_at IS NULL) <> (NEW.claim_at IS NULL)
BEGIN
  UPDATE owners SET listed = listed - (OLD.status <> 'deleting'), open = open - (OLD.claim_at IS NOT NULL)
    WHERE owner_id = OLD.owner_id;
  INSERT INTO owners (owner_id) VALUES (NEW.owner_id) ON CONFLICT DO NOTHING;
  UPDATE owners SET listed = listed + (NEW.status <> 'deleting'), open = open + (NEW.claim_at IS NOT NULL)
    WHERE owner_id = NEW.owner_id;
END;

CREATE TABLE pages (
  page_id INTEGER PRIMARY KEY,
  document_id TEXT NOT NULL,
  run TEXT NOT NULL,
  number INTEGER NOT NULL,
  page TEXT NOT NULL,
  UNIQUE (document_id, run, number)
) STRICT;
CREATE TABLE page_words (
  page_id INTEGER PRIMARY KEY REFERENCES pages ON DELETE CASCADE,
  words TEXT NOT NULL
) STRICT;

CREATE TABLE revisions (
  document_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  revised_at INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (document_id, number)
) STRICT;

CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  password_hash TEXT NOT NULL,
  email_verified INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  refresh_token_digest TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_of_account ON sessions (account_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);
`;
