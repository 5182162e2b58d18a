/**
 * The module `name` beside the one whose `import.meta.url` is `moduleUrl`, with the same ending: `.ts` where sources
 * are run directly, `.js` in compiled packages. So a package names the script of its children once for both.
 */
export const siblingModule = (name: string, moduleUrl: string): URL =>
  new URL(`./${name}${moduleUrl.endsWith('.ts') ? '.ts' : '.js'}`, moduleUrl);
