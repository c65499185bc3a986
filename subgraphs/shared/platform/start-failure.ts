// Why a process cannot start, told to the operator in a sentence instead of a stack.

/** The operator reads the message: it must say what is wrong and how to fix it. */
export class StartFailure extends Error {}

type SystemError = NodeJS.ErrnoException & { address?: string; port?: number };

/** The system's errors when a port cannot be listened on. Node's documentation, "Common system errors". */
const LISTENING: Record<string, (error: SystemError) => string> = {
  EADDRINUSE: ({ port }) => `Port ${port} is taken: choose another, for example PORT=${(port ?? 0) + 40} npm start.`,
  EACCES: ({ port }) => `Port ${port} may not be opened by this user: choose one above 1023.`,
  EADDRNOTAVAIL: ({ address }) => `${address} is no address of this machine: choose another one to listen on.`,
  ENOTFOUND: () => 'The host name to listen on is not known to this machine: choose an address.',
};

/** What is printed when a start fails: the failure's sentence; for an unforeseen error its stack. */
export function sentenceOf(error: unknown): string {
  if (error instanceof StartFailure) return error.message;
  const { code = '', syscall, path, stack } = error as SystemError;
  const listening = syscall === 'listen' || syscall === 'getaddrinfo' ? LISTENING[code] : undefined;
  if (listening) return listening(error as SystemError);
  if (path !== undefined && code !== '') return `The file ${path} cannot be used (${code}).`;
  return stack ?? String(error);
}

/** The short reason of a connection's error: an error of attempts at several addresses has no message of its own. */
export const reasonOf = (error: unknown): string => {
  const { message, code, errors } = error as NodeJS.ErrnoException & { errors?: Error[] };
  return (message || errors?.[0]?.message) ?? code ?? String(error);
};
