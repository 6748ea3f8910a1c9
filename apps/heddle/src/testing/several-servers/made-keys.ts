import type { TracingClient } from '../../connect.ts'
import { askForStatus, untilAnswered, type Work } from './work.ts'

/** Keys that are made, used at every server and revoked. */
export function madeKeys(url: string, client: TracingClient): Work {
  const project_id = 'killed/keys'
  const found: string[] = []
  const expectStatus = async (what: string, secret: string, status: number) => {
    for (let request = 0; request < 3; request++) {
      const answer = await untilAnswered(() =>
        askForStatus(`${url}/calls/query_stats`, {
          method: 'POST',
          headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
          body: JSON.stringify({ project_id }),
        }),
      )
      if (answer !== status) found.push(`${what} was answered with ${answer}`)
    }
  }
  let made = 0
  return {
    name: 'keys',
    async step() {
      const { secret, key } = await client.projectKeys.create({ project_id, name: `key ${made++}`, role: 'reader' })
      await expectStatus('a new key', secret, 200)
      await untilAnswered(() => client.projectKeys.revoke({ project_id, key_id: key.id }))
      await expectStatus('a revoked key', secret, 401)
    },
    faults: async () => found,
  }
}
