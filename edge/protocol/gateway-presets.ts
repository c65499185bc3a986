// Grammars of log-ins that sellers of exits document, to begin a gateway with: {account}, {zone} and the like are filled in by the operator. Named for
// what is particular to each; whose documents they follow stands beside them (read in November 2026).

export interface GatewayPreset {
  id: string;
  username: string;
  password: string;
  maxSessionMinutes?: number;
  minSessionMinutes?: number;
}

/** ACCOUNT, ZONE and PASSWORD stand for what the seller has given. */
export const GATEWAY_PRESETS: readonly GatewayPreset[] = [
  {
    // Bright Data, "Proxy configuration options" and "Geolocation targeting": lower case, no spaces in cities, states by two letters.
    id: 'zone',
    username:
      'brd-customer-ACCOUNT-zone-ZONE[-country-{country}][-state-{state|iso}][-city-{city|compact}][-asn-{asn}][-session-{session}]',
    password: 'PASSWORD',
  },
  {
    // Oxylabs, "Making requests" and "Session control": states as us_new_york; a session ends after a minute without requests, whatever its time.
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
    // IPRoyal, "Proxy: rotation": all of it in the password; a session has exactly eight letters and digits, and seven days at most.
    id: 'password',
    username: 'ACCOUNT',
    password: 'PASSWORD[_country-{country}][_state-{state|compact}][_city-{city|compact}][_session-{session|8}[_lifetime-{minutes}m]]',
    maxSessionMinutes: 10_080,
  },
  {
    // SOAX, "Sticky sessions": spaces are plus signs, the length is in seconds, a day at most.
    id: 'package',
    username:
      'package-ACCOUNT[-country-{country}][-region-{state|plus}][-city-{city|plus}][-sessionid-{session}[-sessionlength-{minutes|seconds}]]',
    password: 'PASSWORD',
    maxSessionMinutes: 1_440,
  },
  {
    // Nimble, "Geotargeting and session control": states of the US and Canada by two letters.
    id: 'pipeline',
    username: 'account-ACCOUNT-pipeline-ZONE[-country-{country|upper}][-state-{state|iso|upper}][-city-{city}][-session-{session}]',
    password: 'PASSWORD',
    maxSessionMinutes: 10,
  },
  {
    // anyIP, "Proxy client errors": attributes with commas between; sessions have 32 letters and digits at most.
    id: 'attributes',
    username: 'user_ACCOUNT,type_residential[,country_{country|upper}][,region_{state}][,city_{city}][,session_{session}]',
    password: 'PASSWORD',
  },
];
