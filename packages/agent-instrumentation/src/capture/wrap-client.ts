import type { ModelClient } from '../context/trajectory.ts'

/** The client with another `fetch`. @throws TypeError for a client that cannot be copied */
export function wrapClient<Client extends ModelClient<Client>>(client: Client, recordingFetch: typeof fetch): Client {
  if (typeof client.withOptions !== 'function')
    throw new TypeError(
      'the client has no withOptions(), as those of openai 5 and later have; give it `fetch: agent.fetch` when you create it',
    )
  return client.withOptions({ fetch: recordingFetch })
}
