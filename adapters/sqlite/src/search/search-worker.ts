import { AppError, type Page } from '@palimpsest/core';
import type { Database } from '../database.ts';
import { reopenDatabase } from '../open-database.ts';
import { findOwner } from './entry-records.ts';
import { searchEntries } from './entry-search.ts';
import { putEntry } from './entry-writer.ts';
import type { Answer, DatabaseLocation, PutTask, SearchTask } from './search-pool.ts';

/** Runs `task` on its own connection. Returns an `AppError`, because a thrown error loses its class between threads. */
const answer = async <T>(
  { file, options }: DatabaseLocation,
  task: (database: Database) => Promise<T>,
): Promise<Answer<T>> => {
  try {
    const database = await reopenDatabase(file, options);
    try {
      return { result: await task(database) };
    } finally {
      database.close();
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { refusal: { code: error.code, message: error.message, cause: error.cause } };
  }
};

/** A search in a thread of the pool. */
export const search = ({ location, ownerId, query, page }: SearchTask): Promise<Answer<Page<string>>> =>
  answer(location, (database) =>
    database.read(() => {
      const ownerNumber = findOwner(database, ownerId);
      return ownerNumber === undefined ? { items: [], total: 0 } : searchEntries(database, ownerNumber, query, page);
    }),
  );

/** Indexes an entry in a thread of the pool. */
export const put = ({ location, entry }: PutTask): Promise<Answer<void>> =>
  answer(location, (database) => putEntry(database, entry));
