// Types of the subgraph accounts; here they have only their ids.
import { builder } from '../../builder.ts';

interface Stub {
  id: string;
}

function stub(name: string) {
  const ref = builder.objectRef<Stub>(name).implement({ fields: (t) => ({ id: t.exposeID('id') }) });
  builder.asEntity(ref, { key: builder.keyDirective(builder.selection<Stub>('id'), false), resolveReference: ({ id }) => ({ id }) });
  return ref;
}

export const Account = stub('Account');
export const BillingSubscription = stub('BillingSubscription');
