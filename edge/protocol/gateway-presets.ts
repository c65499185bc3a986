// Templates for the log-ins of well-known sellers, to start a gateway with; the operator replaces ACCOUNT, ZONE and PASSWORD. Each id names what is
// special about it; the comment names the seller's documentation (read in November 2026).

export interface GatewayPreset {
  id: string;
  username: string;
  password: string;
  maxSessionMinutes?: number;
  minSessionMinutes?: number;
}

/** ACCOUNT, ZONE and PASSWORD stand for the values from the seller. */
export const GATEWAY_PRESETS: readonly GatewayPreset[] = [
  {
    // Bright Data, "Proxy configuration options" and "Geolocation targeting": lower case, no spaces in cities, states as two letters.
    id: 'zone',
    username:
      'brd-customer-ACCOUNT-zone-ZONE[-country-{country}][-state-{state|iso}][-city-{city|compact}][-asn-{asn}][-session-{session}]',
    password: 'PASSWORD',
  },
  {
    // Oxylabs, "Making requests" and "Session control": states as us_new_york; a session ends after a minute without requests, whatever its lifetime.
    id: 'customer',
    username:
      'customer-ACCOUNT[-cc-{country|upper}][-st-{country}_{state}][-city-{city}][-ASN-{asn}][-sessid-{session}[-sesstime-{minutes}]]',
    password: 'PASSWORD',
    maxSessionMinutes: 1_440,
  },
  {
    // Decodo, "Advanced parameters" of residential proxies.
    id: 'duration',
    username:
      'user-ACCOUNT[-country-{country}][-state-{country}_{state}][-city-{city}][-asn-{asn}][-session-{session}[-sessionduration-{minutes}]]',
    password: 'PASSWORD',
    maxSessionMinutes: 1_440,
  },
  {
    // IPRoyal, "Proxy: rotation": everything is in the password; a session has exactly eight letters and digits and lasts at most seven days.
    id: 'password',
    username: 'ACCOUNT',
    password: 'PASSWORD[_country-{country}][_state-{state|compact}][_city-{city|compact}][_session-{session|8}[_lifetime-{minutes}m]]',
    maxSessionMinutes: 10_080,
  },
  {
    // SOAX, "Sticky sessions": spaces become plus signs; the length is in seconds, at most a day.
    id: 'package',
    username:
      'package-ACCOUNT[-country-{country}][-region-{state|plus}][-city-{city|plus}][-sessionid-{session}[-sessionlength-{minutes|seconds}]]',
    password: 'PASSWORD',
    maxSessionMinutes: 1_440,
  },
  {
    // Nimble, "Geotargeting and session control": states of the US and Canada as two letters.
    id: 'pipeline',
    username: 'account-ACCOUNT-pipeline-ZONE[-country-{country|upper}][-state-{state|iso|upper}][-city-{city}][-session-{session}]',
    password: 'PASSWORD',
    maxSessionMinutes: 10,
  },
  {
    // anyIP, "Proxy client errors": attributes separated by commas; sessions have at most 32 letters and digits.
    id: 'attributes',
    username: 'user_ACCOUNT,type_residential[,country_{country|upper}][,region_{state}][,city_{city}][,session_{session}]',
    password: 'PASSWORD',
  },
];
