// Documents the webhooks: what is sent, how to check it, and what the customer's answer means.
import { CUSTOMER_EVENTS, type CustomerEventType } from '../../schema/customer-events.ts';
import { WEBHOOKS } from '../../schema/limits.ts';
import { type DocsPage, code, heading, list, paragraph, table } from './page.ts';

const EXAMPLE: CustomerEventType = 'residential_plan.balance_low';
const body = { type: EXAMPLE, timestamp: '2026-01-15T12:00:00.000Z', data: CUSTOMER_EVENTS[EXAMPLE].example };

const spanOf = (minutes: number): string => (minutes < 60 ? `${minutes} min` : `${minutes / 60} h`);

/** Code that checks the signature of a webhook, in each language with its standard library; tests run it where the language is installed. */
export const VERIFIERS: readonly { language: string; name: string; text: string }[] = [
  {
    language: 'js',
    name: 'Node',
    text: `import { createHmac, timingSafeEqual } from 'node:crypto';

/** headers: names in lower case; body: the bytes as they came, before anything parses them. */
export function verify(secret, headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures = '' } = headers;
  if (!id || !(Math.abs(Date.now() / 1000 - Number(at)) < 300)) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(\`\${id}.\${at}.\${body}\`).digest();
  return signatures.split(' ').some((signature) => {
    const [version, text = ''] = signature.split(',');
    const given = Buffer.from(text, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
}`,
  },
  {
    language: 'python',
    name: 'Python',
    text: `import base64, hashlib, hmac, time

def verify(secret, headers, body):
    """headers: names in lower case; body: the bytes as they came, before anything parses them."""
    sent_at = headers.get("webhook-timestamp", "")
    if not sent_at.isdigit() or abs(time.time() - int(sent_at)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    content = f"{headers.get('webhook-id')}.{sent_at}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    return any(hmac.compare_digest(expected, given) for given in headers.get("webhook-signature", "").split(" "))`,
  },
  {
    language: 'go',
    name: 'Go',
    text: `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Verify takes the body as it came, before anything parses it.
func Verify(secret string, header http.Header, body []byte) bool {
	id, at := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil || math.Abs(time.Since(time.Unix(seconds, 0)).Minutes()) > 5 {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + at + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, given := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(expected), []byte(given)) {
			return true
		}
	}
	return false
}`,
  },
  {
    language: 'php',
    name: 'PHP',
    text: `<?php
/** $headers: names in lower case; $body: as it came (file_get_contents('php://input')). */
function verify(string $secret, array $headers, string $body): bool
{
    $at = $headers['webhook-timestamp'] ?? '';
    if (!ctype_digit($at) || abs(time() - (int) $at) > 300) {
        return false;
    }
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $content = ($headers['webhook-id'] ?? '') . ".$at.$body";
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $content, $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}`,
  },
];

export const webhooksPage = (publicUrl: string): DocsPage => ({
  path: '/docs/webhooks',
  title: 'Webhooks',
  summary:
    'Events of the account, sent to your own servers in order and at least once, signed as the Standard Webhooks specification says.',
  blocks: [
    heading('Begin'),
    paragraph(
      'Add an end point in the dashboard under Developers, or with a key that has the scope `webhooks`. The answer has its secret, this once. Then send a test event, and look at what was answered.',
    ),
    code(
      'sh',
      `curl -X POST -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' -d '{"url":"https://shop.example/hooks"}' '${publicUrl}/v1/webhooks'
curl -X POST -H "Authorization: Bearer $API_KEY" '${publicUrl}/v1/webhooks/<WEBHOOK_ID>/test'
curl -H "Authorization: Bearer $API_KEY" '${publicUrl}/v1/webhooks/<WEBHOOK_ID>/deliveries'`,
    ),
    paragraph(
      'All that can be done with one: [create](/docs/api/create_webhook), [list](/docs/api/list_webhooks), [change](/docs/api/change_webhook), [renew its secret](/docs/api/renew_webhook_secret), [replay](/docs/api/replay_webhook), [send one event again](/docs/api/resend_webhook_event), [remove](/docs/api/remove_webhook).',
    ),
    heading('What is sent'),
    code('json', JSON.stringify(body, null, 2)),
    table(
      ['Header', 'What it says'],
      [
        ['`webhook-id`', 'The event. The same each time that it is sent: leave out what you have seen.'],
        ['`webhook-timestamp`', 'When it was sent, in unix seconds. Refuse what is older than five minutes.'],
        [
          '`webhook-signature`',
          'One or more signatures separated by spaces, each `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`.',
        ],
      ],
    ),
    heading('Check it'),
    paragraph('Without this check anybody who knows the address can send you events. Libraries of Standard Webhooks do the same.'),
    ...VERIFIERS.map(({ language, text }) => code(language, text)),
    heading('Answer it'),
    list(
      `Any 2xx within ${WEBHOOKS.answerSeconds} seconds: taken; the next one is sent. Do the work afterwards.`,
      `Anything else, or nothing: sent again after ${WEBHOOKS.waitsMinutes.map(spanOf).join(', ')}. A later time that \`Retry-After\` asks for is kept, up to a day. Then the end point is disabled, and you get a mail.`,
      '410: nothing more is sent to it.',
      'Redirects are not followed. Addresses of private networks are refused.',
    ),
    heading('Order, repeats and gaps'),
    list(
      'Events of an account reach each end point in the order in which they happened; one that is not taken holds up those behind it.',
      'An event may come twice: after an answer that did not reach us, and when you ask for it.',
      `What was missed is sent once the end point works again. Events are kept for ${WEBHOOKS.keptDays} days: [replay them](/docs/api/replay_webhook), or read them at [\`GET /v1/events\`](/docs/api/list_events).`,
      `A new secret signs beside the old one for ${WEBHOOKS.secretOverlapHours} hours. An account has at most ${WEBHOOKS.endpoints} end points.`,
    ),
    heading('Types'),
    table(
      ['Type', 'When'],
      (Object.keys(CUSTOMER_EVENTS) as CustomerEventType[]).map((type) => [`\`${type}\``, CUSTOMER_EVENTS[type].says]),
    ),
    paragraph(
      'Types and members of `data` are only ever added. Their schemas are in the section `webhooks` of the [OpenAPI document](/openapi.json).',
    ),
  ],
});
