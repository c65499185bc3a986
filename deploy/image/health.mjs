// Exits with 0 when the process of this container answers: `health.mjs` asks whether it is alive, `health.mjs /health/ready` whether it can serve.
const [asked = '/health/live'] = process.argv.slice(2);
const answer = await fetch(new URL(asked, `http://127.0.0.1:${process.env.HEALTH_PORT}`), { signal: AbortSignal.timeout(4_000) });
if (!answer.ok) process.stderr.write(`${asked} answers ${answer.status}: ${await answer.text()}\n`);
process.exit(answer.ok ? 0 : 1);
