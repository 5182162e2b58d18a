export { openDatabase, type Database, type DatabaseOptions } from './database.ts';
export { openSqlite, type Sqlite, type SqliteOptions } from './open.ts';
export { SqliteAgendaBackend } from './agenda/sqlite-agenda-backend.ts';
export { SqliteAccountRepository } from './sqlite-account-repository.ts';
export { SqliteDocumentRepository } from './sqlite-document-repository.ts';
export { SqlitePageRepository } from './sqlite-page-repository.ts';
export { SqliteRevisionRepository } from './sqlite-revision-repository.ts';
export { SqliteSessionRepository } from './sqlite-session-repository.ts';
