/** The same front serves the pages and every interface. */
export const addresses = () => ({
  rest: location.origin,
  mcp: `${location.origin}/mcp`,
  graphql: `${location.origin}/graphql`,
  socket: `${location.origin.replace(/^http/, 'ws')}/graphql`,
  openapi: '/openapi.json',
});
