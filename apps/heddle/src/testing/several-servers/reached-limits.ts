import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { expect } from 'vitest'
import { ask, untilAnswered, type Work } from './work.ts'

const project_id = 'killed/limited'
const bytesPerDay = 1_000_000
/** Characters of the smallest write. */
const small = 100

interface Options {
  url: string
  apiKey: string
  /** Of each server. */
  addresses: readonly string[]
}

/** A project whose bytes of the day were sent to one server, so that no server accepts more of them. */
export async function reachedLimits({ url, apiKey, addresses }: Options): Promise<Work> {
  const found: string[] = []
  const statusOf = async (address: string, characters: number) => {
    const body = JSON.stringify({ obj: { project_id, object_id: 'text', val: 'x'.repeat(characters) } })
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const answer = await ask(`${address}/obj/create`, { method: 'POST', headers, body })
    await answer.body?.cancel()
    return answer.status
  }
  const clientOf = (baseUrl: string) => createClient({ baseUrl, apiKey, contract: tracing, retries: 4 })
  await clientOf(url).projects.updateLimits({ project_id, ingested_bytes_per_day: bytesPerDay })
  const [first = '', ...others] = addresses
  const limitAt = async (address: string) => (await clientOf(address).projects.readLimits({ project_id })).ingested_bytes_per_day.limit
  for (const address of addresses) await expect.poll(() => limitAt(address)).toBe(bytesPerDay)
  const day = () => new Date().toISOString().slice(0, 10)
  const dayOfLimit = day()
  // A write that does not fit is refused, a smaller one may still fit.
  for (let characters = bytesPerDay / 10; characters >= small; characters /= 2) while ((await statusOf(first, characters)) === 200);
  // Alone, another server would accept thousands of these.
  for (const address of others)
    await expect.poll(async () => (await statusOf(address, 2 * small)) === 429 || day() !== dayOfLimit).toBe(true)
  return {
    name: 'limits',
    async step() {
      const status = await untilAnswered(() => statusOf(url, 2 * small))
      // The daily limit starts over at midnight.
      if (status !== 429 && day() === dayOfLimit) found.push(`a write beyond the limit was answered with ${status}`)
    },
    faults: async () => found,
  }
}
