/** What a contract suite is about: `SqliteMailLedger, a MailLedger`. */
export interface Subject {
  readonly port: string;
  readonly adapter: string;
}

/** What the title of a contract suite tells, `undefined` for other titles. `ports` are the names that count. */
export const subjectOf = (title: string, ports: ReadonlySet<string>): Subject | undefined => {
  const [, adapter = '', port = ''] = /^(.+?)(?:, an? | as (?:an? )?)([A-Z][A-Za-z]*)$/.exec(title) ?? [];
  return ports.has(port) ? { port, adapter } : undefined;
};

/** Whether the title is of a further part of the suites of an adapter: `The closed accounts of SqliteAccountRepository`. */
export const isPartOf = (title: string, { adapter }: Subject): boolean => title.endsWith(` of ${adapter}`);

/** The backend that a suite titled `on BACKEND` runs against. */
export const backendOf = (title: string): string | undefined => /^on (.+)$/.exec(title)?.[1];

/** Why tests are left out, from the title of the one that says so. */
export const reasonOf = (title: string): string | undefined => /^is left out(?::|, because) (.+)$/s.exec(title)?.[1];

/** Whether a test stands for a server that is not there: it fails where the server is required. */
export const isNeedOfServer = (title: string): boolean => title.startsWith('needs a server: ');
