// The customer that stands for an account at a payment processor.
import { existingAccount } from '../../../identity/entities/account.ts';
import { type ProcessorCustomer, customerOfAccount, existingCustomer, insertCustomer } from '../entities/processor-customer.ts';
import type { MethodName } from '../domain/payment-method.ts';
import { methodOf, savedMeansOf } from '../providers/payment-methods.ts';
import type { PaymentsContext } from '../context.ts';

/** The account at the processor of a method, made when it is first needed. */
export async function customerOf(ctx: PaymentsContext, name: MethodName, accountId: string): Promise<ProcessorCustomer> {
  const em = ctx.em.fork();
  const { processor } = methodOf(name);
  const known = await customerOfAccount(em, processor, accountId);
  if (known) return known;
  const { email } = await existingAccount(em, accountId);
  const processorId = await savedMeansOf(ctx.providers, name).customer({ accountId, email: email ?? undefined });
  await insertCustomer(em, processor, accountId, processorId);
  return existingCustomer(ctx.em.fork(), processor, accountId);
}
