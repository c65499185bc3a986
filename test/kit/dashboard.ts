/** Queries the graph at `url` as the dashboard does: with a session's cookie, from the graph's own origin. Throws the messages of the answer's errors. */
export const askAs =
  (url: string, cookie: string) =>
  async <Data>(query: string, variables: object = {}): Promise<Data> => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie, origin: url },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data: Data; errors?: { message: string }[] };
    if (errors) throw new Error(errors.map(({ message }) => message).join(' '));
    return data;
  };
