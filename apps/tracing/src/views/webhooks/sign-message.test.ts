import { expect, test } from 'vitest'
import { headersOfMessage, newWebhookSecret } from './sign-message.ts'

/** The example of the libraries of the specification. */
const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' }
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

test('a message is signed as the specification says', () => {
  expect(headersOfMessage(message, secret)).toEqual({
    'webhook-id': message.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('id, time, body and secret each change the signature', () => {
  const changed = [{ id: 'other' }, { timestamp: 1_614_265_331 }, { body: '{}' }].map((part) =>
    headersOfMessage({ ...message, ...part }, secret),
  )
  const all = [...changed, headersOfMessage(message, newWebhookSecret()), headersOfMessage(message, secret)]
  expect(new Set(all.map((headers) => headers['webhook-signature'])).size).toBe(5)
})

test('secrets are 256 random bits', () => {
  const [one, other] = [newWebhookSecret(), newWebhookSecret()]
  expect([one === other, one.startsWith('whsec_'), Buffer.from(one.slice(6), 'base64').length]).toEqual([false, true, 32])
})
