// Invoices as files: a page of the graph cannot hand a browser a PDF. The session's cookie says whose, so that a plain link works.
import type { DoorParts } from '#platform/doors.ts';
import { systemViewer } from '#platform/identity.ts';
import { requireMethod, sendPdf } from '#platform/respond.ts';
import type { Route } from '#platform/route.ts';
import { mayAsStaff } from '#platform/staff-rights.ts';

const PATH = /^\/invoices\/(inv_[0-9a-z]{26})\.pdf$/;

const DOCUMENT = `query invoiceDocument($id: ID!, $accountId: ID) {
  document: invoiceDocument(id: $id, accountId: $accountId) { fileName base64 }
}`;

/** `GET /invoices/{id}.pdf`: the owner's, and any for support. session_invalid 401; invoice_not_found 404, also for another account's. */
export function createInvoiceRoute({ ask, session }: Pick<DoorParts, 'ask' | 'session'>): Route {
  return {
    name: 'invoices',
    matches: (pathname) => PATH.test(pathname),
    async handle(request, response, call) {
      requireMethod(request, response, 'GET', 'HEAD');
      const viewer = await session(request, call, 'billing');
      const id = PATH.exec(call.url.pathname)?.[1];
      const variables = { id, ...(!mayAsStaff(viewer, 'customers') && { accountId: viewer.accountId }) };
      const asDoor = { ...systemViewer('invoices', call.requestId), address: call.address };
      const { document } = await ask<{ document: { fileName: string; base64: string } }>(DOCUMENT, variables, asDoor);
      sendPdf(request, response, document);
    },
  };
}
