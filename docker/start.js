// Starts the host that is named: `start.js api` or `start.js worker`.
const hosts = new Map([
  ['api', '../hosts/api/start.js'],
  ['worker', '../hosts/worker/start.js'],
]);
const [name = ''] = process.argv.splice(2, 1);
const host = hosts.get(name);
if (host === undefined) {
  console.error('Start "api" or "worker", not:', name);
  process.exit(1);
}
await import(host);
