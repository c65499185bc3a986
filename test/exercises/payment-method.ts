// Adds a payment method without a processor: vouchers.
import type { CopiedTree } from './copied-tree.ts';

const methods = 'subgraphs/accounts/billing/payments';
const page = 'web/src/lib/payment-methods/payment-methods.ts';

/** Returns the paths of its parts: the folder in accounts, the dashboard's file, and the migration of the check constraints. */
export function addPaymentMethod(tree: CopiedTree): { methods: string; page: string; migration: string } {
  const migration = `migrations/${tree.nextMigration()}-vouchers.sql`;
  tree.write(
    migration,
    `-- Customers pay with vouchers.
alter table accounts.customer_order
  drop constraint customer_order_method,
  add constraint customer_order_method check (method in ('CARD', 'BANK_TRANSFER', 'CRYPTO', 'VOUCHER'));
alter table accounts.invoice_settlement
  drop constraint invoice_settlement_method_check,
  add constraint invoice_settlement_method_check check (method in ('CARD', 'BANK_TRANSFER', 'CRYPTO', 'CREDIT', 'VOUCHER'));
alter table accounts.refund
  drop constraint refund_destination_check,
  add constraint refund_destination_check check (destination in ('CARD', 'PAYPAL', 'CREDIT')
    or kind = 'PAY_OUT' and destination in ('CRYPTO', 'BANK_TRANSFER', 'VOUCHER') and pay_to is not null);
`,
  );
  tree.write(
    `${methods}/providers/voucher/voucher.ts`,
    `import { HOUR } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import type { MethodDefinition } from '../method-definition.ts';
import { withoutProcessor } from '../payment-processor.ts';

export const voucher = {
  name: 'VOUCHER',
  processor: 'voucher',
  label: 'voucher',
  paidOutTo: { en: 'your address, as vouchers', de: 'an Ihre Adresse, als Gutscheine' },
  ledger: 'PROCESSOR',
  opens: 'INSTRUCTIONS',
  validMs: HOUR,
  renewal: 'ASKED',
  refunds: 'NEVER',
  unpaidMax: { account: 3, address: 15 },
  whyNot: () => undefined,
  whyNotRest: () => undefined,
  unavailable: () => fail('vendor_unavailable'),
  create: () => withoutProcessor('vouchers'),
} as const satisfies MethodDefinition;
`,
  );
  tree.edit(`${methods}/providers/payment-methods.ts`, '  CREDIT: accountCredit,\n', '  CREDIT: accountCredit,\n  VOUCHER: voucher,\n');
  tree.edit(
    `${methods}/providers/payment-methods.ts`,
    `import { crypto } from './crypto/crypto.ts';\n`,
    `import { crypto } from './crypto/crypto.ts';\nimport { voucher } from './voucher/voucher.ts';\n`,
  );
  tree.edit(`${methods}/domain/payment-method.ts`, `'BANK_TRANSFER';`, `'BANK_TRANSFER' | 'VOUCHER';`);
  tree.edit(`${methods}/domain/payment-method.ts`, `'bank' | 'credit';`, `'bank' | 'credit' | 'voucher';`);
  for (const name of ['PaymentMethod', 'RefundDestination'])
    tree.edit('schema/accounts.graphql', `enum ${name} {\n`, `enum ${name} {\n  VOUCHER\n`);
  tree.edit(page, 'const { CARD, ', 'const { VOUCHER, CARD, ');
  tree.edit(
    page,
    '  BANK_TRANSFER: {\n',
    `  VOUCHER: { icon: CreditCard, text: VOUCHER, waiting: () => VOUCHER.waiting, confirmedBySupport: true },\n  BANK_TRANSFER: {\n`,
  );
  const words = `  VOUCHER: {
    name: 'Voucher',
    lead: () => 'Send us its number.',
    pay: (amount: string) => \`Order for \${amount}\`,
    after: 'The next page says where to.',
    waiting: { title: 'Send the voucher', lead: 'Support confirms it.' },
  },
`;
  for (const language of ['en', 'de'])
    tree.edit(`web/src/lib/text/${language}/payment-methods.ts`, '  BANK_TRANSFER: {\n', `${words}  BANK_TRANSFER: {\n`);
  return { methods, page, migration };
}
