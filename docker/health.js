// Exits with status 0 if the host in this container is alive. It does not check /readyz, because a restart does not repair
// a missing dependency.
const port = process.env.WORKER_HEALTH_PORT || process.env.PORT || '3000';
try {
  const response = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(4_000) });
  process.exitCode = response.ok ? 0 : 1;
} catch (error) {
  console.error(error.cause ?? error);
  process.exitCode = 1;
}
