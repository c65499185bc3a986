// What an offer comes to and how it is ordered. All figures come from the API, so that the price shown is the price charged.
import { goto } from '$app/navigation';
import type { Failure } from '#lib/failure.ts';
import { query } from '#lib/live.svelte.ts';
import { millisecondsUntil } from '#lib/now.svelte.ts';
import { leaveTo, operation } from '#lib/operation.svelte.ts';
import { OrderPreview, type PaymentMethod, type Preview } from '#lib/ops/checkout.ts';
import { OrderPlace } from '#lib/ops/order.ts';
import { paymentMethods, type PaymentMethodView } from '#lib/payment-methods/payment-methods.ts';
import { uniqueKey } from '#lib/unique.ts';

export interface Ordering {
  /** The present price; while another one is asked for, the one before it. */
  readonly preview: Preview | undefined;
  /** Whether the price of the present offer is still to come. */
  readonly waiting: boolean;
  readonly failure: Failure | undefined;
  method: PaymentMethod | undefined;
  readonly view: PaymentMethodView | undefined;
  /** Milliseconds until the price expires. */
  readonly left: number;
  /** Whether account credit covers all of it. */
  readonly covered: boolean;
  /** Whether it can be ordered by this method; false while the price is being asked for. */
  readonly possible: boolean;
  readonly coupon: { readonly applied: string | undefined; readonly busy: boolean; readonly failure: Failure | undefined };
  readonly busy: boolean;
  /** Why the last press has ordered nothing. */
  readonly refusal: Failure | undefined;
  apply(coupon: string | undefined): void;
  reload(): void;
  pay(): Promise<void>;
}

/** Follows the offer that `token` gives; undefined: nothing is chosen. */
export function ordering(token: () => string | undefined): Ordering {
  const variables = $derived.by(() => {
    const offer = token();
    return offer === undefined ? null : { offer };
  });
  const asked = query(OrderPreview, () => variables, 'network-only');
  let code = $state<string>();
  const couponed = query(OrderPreview, () => (code !== undefined && variables ? { ...variables, coupon: code } : null), 'network-only');
  // While a coupon is being checked, and when it is refused, the price without it is shown.
  const preview = $derived.by(() => {
    if (variables === null) return;
    const withCoupon = code !== undefined && !couponed.loading && !couponed.failure && couponed.data;
    return (withCoupon || asked.data)?.orderPreview;
  });
  let chosen = $state<PaymentMethod>();
  /** The API lists the methods in the order in which buyers should see them. */
  const method = $derived(chosen ?? preview?.methods[0]?.method);
  const view = $derived(method && paymentMethods[method]);
  const left = $derived(preview ? millisecondsUntil(preview.offer.expiresAt) : 0);
  const covered = $derived(preview?.toPay.amountMinor === 0);
  const waiting = $derived(variables !== null && asked.loading);
  const possible = $derived(
    preview !== undefined &&
      !waiting &&
      !asked.failure &&
      left > 0 &&
      !preview.countryRequired &&
      (covered || preview.methods.some((choice) => choice.method === method && choice.allowed)),
  );

  /** The order's page replaces this one in the history, so that Back from the processor leads to the order that waits for its payment. */
  const toOrder = (id: string) => goto(`/orders/${id}`, { replace: true });
  const place = operation(OrderPlace, {
    async done({ orderPlace: { id, checkoutUrl } }) {
      // Read before this page is left.
      const atOnce = view?.page?.atOnce;
      await toOrder(id);
      if (checkoutUrl && atOnce) return leaveTo(checkoutUrl);
    },
  });
  // The offer has been ordered already, earlier or in another tab.
  const taken = $derived(place.failure?.orderId ?? asked.failure?.orderId);
  $effect(() => {
    if (taken !== undefined) void toOrder(taken);
  });

  // One idempotency key per offer, method and coupon: a second press after a lost answer returns the same order.
  let tried: { method: PaymentMethod; offer: string; coupon: string | undefined; key: string } | undefined;

  return {
    get preview() {
      return preview;
    },
    get waiting() {
      return waiting || taken !== undefined;
    },
    get failure() {
      return taken === undefined && variables !== null ? asked.failure : undefined;
    },
    get method() {
      return method;
    },
    set method(value) {
      chosen = value;
    },
    get view() {
      return view;
    },
    get left() {
      return left;
    },
    get covered() {
      return covered;
    },
    get possible() {
      return possible;
    },
    get coupon() {
      return {
        applied: preview?.coupon?.code,
        busy: code !== undefined && couponed.loading,
        failure: code === undefined || couponed.loading ? undefined : couponed.failure,
      };
    },
    get busy() {
      return place.busy || taken !== undefined;
    },
    get refusal() {
      return taken === undefined ? place.failure : undefined;
    },
    apply(coupon) {
      if (coupon !== undefined && coupon === code) couponed.reload();
      code = coupon;
    },
    reload: asked.reload,
    async pay() {
      if (!preview || !method || !possible) return;
      const offer = preview.offer.token;
      const coupon = preview.coupon?.code;
      if (tried?.method !== method || tried.offer !== offer || tried.coupon !== coupon) tried = { method, offer, coupon, key: uniqueKey() };
      const failure = await place.run({ offer, method, idempotencyKey: tried.key, ...(coupon !== undefined && { coupon }) });
      // Shows the price again with its new tax, so that nobody is charged a price that was not shown.
      if (failure?.code === 'offer_tax_changed' || failure?.code === 'billing_country_required') asked.reload();
      if (failure && coupon !== undefined) couponed.reload();
    },
  };
}
