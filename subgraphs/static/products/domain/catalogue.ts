// The operator's own carriers, names and prices over the defaults, from the part `static` of the file that CATALOGUE_FILE names:
// { "static": { "isp-northline": { "carrier": "Fiberco", "price": "2.10" }, "datacenter": { "name": "Rack addresses" } } }
import { z } from 'zod';
import { toMinor } from '#commerce/money.ts';
import {
  DEFAULT_STATIC_PRODUCTS,
  ISP_PRODUCT_IDS,
  type IspProductId,
  STATIC_PRODUCT_IDS,
  type StaticProduct,
  type StaticProductId,
  type StaticProducts,
  ispProduct,
} from './static-product.ts';

const price = z
  .string()
  .refine((decimal) => /^\d{1,6}(\.\d{1,2})?$/.test(decimal), 'must be an amount such as "2.40"')
  .transform(toMinor);

const name = z.string().trim().min(1).max(40);
/** An ISP product is named after its carrier; the carrier is what differs between them. */
const isp = z.strictObject({ carrier: name.optional(), price: price.optional() });
const datacenter = z.strictObject({ name: name.optional(), price: price.optional() });

const carriers = Object.fromEntries(ISP_PRODUCT_IDS.map((id) => [id, isp.optional()])) as Record<IspProductId, z.ZodOptional<typeof isp>>;

const shape = z.object({ static: z.strictObject({ ...carriers, datacenter: datacenter.optional() }).optional() });

/** The products as this operator sells them. Throws an Error with a sentence per wrong value; parts of other subgraphs are left alone. */
export function toStaticProducts(catalogue: unknown): StaticProducts {
  const result = shape.safeParse(catalogue);
  if (!result.success)
    throw new Error(
      `The catalogue is not usable:\n${result.error.issues.map((issue) => `  - ${issue.path.join('.')}: ${issue.message}`).join('\n')}`,
    );
  const own = result.data.static ?? {};
  const entries = STATIC_PRODUCT_IDS.map((id): [StaticProductId, StaticProduct] => {
    const given = own[id] ?? {};
    const { carrier, name: usual, perAddressMinor } = DEFAULT_STATIC_PRODUCTS[id];
    const minor = given.price ?? perAddressMinor;
    return carrier === null
      ? [id, { ...DEFAULT_STATIC_PRODUCTS[id], name: ('name' in given && given.name) || usual, perAddressMinor: minor }]
      : [id, ispProduct(id, ('carrier' in given && given.carrier) || carrier, minor)];
  });
  return Object.fromEntries(entries) as StaticProducts;
}
