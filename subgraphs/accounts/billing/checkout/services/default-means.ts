// What an order is charged to that nobody is there to pay.
import { customersOfAccount } from '../../payments/entities/processor-customer.ts';
import type { PaymentMethod } from '../../payments/domain/payment-method.ts';
import { chargedMethods, methodOf, whyNotMethod } from '../../payments/providers/payment-methods.ts';
import type { CheckoutContext } from '../context.ts';

/** The means that the account's next charge goes to: the default of the first payment method that has one, and takes such a price where it is known. */
export async function defaultMeansOf(
  ctx: CheckoutContext,
  accountId: string,
  totalMinor?: number,
): Promise<{ method: PaymentMethod; meansId: string } | undefined> {
  const customers = await customersOfAccount(ctx.em, accountId);
  for (const method of chargedMethods()) {
    const meansId = customers.find(({ processor }) => processor === methodOf(method).processor)?.defaultMeansId;
    if (meansId && (totalMinor === undefined || !whyNotMethod(ctx.providers, method, { totalMinor, recurs: true })))
      return { method, meansId };
  }
  return undefined;
}
