// Printed by `npm run client` from the endpoint objects; not edited by hand.

/** What each type of event carries. Types are only ever added. */
export interface WebhookData {
  /** Use has passed a mark of a residential package: 80, 95 or 100 percent, or those that its owner has set. */
  'residential_plan.balance_low': {
    product_id: string;
    title: string;
    percent: number;
    /** The mark, where it is one of data left; `percent` is what is used then. */
    left_gb?: number;
  };
  /** A package that ran low has grown, or another one of its product was bought. */
  'residential_plan.balance_resolved': {
    product_id: string;
    percent: number;
    new_product_id: string | null;
  };
  /** The Daily Usage Limit of a package is reached. */
  'residential_plan.paused': {
    product_id: string;
  };
  /** A paused package works again. */
  'residential_plan.resumed': {
    product_id: string;
  };
  /** All bytes of a package are used, or its validity is over. */
  'residential_plan.expired': {
    product_id: string;
  };
  /** The validity of a package of which data is left ends within 7 days, or within 1; once for each. */
  'residential_plan.ends_soon': {
    product_id: string;
    title: string;
    days: number;
    left_gb: number;
    valid_until: string;
  };
  /** The validity of a package is over, and what was left of it has lapsed. */
  'residential_plan.lapsed': {
    product_id: string;
    title: string;
    lapsed_gb: number;
    valid_until: string;
  };
  /** Username and password of a package are new: lines from before are refused. */
  'residential_plan.reset': {
    product_id: string;
    by: 'owner' | 'support';
  };
  /** Addresses of an ISP or datacenter plan are there; `quantity` below zero: fewer. */
  'static_plan.delivered': {
    plan_id: string;
    order_id: string;
    quantity: number;
  };
  /** Addresses of a plan were exchanged for others. */
  'static_plan.address_replaced': {
    plan_id: string;
    asked_by: 'owner' | 'support' | 'platform';
    reason: string;
    addresses: {
      gone: string;
      came: string;
    }[];
  };
  /** The last retry of a renewal has failed: the addresses do not work until it is paid. */
  'static_plan.suspended': {
    plan_id: string;
  };
  /** A suspended plan was paid. */
  'static_plan.resumed': {
    plan_id: string;
  };
  /** A server is delivered. */
  'server.ready': {
    server_id: string;
    order_id: string;
  };
  /** The last retry of a renewal has failed: the server is off until it is paid. */
  'server.suspended': {
    server_id: string;
  };
  /** A suspended server was paid. */
  'server.resumed': {
    server_id: string;
  };
  /** A server is gone, with its data. */
  'server.removed': {
    server_id: string;
  };
  /** What an order bought is delivered; `resource_id` is what it made or changed. */
  'order.fulfilled': {
    order_id: string;
    resource_id: string | null;
  };
  /** An order or a renewal is paid, and its invoice is there. */
  'invoice.paid': {
    invoice_id: string;
    number: string;
    order_id: string;
    /** With tax, in minor units (cents). */
    total: number;
    currency: string;
  };
  /** A renewal could not be paid; it is tried again. */
  'invoice.failed': {
    subscription_id: string;
    order_id: string;
  };
}

/** An event as its body has it. */
export type WebhookEvent = {
  [Type in keyof WebhookData]: { type: Type; timestamp: string; data: WebhookData[Type] };
}[keyof WebhookData];
