/** The adapter and the port of a contract suite: `SqliteMailLedger, a MailLedger`. */
export interface Subject {
  readonly port: string;
  readonly adapter: string;
}

/** Parses the title of a contract suite. Returns `undefined` for other titles. `ports` are the known names. */
export const subjectOf = (title: string, ports: ReadonlySet<string>): Subject | undefined => {
  const [, adapter = '', port = ''] = /^(.+?)(?:, an? | as (?:an? )?)([A-Z][A-Za-z]*)$/.exec(title) ?? [];
  return ports.has(port) ? { port, adapter } : undefined;
};

/** Whether the title names a further part of an adapter's suite: `The closed accounts of SqliteAccountRepository`. */
export const isPartOf = (title: string, { adapter }: Subject): boolean => title.endsWith(` of ${adapter}`);

/** The backend of a suite with the title `on BACKEND`. */
export const backendOf = (title: string): string | undefined => /^on (.+)$/.exec(title)?.[1];

/** The reason in the title of a test that states why tests are pending. */
export const reasonOf = (title: string): string | undefined => /^is left out(?::|, because) (.+)$/s.exec(title)?.[1];

/** Whether a test reports a missing server. It fails if the server is required. */
export const isNeedOfServer = (title: string): boolean => title.startsWith('needs a server: ');
