// Where an account's credit came from: its movements replayed, oldest first. What is spent is what has been there longest; what comes back of an order
// comes from the charge that paid it, then from the credit that did. Amounts are integer minor units.
import type { PostingKind } from './ledger.ts';

/** A movement of an account's credit; above zero: more credit. */
export interface CreditMove {
  id: string;
  kind: PostingKind;
  reference: string;
  amountMinor: number;
}

/** What is left of credit that came at once from one place. */
export interface Lot {
  /** The journal that gave it. */
  journalId: string;
  /** The charge that it came from; null: nobody has paid it. */
  chargeId: string | null;
  leftMinor: number;
}

/** What the movements themselves do not say. */
export interface CreditFacts {
  /** By order: the charge that paid it, and how much of that may have become credit, less what was given back another way. */
  charges: ReadonlyMap<string, { id: string; openMinor: number }>;
  /** By the reference of what gave credit back: of which orders, and how much of each. */
  givenBack: ReadonlyMap<string, readonly { orderId: string | null; amountMinor: number }[]>;
  /** By the id of what takes credit of one charge (a pay-out, a refund by hand, a dispute): that charge. */
  takers: ReadonlyMap<string, string>;
}

interface Taken {
  lot: Lot;
  minor: number;
}

/** The charge behind money that became credit as it came; undefined: it did not come so. */
export function arrivedBy({ kind, reference }: Pick<CreditMove, 'kind' | 'reference'>): string | undefined {
  if (kind === 'payment_credited') return reference;
  if (kind === 'transfer_credited') return reference.replace(/^transfer:/, 'bank:');
  // Each part of a checkout's coins is credited by itself.
  return kind === 'crypto_credited' ? `crypto:${reference.slice(0, reference.lastIndexOf(':'))}` : undefined;
}

/** A thing's id in a reference that counts its tries or its parts. */
const thingOf = (reference: string): string => reference.split(':', 1)[0] ?? '';

/** What is left, the oldest first. */
export function lotsOf(moves: readonly CreditMove[], facts: CreditFacts): Lot[] {
  const history = new CreditHistory(facts);
  for (const move of moves) history.apply(move);
  return history.left();
}

class CreditHistory {
  readonly #facts: CreditFacts;
  readonly #lots: Lot[] = [];
  /** By what it was spent for. */
  readonly #spent = new Map<string, Taken[]>();
  readonly #open: Map<string, number>;

  constructor(facts: CreditFacts) {
    this.#facts = facts;
    this.#open = new Map([...facts.charges].map(([orderId, { openMinor }]) => [orderId, openMinor]));
  }

  left(): Lot[] {
    return this.#lots.filter(({ leftMinor }) => leftMinor > 0);
  }

  apply(move: CreditMove): void {
    const { kind, reference, amountMinor } = move;
    if (amountMinor < 0) return this.#spend(move, -amountMinor);
    const thing = thingOf(reference);
    if (kind === 'credit_released' || this.#facts.takers.has(thing)) return this.#returned(move, thing, amountMinor);
    const parts = this.#facts.givenBack.get(kind === 'refund_credited' ? thing : reference);
    if (!parts || arrivedBy(move) !== undefined) return this.#add(move, arrivedBy(move) ?? null, amountMinor);
    for (const part of parts) this.#comesBack(move, part);
  }

  #add({ id: journalId }: CreditMove, chargeId: string | null, leftMinor: number): void {
    if (leftMinor > 0) this.#lots.push({ journalId, chargeId, leftMinor });
  }

  #spend({ kind, reference }: CreditMove, minor: number): void {
    const thing = thingOf(reference);
    const chargeId = this.#facts.takers.get(thing);
    const isMeant = (lot: Lot) =>
      kind === 'credit_reversed' ? lot.journalId === reference : chargeId !== undefined && lot.chargeId === chargeId;
    const meant = this.#take(this.#lots.filter(isMeant), minor);
    const rest = this.#take(this.#lots, minor - sumOf(meant));
    this.#spent.set(thing, [...(this.#spent.get(thing) ?? []), ...meant, ...rest]);
  }

  #take(lots: readonly Lot[], minor: number): Taken[] {
    const taken: Taken[] = [];
    let open = minor;
    for (const lot of lots) {
      const part = Math.min(open, lot.leftMinor);
      if (part <= 0) continue;
      lot.leftMinor -= part;
      open -= part;
      taken.push({ lot, minor: part });
    }
    return taken;
  }

  /** What was spent for a thing is there again, the last of it first; what was never spent for it nobody has paid. */
  #returned(move: CreditMove, thing: string, minor: number): void {
    let open = minor;
    for (const taken of (this.#spent.get(thing) ?? []).toReversed()) {
      const part = Math.min(open, taken.minor);
      taken.minor -= part;
      taken.lot.leftMinor += part;
      open -= part;
    }
    this.#add(move, null, open);
  }

  /** Of an order: from what was charged for it, then from the credit that paid it. */
  #comesBack(move: CreditMove, { orderId, amountMinor }: { orderId: string | null; amountMinor: number }): void {
    const charge = orderId === null ? undefined : this.#facts.charges.get(orderId);
    const open = this.#open.get(orderId ?? '') ?? 0;
    const charged = charge ? Math.max(0, Math.min(amountMinor, open)) : 0;
    if (charge) this.#add(move, charge.id, charged);
    this.#open.set(orderId ?? '', open - charged);
    this.#returned(move, orderId ?? '', amountMinor - charged);
  }
}

const sumOf = (taken: readonly Taken[]): number => taken.reduce((sum, { minor }) => sum + minor, 0);
