/** The addresses of the interfaces; the front that serves the pages serves all of them. */
export const addresses = () => ({
  rest: location.origin,
  mcp: `${location.origin}/mcp`,
  graphql: `${location.origin}/graphql`,
  socket: `${location.origin.replace(/^http/, 'ws')}/graphql`,
  openapi: '/openapi.json',
});
