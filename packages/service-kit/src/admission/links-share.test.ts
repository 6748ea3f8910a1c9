import { defineResource } from '@heddle/core-api'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { mount } from '../routing/mount.ts'
import { serviceOf } from '../routing/service-of.ts'
import { createAdmission, defaultAdmissionLimits } from './admission.ts'

const contract = {
  links: defineResource('Links', {
    show: {
      method: 'POST',
      path: '/show',
      effect: 'read',
      open: true,
      stream: 'jsonl',
      summary: 'Show what is public',
      body: z.object({}),
      output: z.unknown(),
    },
    list: { method: 'POST', path: '/list', effect: 'read', summary: 'List what is not', body: z.object({}), output: z.unknown() },
  }),
}

/** A service whose public answers end when they are told to. */
function start() {
  const admission = createAdmission({
    limits: { links: { ...defaultAdmissionLimits.links, maxRunning: 2, maxWaiting: 3, maxOccupancyMs: 60_000 } },
  })
  const ends: (() => void)[] = []
  async function* rows() {
    yield { row: 1 }
    await new Promise<void>((resolve) => ends.push(resolve))
  }
  const mounted = mount({
    name: 'test',
    resources: contract,
    handlers: { links: { show: async () => rows(), list: async () => ({ rows: 0 }) } },
    authenticate: async () => 'key',
    keyId: (caller: string) => caller,
    context: () => undefined,
    admission,
  })
  const { fetch } = serviceOf([mounted])
  const send = (path: string) =>
    fetch(new Request(`http://heddle.test${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }))
  return { admission, ends, send }
}

test('answers without a key hold their few permits to their end, and requests with a key do not wait for them', async () => {
  const { admission, ends, send } = start()
  const first = await Promise.all([send('/show'), send('/show')])
  const texts = first.map((response) => response.text())
  const waiting = [send('/show'), send('/show'), send('/show')]
  await expect.poll(() => admission.links.waiting).toBe(3)
  expect(admission.links.running).toBe(2)
  expect((await send('/show')).status).toBe(429)
  expect(await (await send('/list')).json()).toEqual({ rows: 0 })
  await expect.poll(() => ends.length).toBe(2)
  ends.splice(0, 1)[0]!()
  await expect.poll(() => admission.links.waiting).toBe(2)
  const later = Promise.all(waiting.map(async (response) => (await response).text()))
  const timer = setInterval(() => ends.splice(0).forEach((end) => end()), 5)
  expect([...(await Promise.all(texts)), ...(await later)].every((text) => text.trim() === '{"row":1}')).toBe(true)
  clearInterval(timer)
  await expect.poll(() => admission.links.running).toBe(0)
})
