// Plain JavaScript, so that an old Node.js version can run it and print the required version.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 12)) {
  console.error(
    `Palimpsest needs Node.js 24.12 or newer; this is ${process.versions.node}. On Linux and Windows "npm ci" installs the right version; on other systems, install it first.`,
  );
  process.exit(1);
}
