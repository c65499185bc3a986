// Invoices as files: a page of the graph cannot hand a browser a PDF. The session's cookie says whose, so that a plain link works.
import { fail, fromExtensions } from '#platform/errors.ts';
import { systemViewer } from '#platform/identity.ts';
import type { Access } from './sign-in/access.ts';
import { requireMethod } from '#platform/respond.ts';
import type { Route } from '#platform/route.ts';
import type { SessionCookie } from './sign-in/session-cookie.ts';
import type { Source } from './graph/sources/source.ts';

const PATH = /^\/invoices\/(inv_[0-9a-z]{26})\.pdf$/;

const DOCUMENT = `query invoiceDocument($id: ID!, $accountId: ID) {
  document: invoiceDocument(id: $id, accountId: $accountId) { fileName base64 }
}`;

/** `GET /invoices/{id}.pdf`: the owner's, and any for support. session_invalid 401; invoice_not_found 404, also for another account's. */
export function createInvoiceRoute({ accounts, access, cookie }: { accounts: Source; access: Access; cookie: SessionCookie }): Route {
  return {
    name: 'invoices',
    matches: (pathname) => PATH.test(pathname),
    async handle(request, response, { url, requestId, address }) {
      requireMethod(request, response, 'GET', 'HEAD');
      const viewer = await access.admitSession(cookie.read(request), { address, requestId });
      if (viewer.kind !== 'session') throw fail('session_invalid');
      const id = PATH.exec(url.pathname)?.[1];
      const variables = { id, ...(!viewer.staff && { accountId: viewer.accountId }) };
      const { data, errors } = await accounts.execute({ query: DOCUMENT, variables }, { ...systemViewer('invoices', requestId), address });
      const [error] = errors ?? [];
      if (error || !data) throw (error && fromExtensions(error.message, error.extensions)) ?? fail('internal');
      const { fileName, base64 } = data['document'] as { fileName: string; base64: string };
      const pdf = Buffer.from(base64, 'base64');
      response
        .writeHead(200, {
          'Content-Type': 'application/pdf',
          'Content-Length': pdf.length,
          'Content-Disposition': `attachment; filename="${fileName}"`,
          'Cache-Control': 'no-store',
        })
        .end(request.method === 'HEAD' ? undefined : pdf);
    },
  };
}
