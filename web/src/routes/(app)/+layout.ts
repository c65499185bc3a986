// Everything of an account is drawn in the browser from the graph: nothing of it can be prerendered.
export const ssr = false;
export const prerender = false;
