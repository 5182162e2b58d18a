/**
 * The URL of the module `name` in the same folder and with the same extension as `moduleUrl` (an `import.meta.url`):
 * `.ts` when the sources run directly, `.js` in a compiled package.
 */
export const siblingModule = (name: string, moduleUrl: string): URL =>
  new URL(`./${name}${moduleUrl.endsWith('.ts') ? '.ts' : '.js'}`, moduleUrl);
