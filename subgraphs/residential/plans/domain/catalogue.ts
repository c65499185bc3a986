// The operator's own names and prices over the defaults, from the part `residential` of the file that CATALOGUE_FILE names:
// { "residential": { "PREMIUM": { "name": "Gold", "prices": { "1": "5.00", "10": "4.25" } } } }
import { z } from 'zod';
import { toMinor } from '#commerce/money.ts';
import { DEFAULT_PRODUCTS, type PriceStep, type Product, type Products } from './products.ts';
import { PRODUCT_CODES } from '../../../../edge/protocol/product.ts';

const price = z.string().transform((decimal, context) => {
  try {
    return toMinor(decimal);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message });
    return 0;
  }
});

/** GB -> price per GB; a list must begin at 1 GB, so that every package has a price. */
const prices = z
  .record(z.string().regex(/^[1-9]\d{0,4}$/, 'a price step begins at a whole number of GB'), price)
  .refine((steps) => '1' in steps, 'the first price step must be 1 (GB)')
  .transform((steps): PriceStep[] =>
    Object.entries(steps)
      .map(([fromGb, perGbMinor]) => ({ fromGb: Number(fromGb), perGbMinor }))
      .sort((a, b) => a.fromGb - b.fromGb),
  );

const shape = z.object({
  residential: z
    .partialRecord(z.enum(PRODUCT_CODES), z.strictObject({ name: z.string().min(1).max(40).optional(), prices: prices.optional() }))
    .optional(),
});

/** The products as this operator sells them. Throws an Error with a sentence per wrong value; parts of other subgraphs are left alone. */
export function toProducts(catalogue: unknown): Products {
  const result = shape.safeParse(catalogue);
  if (!result.success)
    throw new Error(
      `The catalogue is not usable:\n${result.error.issues.map((issue) => `  - ${issue.path.join('.')}: ${issue.message}`).join('\n')}`,
    );
  const own = result.data.residential ?? {};
  const entries = PRODUCT_CODES.map((code): [string, Product] => {
    const { name = DEFAULT_PRODUCTS[code].name, prices: steps = DEFAULT_PRODUCTS[code].prices } = own[code] ?? {};
    return [code, { ...DEFAULT_PRODUCTS[code], name, prices: steps }];
  });
  return Object.fromEntries(entries) as unknown as Products;
}
