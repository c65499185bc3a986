// The fixtures of the conformance suite that ask the client back (SEP-2322): by the result of a request, whose retry carries the answers.
import { randomBytes } from 'node:crypto';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type CallToolResult,
  type ClientCapabilities,
  type InputRequest,
  type InputRequests,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

const text = (said: string) => ({ type: 'text' as const, text: said });
const say = (said: string): CallToolResult => ({ content: [text(said)] });

const NAME = z.object({ name: z.string() });
const OK = z.object({ ok: z.boolean() });
const COLOR = z.object({ color: z.string() });
const CONTEXT = z.object({ context: z.string() });

const ask = (message: string, requestedSchema: typeof NAME | typeof OK | typeof COLOR | typeof CONTEXT): InputRequest =>
  inputRequired.elicit({ message, requestedSchema });
const sample = (said: string, maxTokens: number): InputRequest =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: text(said) }], maxTokens });

/** State that the client carries: signed, since it comes back as the client likes. */
export const STATE = createRequestStateCodec<string>({ key: randomBytes(32) });
const asking = async (inputRequests: InputRequests, state: string): Promise<InputRequiredResult> =>
  inputRequired({ inputRequests, requestState: await STATE.mint(state) });

type Handler = (context: ServerContext['mcpReq']) => CallToolResult | InputRequiredResult | Promise<InputRequiredResult>;

/** Greets whoever says a name. */
const greet: Handler = ({ inputResponses }) => {
  const given = acceptedContent(inputResponses, 'user_name', NAME);
  return given ? say(`Hello, ${given.name}!`) : inputRequired({ inputRequests: { user_name: ask('What is your name?', NAME) } });
};
/** Asks to confirm, and takes no answer but one that comes with the state that it gave. */
const confirm =
  (done: string): Handler =>
  ({ inputResponses, requestState }) =>
    requestState<string>() === 'confirming' && acceptedContent(inputResponses, 'confirm', OK)
      ? say(done)
      : asking({ confirm: ask('Please confirm', OK) }, 'confirming');

const TOOLS: Readonly<Record<string, Handler>> = {
  test_input_required_result_elicitation: greet,
  test_input_required_result_sampling({ inputResponses }) {
    const given = inputResponses?.['capital_question'];
    return given
      ? say(JSON.stringify(given))
      : inputRequired({ inputRequests: { capital_question: sample('What is the capital of France?', 100) } });
  },
  test_input_required_result_list_roots({ inputResponses }) {
    const given = inputResponses?.['client_roots'];
    return given ? say(JSON.stringify(given)) : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  },
  test_input_required_result_request_state: confirm('state-ok'),
  test_input_required_result_tampered_state: confirm('done'),
  test_input_required_result_multiple_inputs({ inputResponses, requestState }) {
    const inputRequests = {
      user_name: ask('What is your name?', NAME),
      greeting: sample('Generate a greeting', 50),
      client_roots: inputRequired.listRoots(),
    };
    const all = Object.keys(inputRequests).every((name) => inputResponses?.[name] !== undefined);
    return all && requestState<string>() === 'all' ? say('done') : asking(inputRequests, 'all');
  },
  test_input_required_result_multi_round({ inputResponses, requestState }) {
    const state = requestState<string>();
    const color = { step2: ask('Step 2: What is your favorite color?', COLOR) };
    if (state === 'round-2') return acceptedContent(inputResponses, 'step2', COLOR) ? say('done') : asking(color, 'round-2');
    if (state === 'round-1' && acceptedContent(inputResponses, 'step1', NAME)) return asking(color, 'round-2');
    return asking({ step1: ask('Step 1: What is your name?', NAME) }, 'round-1');
  },
  test_input_required_result_capabilities({ envelope }) {
    const declared = (envelope as Record<string, ClientCapabilities> | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
    const inputRequests = {
      ...(declared?.sampling && { greeting: sample('Generate a greeting', 50) }),
      ...(declared?.elicitation && { user_name: ask('What is your name?', NAME) }),
    };
    return Object.keys(inputRequests).length > 0 ? inputRequired({ inputRequests }) : say('The client can be asked nothing.');
  },
  // Asks for what the client has not said that it can: the SDK refuses that for us.
  test_missing_capability: () => inputRequired({ inputRequests: { greeting: sample('Generate a greeting', 50) } }),
  test_streaming_elicitation: greet,
};

/** Offers the tools, and the prompt, that ask back. */
export function offerInputRequests(server: McpServer): void {
  for (const [name, handler] of Object.entries(TOOLS))
    server.registerTool(name, { description: `Fixture ${name}` }, ({ mcpReq }) => handler(mcpReq));
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks for its context.' }, ({ mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, 'user_context', CONTEXT);
    return given
      ? { messages: [{ role: 'user', content: text(given.context) }] }
      : inputRequired({ inputRequests: { user_context: ask('What context should the prompt use?', CONTEXT) } });
  });
}
