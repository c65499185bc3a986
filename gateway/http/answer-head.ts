// Adds headers to whatever a route answers. They go along with the route's own in one object, since Node handles headers that were set one by one more slowly: a
// twentieth of the time of a small answer.
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

type Head = (status: number, ...rest: unknown[]) => ServerResponse;

/** `headers` are sent unless the route sends its own of the same name; `begun` is called as the answer begins. */
export function prepareHead(response: ServerResponse, headers: Readonly<Record<string, string>>, begun: () => void): void {
  const writeHead = response.writeHead.bind(response) as Head;
  const write: Head = (status, ...rest) => {
    begun();
    const given = rest.at(-1);
    const others = typeof given === 'object' && given !== null ? rest.slice(0, -1) : rest;
    // A list of names and values in turn, as Node takes it too: it joins them with what is set.
    if (Array.isArray(given)) {
      const wanted = missing(response, headers, {});
      for (const name of Object.keys(wanted)) response.setHeader(name, wanted[name] ?? '');
      return writeHead(status, ...rest);
    }
    const own = others.length === rest.length ? {} : (given as OutgoingHttpHeaders);
    return writeHead(status, ...others, { ...missing(response, headers, own), ...own });
  };
  response.writeHead = write as typeof response.writeHead;
}

/** Those of the headers that a route neither sets nor gives. */
function missing(response: ServerResponse, headers: Readonly<Record<string, string>>, given: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const wanted: OutgoingHttpHeaders = {};
  for (const name of Object.keys(headers))
    if (!(name in given) && !(name.toLowerCase() in given) && !response.hasHeader(name)) wanted[name] = headers[name];
  return wanted;
}
