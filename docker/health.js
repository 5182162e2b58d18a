// Exits with 0 if the host in this container answers that it is alive. Whether it can reach what it depends on is /readyz,
// which is for those who send it requests: it is not made better by a restart.
const port = process.env.WORKER_HEALTH_PORT || process.env.PORT || '3000';
try {
  const response = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(4_000) });
  process.exitCode = response.ok ? 0 : 1;
} catch (error) {
  console.error(error.cause ?? error);
  process.exitCode = 1;
}
