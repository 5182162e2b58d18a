/** The kind of recognition jobs. A job makes a worker claim the next document; it does not name a document. */
export const RECOGNIZE_JOB = 'recognize';

/** The kind of the jobs that write and send one mail each. */
export const SEND_MAIL_JOB = 'send-mail';

/** The kind of the jobs that index a changed text, in case the process died after the change. */
export const INDEX_JOB = 'index';
