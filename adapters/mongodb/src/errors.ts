import { AppError } from '@palimpsest/core';
import { MongoError, MongoErrorLabel, MongoServerError } from 'mongodb';

const DUPLICATE_KEY = 11_000;

// The driver has looked for a server for as long as it may, or looks for none any more.
const DOWN_NAMES = new Set(['MongoServerSelectionError', 'MongoTopologyClosedError', 'MongoNotConnectedError', 'MongoClientClosedError']);

// Client-side faults of the driver: no server, no connection, no answer in time.
const UNREACHABLE_NAMES = new Set([
  ...DOWN_NAMES,
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoServerClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoOperationTimeoutError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
]);

// What a server says that stops, changes its role or has no room or time: HostUnreachable, NetworkTimeout,
// ShutdownInProgress, MaxTimeMSExpired, WriteConcernTimeout (64 as an error of its own), the states of a primary that steps
// down, OutOfDiskSpace. https://github.com/mongodb/mongo/blob/v8.0/src/mongo/base/error_codes.yml
const UNREACHABLE_CODES = new Set([6, 7, 50, 64, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436, 14031]);

/** Whether a unique index refused a write. */
export const isDuplicate = (error: unknown): boolean => error instanceof MongoServerError && error.code === DUPLICATE_KEY;

/** Whether an error says that the database cannot be reached now; what was asked may have been carried out. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof MongoError &&
  (UNREACHABLE_NAMES.has(error.name) ||
    UNREACHABLE_CODES.has(Number(error.code)) ||
    error.hasErrorLabel(MongoErrorLabel.RetryableWriteError));

/** Whether asking once more at once is in vain. */
export const isDown = (error: unknown): boolean => error instanceof MongoError && DOWN_NAMES.has(error.name);

/** `SERVICE_UNAVAILABLE` for an error that says that the database cannot be reached now; any other error as it is. */
export const translated = (error: unknown): unknown =>
  isUnreachable(error) ? new AppError('SERVICE_UNAVAILABLE', 'The database cannot be reached at the moment.', { cause: error }) : error;
