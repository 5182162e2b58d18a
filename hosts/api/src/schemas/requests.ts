import { DEFAULT_LIMIT, exportFormats, MAX_LIMIT } from '@palimpsest/core';
import { z } from 'zod';

// What requests may hold. The messages are the end of the sentence "<field>: give …". Where a rule is the core's (how
// long a password may be, what an address is), the schema lets through what the core is to judge, and `override` shows
// clients the rule itself.

const wholeNumber = (min: number, allowed: string) =>
  z
    .string({ error: allowed })
    .regex(/^-?\d{1,400}$/, allowed)
    .transform((text) => Math.min(Number(text), Number.MAX_SAFE_INTEGER))
    .refine((value) => value >= min, allowed);

/** Shows a parameter that is written in digits as the number that it is. */
const shownAsInteger =
  (shown: Readonly<Record<string, number>>) =>
  ({ jsonSchema }: { jsonSchema: object }): void => {
    Reflect.deleteProperty(jsonSchema, 'pattern');
    Object.assign(jsonSchema, { type: 'integer', ...shown });
  };

export const pagingQuery = z.object({
  limit: wholeNumber(1, 'a whole number from 1 (more than 200 counts as 200)')
    .optional()
    .meta({
      description: `How many items to give, at most. More than ${MAX_LIMIT} counts as ${MAX_LIMIT}; \`paging.limit\` says what was applied.`,
      override: shownAsInteger({ minimum: 1, default: DEFAULT_LIMIT }),
      param: { example: DEFAULT_LIMIT },
    }),
  offset: wholeNumber(0, 'a whole number from 0')
    .optional()
    .meta({
      description: 'How many items to skip.',
      override: shownAsInteger({ minimum: 0, default: 0 }),
      param: { example: 0 },
    }),
});

export const searchQuery = z.object({
  q: z.string('one text to search for, of at most 500 characters').meta({
    description:
      'What to search for. Every word must occur, in the title, the current text or the file name; case and diacritics do not matter. `"a phrase"` must occur as it is, `prefix*` finds words that begin so, `-without` shuts documents with this word out.',
    override: { minLength: 1, maxLength: 500 },
    param: { example: 'invoice "net amount" -draft' },
  }),
  ...pagingQuery.shape,
});

export const exportQuery = z.object({
  format: z.enum(exportFormats, { error: 'docx or xlsx' }).meta({
    description: '`docx`: Word; `xlsx`: Excel.',
    param: { example: 'docx' },
  }),
  formatted: z
    .enum(['true', 'false'], { error: 'true or false' })
    .optional()
    .meta({
      description:
        'Whether the title stands above the text as a heading, with pages and paragraphs kept apart. `false`: the text alone.',
      override: { type: 'string', default: 'true' },
      param: { example: 'true' },
    }),
});

const revisionNumber = wholeNumber(0, 'the number of a revision, or 0 for the original text').optional();

export const diffQuery = z.object({
  from: revisionNumber.meta({
    description: 'The number of the revision to compare from; 0 is the original text.',
    override: shownAsInteger({ minimum: 0, default: 0 }),
    param: { example: 0 },
  }),
  to: revisionNumber.meta({
    description: 'The number of the revision to compare to; the newest if it is not given.',
    override: shownAsInteger({ minimum: 0 }),
    param: { example: 1 },
  }),
});

const emailField = z
  .string('an e-mail address')
  .max(1000, 'an e-mail address')
  .meta({
    description: 'One plain e-mail address. Upper and lower case are the same.',
    examples: ['ada@example.org'],
    override: { format: 'email', maxLength: 254 },
  });

const passwordField = z.string('a text of 8 to 256 characters').max(100_000, 'a text of 8 to 256 characters');

const newPasswordField = passwordField.meta({
  description: 'Any Unicode; nothing is trimmed. The passwords that are guessed first are refused.',
  examples: ['correct horse battery staple'],
  override: { format: 'password', minLength: 8, maxLength: 256 },
});

const knownPasswordField = passwordField.meta({
  description: 'The password of the account.',
  examples: ['correct horse battery staple'],
  override: { format: 'password', maxLength: 256 },
});

const tokenField = z
  .string('the token as it was given')
  .min(1, 'the token as it was given')
  .max(1000, 'the token as it was given');

const mailedTokenField = tokenField.meta({
  description: 'The token of the link in the e-mail.',
  examples: ['3q2-7wX0mZJ8vQ4tYbN1cA6sRkLdPfHuEoIyGjTzWxU'],
});

export const credentials = z.object({ email: emailField, password: knownPasswordField }).meta({ id: 'Credentials' });
/** Parsed like any credentials; whether the password may be chosen is the core's to say. */
export const registration = credentials.extend({ password: newPasswordField }).meta({ id: 'Registration' });
export const emailAlone = z.object({ email: emailField }).meta({ id: 'EmailAddress' });
export const passwordAlone = z.object({ password: knownPasswordField }).meta({ id: 'PasswordConfirmation' });

export const refresh = z
  .object({
    refresh_token: tokenField.meta({
      description: 'The newest refresh token of the session.',
      examples: ['pR5nW8yZ1uV4tQ7sX0cB3mK6jH9gF2dA-LeOiNbTzYw'],
    }),
  })
  .meta({ id: 'RefreshRequest' });

export const logout = z
  .object({
    all: z
      .boolean('true or false')
      .optional()
      .meta({
        description: 'Whether all sessions of the account end, on every device; otherwise this one alone.',
        examples: [false],
        override: { default: false },
      }),
  })
  .meta({ id: 'LogoutRequest' })
  .optional();

export const mailedToken = z.object({ token: mailedTokenField }).meta({ id: 'MailedToken' });
export const passwordReset = z
  .object({ token: mailedTokenField, password: newPasswordField })
  .meta({ id: 'PasswordReset' });
export const passwordChange = z
  .object({ current_password: knownPasswordField, password: newPasswordField })
  .meta({ id: 'PasswordChange' });

export const revision = z
  .object({
    revised_text: z.string('a text (it may be empty)').meta({
      description:
        'The whole corrected text. It may be empty and may have up to 5 MiB in UTF-8, without NUL characters and lone surrogates. Pages are parted by a form feed (`\\f`), as in the original.',
      examples: ['Invoice No. 4711\nNet amount: 120.00'],
    }),
  })
  .meta({ id: 'RevisionRequest' });

export const uploadFields = z.object({
  title: z
    .string('one text of at most 300 characters')
    .optional()
    .meta({
      description:
        'A descriptive title of at most 300 characters. Blank or not given: the file name without its extension.',
      examples: ['Invoice of March'],
    }),
});
