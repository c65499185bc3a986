// What the desk and the gateway ask about keys.
export const ISSUE =
  'mutation ($input: IssueApiKeyInput!) { supportApiKeyIssue(input: $input) { key apiKey { id masked kind scopes allowedAddresses expiresAt status } } }';

export const CALLER = 'query ($key: String!) { callerOfApiKey(key: $key) { accountId scopes expiresAt } }';
