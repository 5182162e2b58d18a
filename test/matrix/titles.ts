/** The adapter and the port of a contract suite: `SqliteMailLedger, a MailLedger`. */
export interface Subject {
  readonly port: string;
  readonly adapter: string;
}

/**
 * Parses the title of a contract suite, which may name a part: `X, a Rasterizer of PDF` or `X, a WordDiff, with long texts`.
 * Returns `undefined` for other titles. `ports` are the known names.
 */
export const subjectOf = (title: string, ports: ReadonlySet<string>): Subject | undefined => {
  const [, adapter = '', port = ''] = /^(.+), an? ([A-Z][A-Za-z]*)(?:$|,| of )/.exec(title) ?? [];
  return ports.has(port) ? { port, adapter } : undefined;
};

/** Whether the title names a further part of an adapter's suites: `SqliteAccountRepository, closed accounts`. */
export const isPartOf = (title: string, { adapter }: Subject): boolean => title.startsWith(`${adapter}, `);

/** The backend of a suite with the title `on BACKEND`. */
export const backendOf = (title: string): string | undefined => /^on (.+)$/.exec(title)?.[1];

/** The reason in the title of a test that states why tests are pending. */
export const reasonOf = (title: string): string | undefined => /^is skipped: (.+)$/s.exec(title)?.[1];

/** Whether a test reports a missing server. It fails if the server is required. */
export const isNeedOfServer = (title: string): boolean => title.startsWith('needs a server: ');
