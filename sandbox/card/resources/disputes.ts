// Disputes: retrieve, list, submit evidence, accept; files of evidence; warnings of fraud; balance entries.
import type Stripe from 'stripe';
import type { Books } from '../books.ts';
import { decide, findDispute, needsAnswer, submitEvidence } from '../dispute.ts';
import { invalid, noSuch } from '../fault.ts';
import { createId } from '../ids.ts';
import { datedPageFields, pageOf } from '../list.ts';
import { mergeMetadata } from '../metadata.ts';
import { route } from '../route.ts';
import { fields, fieldsOf, flag, integer, metadata, needed, oneOf, text } from '../shape.ts';
import { rowOf } from '../state.ts';

const words = text(20_000, 'unset');
/** The SDK's types: "The combined character count of all fields is limited to 150,000". */
const MAX_CHARACTERS = 150_000;
/** https://docs.stripe.com/disputes/categories: for all files of one dispute together. */
const MAX_FILE_BYTES = 4_500_000;

const FILE_FIELDS = [
  'cancellation_policy',
  'customer_communication',
  'customer_signature',
  'duplicate_charge_documentation',
  'receipt',
  'refund_policy',
  'service_documentation',
  'shipping_documentation',
  'uncategorized_file',
] as const;

const evidence = fieldsOf<Stripe.DisputeUpdateParams.Evidence>()({
  access_activity_log: words,
  billing_address: words,
  cancellation_policy: text(),
  cancellation_policy_disclosure: words,
  cancellation_rebuttal: words,
  customer_communication: text(),
  customer_email_address: words,
  customer_name: words,
  customer_purchase_ip: words,
  customer_signature: text(),
  duplicate_charge_documentation: text(),
  duplicate_charge_explanation: words,
  duplicate_charge_id: words,
  product_description: words,
  receipt: text(),
  refund_policy: text(),
  refund_policy_disclosure: words,
  refund_refusal_explanation: words,
  service_date: words,
  service_documentation: text(),
  uncategorized_file: text(),
  uncategorized_text: words,
});
const updateInput = fieldsOf<Stripe.DisputeUpdateParams>()({ evidence, metadata, submit: flag });
const listInput = fieldsOf<Stripe.DisputeListParams>()({ ...datedPageFields, charge: text(), payment_intent: text() });
const warningListInput = fieldsOf<Stripe.Radar.EarlyFraudWarningListParams>()({
  ...datedPageFields,
  charge: text(),
  payment_intent: text(),
});
/** A file of a multipart body, as `multipart.ts` reads it. */
const filePart = fields({ name: needed(text()), size: needed(integer(1)), type: needed(text()) });
const fileInput = fieldsOf<Stripe.FileCreateParams>()({ purpose: needed(oneOf('dispute_evidence')), file: needed(filePart) });

export const disputeRoutes = [
  route('GET', '/v1/disputes', listInput, ({ books, input }) => {
    const found = Object.values(books.state.disputes).filter(
      (dispute) =>
        (input.charge === undefined || dispute.charge === input.charge) &&
        (input.payment_intent === undefined || dispute.payment_intent === input.payment_intent) &&
        (input.created?.(dispute.created) ?? true),
    );
    return pageOf('/v1/disputes', found, input);
  }),
  route('GET', '/v1/disputes/:id', fields({}), ({ books, ids }) => findDispute(books, ids['id'] ?? '')),
  route('POST', '/v1/disputes/:id', updateInput, ({ books, ids, input }) => answer(books, findDispute(books, ids['id'] ?? ''), input)),
  route('POST', '/v1/disputes/:id/close', fields({}), ({ books, ids }) => {
    const dispute = findDispute(books, ids['id'] ?? '');
    if (!needsAnswer(dispute)) throw invalid('This dispute is already closed.');
    decide(books, dispute, 'lost');
    return dispute;
  }),
  route('POST', '/v1/files', fileInput, ({ books, input: { purpose, file } }) => {
    const made: Stripe.File = {
      id: createId('file'),
      object: 'file',
      created: books.now(),
      expires_at: null,
      filename: file.name,
      links: null,
      purpose,
      size: file.size,
      title: null,
      type: file.type.split('/').at(-1) ?? null,
      url: `${books.url()}/v1/files/contents`,
    };
    // https://docs.stripe.com/file-upload: PDF, JPEG or PNG.
    if (!['pdf', 'jpeg', 'png'].includes(made.type ?? ''))
      throw invalid('This type of file cannot be evidence: send PDF, JPEG or PNG.', undefined, 'file');
    books.state.files[made.id] = made;
    books.changed();
    return made;
  }),
  route('GET', '/v1/radar/early_fraud_warnings', warningListInput, ({ books, input }) => {
    const found = Object.values(books.state.fraudWarnings).filter(
      (one) =>
        (input.charge === undefined || one.charge === input.charge) &&
        (input.payment_intent === undefined || one.payment_intent === input.payment_intent) &&
        (input.created?.(one.created) ?? true),
    );
    return pageOf('/v1/radar/early_fraud_warnings', found, input);
  }),
  route('GET', '/v1/radar/early_fraud_warnings/:id', fields({}), ({ books, ids }) => {
    const warning = rowOf(books.state.fraudWarnings, ids['id'] ?? '');
    if (!warning) throw noSuch('early_fraud_warning', ids['id'] ?? '');
    return warning;
  }),
];

function answer(books: Books, dispute: Stripe.Dispute, input: ReturnType<typeof updateInput>): Stripe.Dispute {
  const { evidence: given = {}, submit = true, metadata: about } = input;
  if (!needsAnswer(dispute) && Object.keys(given).length > 0) {
    throw invalid('This dispute is already submitted or closed, and its evidence cannot be changed.');
  }
  checkSizes(books, { ...dispute.evidence, ...given });
  books.change('charge.dispute.updated', dispute, () => {
    for (const [name, value] of Object.entries(given)) Object.assign(dispute.evidence, { [name]: value === '' ? null : value });
    if (about !== undefined) dispute.metadata = mergeMetadata(dispute.metadata, about);
    dispute.evidence_details.has_evidence ||= Object.keys(given).length > 0;
  });
  if (submit && Object.keys(given).length > 0) submitEvidence(books, dispute);
  return dispute;
}

function checkSizes(books: Books, all: object): void {
  const values = Object.entries(all).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const isFile = (name: string): boolean => FILE_FIELDS.some((field) => field === name);
  const characters = values.filter(([name]) => !isFile(name)).reduce((sum, [, value]) => sum + value.length, 0);
  if (characters > MAX_CHARACTERS)
    throw invalid(`The combined character count of the evidence is limited to ${MAX_CHARACTERS}.`, undefined, 'evidence');
  let bytes = 0;
  for (const [name, id] of values.filter(([field]) => isFile(field))) {
    const file = rowOf(books.state.files, id);
    if (!file) throw noSuch('file upload', id, `evidence[${name}]`);
    bytes += file.size;
  }
  if (bytes > MAX_FILE_BYTES) throw invalid('The combined size of the files is too large.', undefined, 'evidence');
}
