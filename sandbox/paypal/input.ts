// The input of the endpoints, nested fields too, by PayPal's OpenAPI documents (paypal-rest-api-specifications, openapi/*.json). Fields that these know but the sandbox
// does not support are refused, never ignored.
import { z } from 'zod';

const money = z.strictObject({
  currency_code: z.string().length(3),
  value: z
    .string()
    .max(32)
    .regex(/^((-?[0-9]+)|(-?([0-9]+)?[.][0-9]+))$/),
});
const text = (max: number) => z.string().min(1).max(max);
const web = z.url({ protocol: /^https?$/ });
const vaultId = z
  .string()
  .regex(/^[0-9a-zA-Z_-]+$/)
  .max(255);
const customer = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(22)
    .regex(/^[0-9a-zA-Z_-]+$/)
    .optional(),
});

const experienceContext = z.strictObject({
  brand_name: text(127).optional(),
  locale: z.string().optional(),
  shipping_preference: z.enum(['GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS']).optional(),
  return_url: web.optional(),
  cancel_url: web.optional(),
  landing_page: z.enum(['LOGIN', 'GUEST_CHECKOUT', 'NO_PREFERENCE']).optional(),
  user_action: z.enum(['CONTINUE', 'PAY_NOW']).optional(),
  payment_method_preference: z.enum(['UNRESTRICTED', 'IMMEDIATE_PAYMENT_REQUIRED']).optional(),
});

/** `paypal_wallet` of Orders v2; no other payment source is supported. */
const wallet = z.strictObject({
  vault_id: vaultId.optional(),
  email_address: z.email().max(254).optional(),
  experience_context: experienceContext.optional(),
  attributes: z
    .strictObject({
      customer: customer.optional(),
      vault: z
        .strictObject({
          store_in_vault: z.literal('ON_SUCCESS').optional(),
          description: text(128).optional(),
          usage_pattern: z
            .enum(['IMMEDIATE', 'DEFERRED', 'RECURRING_PREPAID', 'RECURRING_POSTPAID', 'THRESHOLD_PREPAID', 'THRESHOLD_POSTPAID'])
            .optional(),
          usage_type: z.enum(['MERCHANT', 'PLATFORM']),
          customer_type: z.enum(['CONSUMER', 'BUSINESS']).optional(),
          permit_multiple_payment_tokens: z.boolean().optional(),
        })
        .optional(),
    })
    .optional(),
});
export type WalletInput = z.output<typeof wallet>;

/** `order_request`. AUTHORIZE, further purchase units, payees and platform fees are refused. */
export const orderInput = z.strictObject({
  intent: z.literal('CAPTURE'),
  purchase_units: z
    .array(
      z.strictObject({
        reference_id: text(256).optional(),
        amount: money.extend({ breakdown: z.partialRecord(z.enum(['item_total', 'tax_total', 'discount']), money).optional() }),
        description: text(127).optional(),
        custom_id: text(127).optional(),
        invoice_id: text(127).optional(),
        soft_descriptor: text(22).optional(),
        items: z
          .array(
            z.strictObject({
              name: text(127),
              unit_amount: money,
              quantity: z.string().regex(/^[1-9][0-9]{0,9}$/),
              description: z.string().max(127).optional(),
              sku: z.string().max(127).optional(),
              category: z.enum(['DIGITAL_GOODS', 'PHYSICAL_GOODS', 'DONATION']).optional(),
            }),
          )
          .optional(),
      }),
    )
    .length(1),
  payment_source: z.strictObject({ paypal: wallet }).optional(),
});

export const captureInput = z.strictObject({ payment_source: z.strictObject({ paypal: wallet }).optional() });

export const refundInput = z.strictObject({
  amount: money.optional(),
  custom_id: text(127).optional(),
  invoice_id: text(127).optional(),
  note_to_payer: text(255).optional(),
});

/** `setup_token_request`. */
export const setupTokenInput = z.strictObject({
  customer: customer.optional(),
  payment_source: z.strictObject({
    paypal: z.strictObject({
      description: text(128).optional(),
      permit_multiple_payment_tokens: z.boolean().optional(),
      usage_type: z.enum(['MERCHANT', 'PLATFORM']),
      customer_type: z.enum(['CONSUMER', 'BUSINESS']).optional(),
      experience_context: z.strictObject({
        brand_name: text(300).optional(),
        locale: z.string().optional(),
        return_url: web,
        cancel_url: web,
        shipping_preference: z.string().optional(),
      }),
    }),
  }),
});

/** `payment_token_request`, here only from a setup token. */
export const paymentTokenInput = z.strictObject({
  customer: customer.optional(),
  payment_source: z.strictObject({ token: z.strictObject({ id: vaultId, type: z.literal('SETUP_TOKEN') }) }),
});

const eventTypes = z
  .array(z.strictObject({ name: z.string().min(1) }))
  .min(1)
  .max(500);
export const webhookInput = z.strictObject({ url: z.url(), event_types: eventTypes });
export const webhookPatchInput = z.array(
  z.strictObject({ op: z.literal('replace'), path: z.enum(['/url', '/event_types']), value: z.unknown() }),
);
export { eventTypes };

/** `evidences` of Disputes v1, in the form field `input`. */
export const evidencesInput = z.strictObject({
  evidences: z
    .array(
      z.strictObject({
        evidence_type: z.enum(['PROOF_OF_FULFILLMENT', 'PROOF_OF_REFUND', 'DETAILS_OF_PURCHASE', 'OTHER']),
        notes: text(2_000).optional(),
        documents: z
          .array(z.strictObject({ name: text(255) }))
          .max(100)
          .optional(),
      }),
    )
    .min(1)
    .max(100),
});
export const acceptClaimInput = z.strictObject({
  note: text(2_000).optional(),
  accept_claim_type: z.enum(['REFUND', 'REFUND_WITH_RETURN', 'PARTIAL_REFUND', 'REFUND_WITH_RETURN_SHIPMENT_LABEL']).optional(),
  refund_amount: money.optional(),
});
