export { MongoAgendaBackend } from './agenda/mongo-agenda-backend.ts';
export { connectDatabase, type Database, type DatabaseOptions, type Indexes } from './database.ts';
export { openMongo, type Mongo, type MongoOptions } from './open.ts';
