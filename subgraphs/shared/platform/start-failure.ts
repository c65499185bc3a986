// Why a process cannot start, said to the operator in a sentence instead of a stack.

/** The message is what the operator reads: it names what is wrong and what mends it. */
export class StartFailure extends Error {}

type SystemError = NodeJS.ErrnoException & { address?: string; port?: number };

/** What the system says when a port cannot be listened on. Node's documentation, "Common system errors". */
const LISTENING: Record<string, (error: SystemError) => string> = {
  EADDRINUSE: ({ port }) => `Port ${port} is taken: choose another, for example PORT=${(port ?? 0) + 40} npm start.`,
  EACCES: ({ port }) => `Port ${port} may not be opened by this user: choose one above 1023.`,
  EADDRNOTAVAIL: ({ address }) => `${address} is no address of this machine: choose another one to listen on.`,
  ENOTFOUND: () => 'The host name to listen on is not known to this machine: choose an address.',
};

/** What is written when a start fails: the sentence of the failure; for anything unforeseen its stack. */
export function sentenceOf(error: unknown): string {
  if (error instanceof StartFailure) return error.message;
  const { code = '', syscall, path, stack } = error as SystemError;
  const listening = syscall === 'listen' || syscall === 'getaddrinfo' ? LISTENING[code] : undefined;
  if (listening) return listening(error as SystemError);
  if (path !== undefined && code !== '') return `The file ${path} cannot be used (${code}).`;
  return stack ?? String(error);
}

/** The short reason of an error of a connection: an attempt at two addresses of one name has no message of its own. */
export const reasonOf = (error: unknown): string => {
  const { message, code, errors } = error as NodeJS.ErrnoException & { errors?: Error[] };
  return (message || errors?.[0]?.message) ?? code ?? String(error);
};
