import type { TrainingServer } from '../../../testing/start-training-app.ts'

/** Sends a request for a stream, and returns what each event holds, `[DONE]` included, and the comments. */
export async function readEvents(
  { service, apiKey }: Pick<TrainingServer, 'service' | 'apiKey'>,
  body: Record<string, unknown>,
  signal?: AbortSignal,
) {
  const response = await service.fetch(
    new Request('http://heddle.test/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ stream: true, ...body }),
      ...(signal && { signal }),
    }),
  )
  const lines = (await response.text()).split('\n\n').filter((line) => line !== '')
  const data = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice('data: '.length))
  return { status: response.status, headers: response.headers, data }
}
