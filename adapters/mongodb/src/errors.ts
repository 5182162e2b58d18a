import { AppError } from '@palimpsest/core';
import { MongoBulkWriteError, MongoError, MongoErrorLabel, MongoServerError } from 'mongodb';

const DUPLICATE_KEY = 11_000;

// The driver has waited for as long as it may, or waits for nothing any more.
const FINAL_NAMES = new Set([
  'MongoServerSelectionError',
  'MongoNetworkTimeoutError',
  'MongoWaitQueueTimeoutError',
  'MongoOperationTimeoutError',
  'MongoTopologyClosedError',
  'MongoNotConnectedError',
  'MongoClientClosedError',
]);

// Client-side faults of the driver: no server, no connection, no answer in time.
const UNREACHABLE_NAMES = new Set([
  ...FINAL_NAMES,
  'MongoNetworkError',
  'MongoServerClosedError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
]);

// What a server says that stops, changes its role or has no room or time: HostUnreachable, HostNotFound, CursorNotFound (of
// one that was started anew), MaxTimeMSExpired, WriteConcernTimeout (what it is about is done, but perhaps not for good),
// NetworkTimeout, ShutdownInProgress, FailedToSatisfyReadPreference, ReadConcernMajorityNotAvailableYet, QueryPlanKilled,
// PrimarySteppedDown, NetworkInterfaceExceededTimeLimit, ExceededTimeLimit, TemporarilyUnavailable, SocketException, the
// states of a primary that steps down, OutOfDiskSpace.
// https://github.com/mongodb/mongo/blob/v8.0/src/mongo/base/error_codes.yml
const UNREACHABLE_CODES = new Set([
  6, 7, 43, 50, 64, 89, 91, 133, 134, 175, 189, 202, 262, 365, 9001, 10058, 10107, 11600, 11602, 13435, 13436, 14031,
]);

/** Whether a unique index refused a write; of several writes, all that were refused, if nothing else was amiss. */
export const isDuplicate = (error: unknown): boolean => {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) return false;
  return (
    !(error instanceof MongoBulkWriteError) || [error.writeErrors].flat().every(({ code }) => code === DUPLICATE_KEY)
  );
};

// Of several writes the driver throws an error of one kind, whatever happened. What a server said has a code.
const isDriversOwn = (error: unknown): boolean => error instanceof MongoBulkWriteError && error.code === undefined;

// The driver gives the system's own error of a connection that is reset while it waits for room to write.
const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;

const isUnreachable = (error: unknown): boolean =>
  isSystemError(error) ||
  isDriversOwn(error) ||
  (error instanceof MongoError &&
    (UNREACHABLE_NAMES.has(error.name) ||
      UNREACHABLE_CODES.has(Number(error.code)) ||
      error.hasErrorLabel(MongoErrorLabel.RetryableWriteError)));

/** Whether the connection broke so that what was asked may be asked once more at once. */
export const isWorthAnotherTry = (error: unknown): boolean =>
  isUnreachable(error) && !(error instanceof MongoError && FINAL_NAMES.has(error.name));

/** `SERVICE_UNAVAILABLE` for an error that says that the database cannot be reached now; any other error as it is. */
export const translated = (error: unknown): unknown =>
  isUnreachable(error)
    ? new AppError('SERVICE_UNAVAILABLE', 'The database cannot be reached at the moment.', { cause: error })
    : error;
