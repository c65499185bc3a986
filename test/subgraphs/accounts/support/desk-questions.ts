// The operations about API keys that the desk and the gateway send.
export const ISSUE =
  'mutation ($input: IssueApiKeyInput!) { supportApiKeyIssue(input: $input) { key apiKey { id masked kind scopes allowedAddresses expiresAt status } } }';

export const CALLER = 'query ($key: String!) { callerOfApiKey(key: $key) { accountId scopes expiresAt } }';
