import { AppError } from '@palimpsest/core';
import { MongoBulkWriteError, MongoError, MongoErrorLabel, MongoServerError } from 'mongodb';

const DUPLICATE_KEY = 11_000;

// Errors after which a retry is useless: the driver has already waited until a timeout, or the client is closed.
const FINAL_NAMES = new Set([
  'MongoServerSelectionError',
  'MongoNetworkTimeoutError',
  'MongoWaitQueueTimeoutError',
  'MongoOperationTimeoutError',
  'MongoTopologyClosedError',
  'MongoNotConnectedError',
  'MongoClientClosedError',
]);

// Errors of the driver itself: no server, no connection, or no answer in time.
const UNREACHABLE_NAMES = new Set([
  ...FINAL_NAMES,
  'MongoNetworkError',
  'MongoServerClosedError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
]);

// Error codes of a server that stops, changes its role, or lacks disk space or time: HostUnreachable, HostNotFound,
// MaxTimeMSExpired, CursorNotFound (after a restart), WriteConcernTimeout (the write took effect, but may be rolled back),
// NetworkTimeout, ShutdownInProgress, FailedToSatisfyReadPreference, ReadConcernMajorityNotAvailableYet, QueryPlanKilled,
// PrimarySteppedDown, NetworkInterfaceExceededTimeLimit, ExceededTimeLimit, TemporarilyUnavailable, SocketException, the
// states of a primary that steps down, OutOfDiskSpace.
// https://github.com/mongodb/mongo/blob/v8.0/src/mongo/base/error_codes.yml
const UNREACHABLE_CODES = new Set([
  6, 7, 43, 50, 64, 89, 91, 133, 134, 175, 189, 202, 262, 365, 9001, 10058, 10107, 11600, 11602, 13435, 13436, 14031,
]);

/** Whether a unique index rejected a write. For a bulk write: whether this is the only reason for which writes failed. */
export const isDuplicate = (error: unknown): boolean => {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) return false;
  return (
    !(error instanceof MongoBulkWriteError) || [error.writeErrors].flat().every(({ code }) => code === DUPLICATE_KEY)
  );
};

// A bulk write throws the same class for all failures. Only an error of the server has a code.
const isBulkWriteWithoutAnswer = (error: unknown): boolean =>
  error instanceof MongoBulkWriteError && error.code === undefined;

// The driver passes on the system error of a connection that is reset while a write is buffered.
const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

const isUnreachable = (error: unknown): boolean =>
  isSystemError(error) ||
  isBulkWriteWithoutAnswer(error) ||
  (error instanceof MongoError &&
    (UNREACHABLE_NAMES.has(error.name) ||
      UNREACHABLE_CODES.has(Number(error.code)) ||
      error.hasErrorLabel(MongoErrorLabel.RetryableWriteError)));

/** Whether the connection broke in such a way that an immediate retry may succeed. */
export const isRetryable = (error: unknown): boolean =>
  isUnreachable(error) && !(error instanceof MongoError && FINAL_NAMES.has(error.name));

/** Translates an error of an unreachable database to `SERVICE_UNAVAILABLE`, and returns any other error unchanged. */
export const translated = (error: unknown): unknown =>
  isUnreachable(error)
    ? new AppError('SERVICE_UNAVAILABLE', 'The database cannot be reached at the moment.', { cause: error })
    : error;
