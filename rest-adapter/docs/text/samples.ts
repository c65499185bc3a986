// The same in every language.

export const LINE_SAMPLE = { language: 'sh', text: 'curl -x http://HOST:PORT -U "USER-country-de:PASSWORD" https://example.com/' };
export const REST_SAMPLE = {
  language: 'sh',
  text: 'curl -H "Authorization: Bearer $API_KEY" ORIGIN/v1/residential\ncurl -H "Authorization: Bearer $API_KEY" \\\n  "ORIGIN/v1/residential/$PLAN/proxies?sticky=true&pool=Germany&quantity=10"',
};
export const GRAPHQL_SAMPLE = {
  language: 'sh',
  text: 'curl ORIGIN/graphql \\\n  -H "Authorization: Bearer $API_KEY" \\\n  -H "Content-Type: application/json" \\\n  -d \'{"query":"{ residentialPlans { id username } }"}\'',
};
