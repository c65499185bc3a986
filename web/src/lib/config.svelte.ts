// The operator's own name and addresses (white label), read once from the front.
export interface AppConfig {
  brand: string;
  /** Present where the outside world is the built-in sandbox. */
  sandbox: { mailUrl: string; networkUrl: string } | null;
  proxyHost: string;
  supportEmail: string;
}

let value = $state.raw<AppConfig>({ brand: 'Egress', sandbox: null, proxyHost: '', supportEmail: '' });
let loading: Promise<void> | undefined;

export const config = {
  get brand() {
    return value.brand;
  },
  get sandbox() {
    return value.sandbox;
  },
  get supportEmail() {
    return value.supportEmail;
  },
};

export function loadConfig(): Promise<void> {
  loading ??= fetch('/app-config.json')
    .then(async (response) => {
      if (response.ok) value = (await response.json()) as AppConfig;
    })
    // Without it the pages work under the default name.
    .catch(() => undefined);
  return loading;
}
