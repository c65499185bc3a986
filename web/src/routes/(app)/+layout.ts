// Pages of an account are drawn in the browser, with data from the graph: none can be prerendered.
export const ssr = false;
export const prerender = false;
