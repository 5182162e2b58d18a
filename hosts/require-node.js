// Plain JavaScript, so that any Node can read it and say what is missing.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 12)) {
  console.error(
    `Palimpsest needs Node.js 24.12 or newer; this is ${process.versions.node}. On Linux and Windows "npm ci" brings the right one, elsewhere install it first.`,
  );
  process.exit(1);
}
