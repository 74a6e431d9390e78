import type { OrganizerPage } from 'boxoffice-client';

/** The settings of a deployment of the storefront: /config.json, next to index.html. */
export interface Config {
  /** The name of the shop. */
  name: string;
  /** The address of a picture that is shown in place of the name; default none. */
  logo?: string;
  /** The color of buttons and links, `#rrggbb`. Links have its hue in a shade that is readable. Default: red */
  accent?: string;
  /** The family of letters; default `sans`. */
  font?: NonNullable<OrganizerPage['font']>;
  /** The base address of the API; empty when the API has the storefront's origin. */
  apiUrl: string;
  /** The contract that new events may mint their tickets with; empty when there is none. */
  ticketContract: string;
  chainId: number;
  /** Names and block explorers of chains, by chain id. Other chains are shown by their id. */
  chains?: Record<number, { name: string; explorer?: string }>;
  /** The names of the gateways in other languages than that of the API's names, by language and gateway. */
  paymentNames?: Record<string, Partial<Record<'gateway-a' | 'gateway-b' | 'gateway-c', string>>>;
  /** The wallet apps that the service makes passes for; default none. */
  wallets?: ('apple' | 'google')[];
}

/** Set by main.tsx before anything is shown. */
export let config: Config;

export async function loadConfig(): Promise<Config> {
  const response = await fetch('/config.json');
  if (!response.ok) throw new Error(`/config.json: ${response.status}`);
  config = (await response.json()) as Config;
  return config;
}
