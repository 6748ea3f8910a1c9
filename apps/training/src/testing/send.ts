import type { TrainingServer } from './start-training-app.ts'

/** Sends a request as a foreign client does, and returns the response as it travels. */
export async function send(
  { service, apiKey }: Pick<TrainingServer, 'service' | 'apiKey'>,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const response = await service.fetch(
    new Request(`http://heddle.test${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  )
  return { status: response.status, headers: response.headers, body: (await response.json()) as unknown }
}
