import { createHash } from 'node:crypto';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';

/** GraphiQL from the package, whole in one page; its inline scripts are allowed by their hashes, so that nothing else runs. */
export function renderPage(endpoint: string): { html: string; policy: string } {
  const html = renderGraphiQL({ title: 'GraphiQL', endpoint, subscriptionsProtocol: 'WS', defaultQuery: '{ me { email } }' });
  const hashes = [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script]) =>
      `'sha256-${createHash('sha256')
        .update(script ?? '')
        .digest('base64')}'`,
  );
  const policy = [
    "default-src 'none'",
    `script-src ${hashes.join(' ')} blob:`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self' ws: wss:",
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { html, policy };
}
