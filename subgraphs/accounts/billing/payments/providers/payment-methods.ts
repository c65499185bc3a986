// Every way to pay, registered by its name. What differs between them is a row here or a method of the port: nobody else asks for a name.
import type { Failure } from '#platform/errors.ts';
import type { Language } from '#platform/language.ts';
import type { Platform } from '#platform/platform.ts';
import type { MethodName, PaymentMethod, Processor } from '../domain/payment-method.ts';
import { accountCredit } from './account-credit/account-credit.ts';
import { bankTransfer } from './bank-transfer/bank-transfer.ts';
import { card } from './card/card.ts';
import { crypto } from './crypto/crypto.ts';
import { paypal } from './paypal/paypal.ts';
import type { AskedPrice, MethodDefinition } from './method-definition.ts';
import type { PaymentProcessor } from './payment-processor.ts';
import type { ProcessorBalance } from './processor-balance.ts';
import type { RecurringCharges } from './recurring-charges.ts';
import type { Wallet } from './saved-means.ts';

/** In the order in which buyers are offered them. */
export const PAYMENT_METHODS: Record<MethodName, MethodDefinition> = {
  CARD: card,
  PAYPAL: paypal,
  CRYPTO: crypto,
  BANK_TRANSFER: bankTransfer,
  CREDIT: accountCredit,
};

/** Undefined: not configured. */
export type PaymentProcessors = Readonly<Record<MethodName, PaymentProcessor | undefined>>;

/** The processor of each method, made once per process. */
export const createPaymentProcessors = (platform: Platform): PaymentProcessors =>
  Object.fromEntries(Object.entries(PAYMENT_METHODS).map(([name, { create }]) => [name, create(platform)])) as PaymentProcessors;

export const methodOf = (name: MethodName): MethodDefinition => PAYMENT_METHODS[name];

/** Whose notices come from a source; undefined: there is none. */
export const methodOfSource = (source: string): MethodDefinition | undefined =>
  Object.values(PAYMENT_METHODS).find(({ processor }) => processor === source);

/** What the signature of a source's notices comes in; undefined: nobody sends notices from there. */
export const signatureHeadersOf = (source: string): readonly string[] | undefined => methodOfSource(source)?.signatureHeaders;

/** By what a payment calls who took it. */
export function methodOfProcessor(processor: Processor): MethodDefinition {
  const method = methodOfSource(processor);
  if (!method) throw new Error(`${processor} is no payment method`);
  return method;
}

/** The names of the methods of which something holds, in their order. */
const methodsThat = (holds: (method: MethodDefinition) => boolean): MethodName[] =>
  Object.values(PAYMENT_METHODS)
    .filter(holds)
    .map(({ name }) => name);

/** How a method stands in a sentence: "Paid by ...". */
export function labelOf(name: MethodName, language: Language): string {
  const { label } = methodOf(name);
  return typeof label === 'string' ? label : label[language];
}

/** What an order can be placed by. */
export const orderMethods = () => methodsThat(({ opens }) => opens !== 'NOTHING') as PaymentMethod[];
/** Where money can be given back to. */
export const refundDestinations = () => methodsThat(({ refunds }) => refunds !== 'NEVER');
/** Where money can go: of an order that is refunded, and of credit that is paid out, also by hand. */
export const payOutDestinations = () => [...refundDestinations(), ...methodsThat(({ refunds }) => refunds === 'NEVER')];
/** How a person sends what came by a method when no processor does: by that method where its money is sent by hand at all, else to a bank account. */
export const sentByHand = (name: MethodName): MethodName => (methodOf(name).refunds === 'NEVER' ? name : bankTransfer.name);
/** Whether renewals by it are charged to what was saved. */
export const isCharged = (name: MethodName): boolean => methodOf(name).renewal === 'CHARGED';
export const chargedMethods = () => orderMethods().filter(isCharged);
/** What jobs mean that name no method: those of the first release, which had one. */
export const FIRST_METHOD = card.name;
/** What pays without a processor, and what is given back where no processor takes it. */
export const CREDIT = accountCredit.name;

/** Errors: that of the method where it is not configured. */
export function processorOf({ payments }: { payments: PaymentProcessors }, name: MethodName): PaymentProcessor {
  const processor = payments[name];
  if (!processor) throw methodOf(name).unavailable();
  return processor;
}

/** Why a price cannot be paid this way, as the failure that ordering it would be; undefined when it can. */
export const whyNotMethod = ({ payments }: { payments: PaymentProcessors }, name: MethodName, price: AskedPrice): Failure | undefined =>
  payments[name] ? methodOf(name).whyNot(price) : methodOf(name).unavailable();

/** Where the means of a method whose renewals are CHARGED are kept. Errors: that of the method where it is not configured. */
export const savedMeansOf = (providers: { payments: PaymentProcessors }, name: MethodName): Wallet => part(providers, name, 'means');

/** Whether something can be saved by it here. */
export const keepsMeans = ({ payments }: { payments: PaymentProcessors }, name: MethodName): boolean => Boolean(payments[name]?.means);

/** Of a method whose renewals are CHARGED. Errors: that of the method where it is not configured. */
export const chargesOf = (providers: { payments: PaymentProcessors }, name: MethodName): RecurringCharges =>
  part(providers, name, 'charges');

/** The processors that keep books of our money, with their methods. */
export const balancesOf = ({ payments }: { payments: PaymentProcessors }): { method: MethodDefinition; balance: ProcessorBalance }[] =>
  Object.values(PAYMENT_METHODS).flatMap((method) => {
    const balance = payments[method.name]?.balance;
    return balance ? [{ method, balance }] : [];
  });

function part<Part extends 'means' | 'charges'>(
  providers: { payments: PaymentProcessors },
  name: MethodName,
  which: Part,
): NonNullable<PaymentProcessor[Part]> {
  const found = processorOf(providers, name)[which];
  if (!found) throw new Error(`payment by ${name} has no ${which}`);
  return found;
}
