// Four subgraphs with canned data, in the shape of a public benchmark of gateways: users, products, their stock and their reviews, asked for four levels deep.
import { composeServices } from '@apollo/composition';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { type GraphQLSchema, parse } from 'graphql';
import type { Subgraph } from '#platform/subgraph.ts';

const LINK = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.6", import: ["@key", "@external", "@requires"])';

/** The gateway counts what an operation costs by the lengths that it asks for. */
const SIZED = `
    extend schema @link(url: "https://specs.apollo.dev/federation/v2.6", import: ["@key", "@composeDirective"])
      @link(url: "https://egress.example/cost/v1.0", import: ["@listSize"]) @composeDirective(name: "@listSize")
    directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!]) on FIELD_DEFINITION`;

const SDL = {
  users: `${SIZED}
    type User @key(fields: "id") { id: ID! username: String name: String birthday: String }
    type Query { users(first: Int): [User] @listSize(slicingArguments: ["first"]) }`,
  products: `${SIZED}
    type Product @key(fields: "upc") { upc: String! name: String price: Int weight: Int }
    type Query { topProducts(first: Int = 5): [Product] @listSize(slicingArguments: ["first"]) }`,
  inventory: `${LINK}
    type Product @key(fields: "upc") { upc: String! weight: Int @external price: Int @external inStock: Boolean shippingEstimate: Int @requires(fields: "price weight") }
    type Query { stockCounted: Boolean }`,
  reviews: `${SIZED}
    type User @key(fields: "id") { id: ID! reviews(first: Int): [Review] @listSize(slicingArguments: ["first"]) }
    type Product @key(fields: "upc") { upc: String! reviews(first: Int): [Review] @listSize(slicingArguments: ["first"]) }
    type Review @key(fields: "id") { id: ID! body: String author: User product: Product }
    type Query { newestReview: Review }`,
} as const;

/** Its answer has 87 kB. */
export const OPERATION = `
  fragment Person on User { id username name }
  fragment Opinion on Review { id body }
  fragment Article on Product { inStock name price shippingEstimate upc weight }
  query Shop {
    users(first: 6) { ...Person reviews(first: 3) { ...Opinion product { ...Article reviews(first: 3) { ...Opinion author { ...Person reviews(first: 3) { ...Opinion product { ...Article } } } } } } }
    topProducts(first: 5) { ...Article reviews(first: 3) { ...Opinion author { ...Person reviews(first: 3) { ...Opinion product { ...Article } } } } }
  }`;

const USERS = Array.from({ length: 6 }, (_, index) => ({
  id: `u${index}`,
  username: `@customer${index}`,
  name: `Customer number ${index}`,
}));
const PRODUCTS = Array.from({ length: 9 }, (_, index) => ({
  upc: String(index + 1),
  name: `Article number ${index}`,
  price: 899 + 100 * index,
  weight: 50 * index,
}));
const REVIEWS = Array.from({ length: 26 }, (_, index) => ({
  id: String(index + 1),
  body: `A review of some length: number ${index}`,
  author: `u${index % USERS.length}`,
  product: String((index % PRODUCTS.length) + 1),
}));

interface Given {
  id: string;
  upc: string;
  price: number;
  weight: number;
}
const reviewOf = ({ id, body, author, product }: (typeof REVIEWS)[number]) => ({
  id,
  body,
  author: { id: author },
  product: { upc: product },
});

/** Type -> field -> resolver; `entity`: how a representation becomes an object. */
const RESOLVERS: Record<keyof typeof SDL, Record<string, Record<string, (from: Given) => unknown>>> = {
  users: { Query: { users: () => USERS }, User: { __resolveReference: ({ id }) => USERS.find((user) => user.id === id) } },
  products: {
    Query: { topProducts: () => PRODUCTS.slice(0, 5) },
    Product: { __resolveReference: ({ upc }) => PRODUCTS.find((product) => product.upc === upc) },
  },
  inventory: {
    Query: { stockCounted: () => true },
    Product: {
      __resolveReference: (representation) => representation,
      inStock: ({ upc }) => Number(upc) % 2 === 0,
      shippingEstimate: ({ price, weight }) => (price > 1_000 ? 0 : Math.round(weight * 0.5)),
    },
  },
  reviews: {
    Query: { newestReview: () => REVIEWS.slice(-1).map(reviewOf)[0] },
    User: {
      __resolveReference: (representation) => representation,
      reviews: ({ id }) => REVIEWS.filter(({ author }) => author === id).map(reviewOf),
    },
    Product: {
      __resolveReference: (representation) => representation,
      reviews: ({ upc }) => REVIEWS.filter(({ product }) => product === upc).map(reviewOf),
    },
    Review: { __resolveReference: ({ id }) => REVIEWS.filter((review) => review.id === id).map(reviewOf)[0] },
  },
};

export const SUBGRAPHS: readonly Subgraph[] = Object.entries(SDL).map(([name, sdl]) => ({
  name,
  schema: buildSubgraphSchema({ typeDefs: parse(sdl), resolvers: RESOLVERS[name as keyof typeof SDL] as never }) as GraphQLSchema,
  context: () => ({}),
}));

/** `urls`: by subgraph name. */
export function supergraphOf(urls: Readonly<Record<string, string>>): string {
  const composed = composeServices(
    Object.entries(SDL).map(([name, sdl]) => ({ name, typeDefs: parse(sdl), url: urls[name] ?? `local://${name}` })),
  );
  if (composed.errors) throw new Error(composed.errors.map((error) => error.message).join('\n'));
  return composed.supergraphSdl;
}
