import { connect } from 'node:net'
import { unavailable } from '@heddle/core-api/internal'
import { describe, expect, test } from 'vitest'
import { createBodyBudget } from './body-budget.ts'
import { serve } from '../http/serve.ts'
import { sampleService, stageTexts, type SampleOptions } from '../testing/sample-service.ts'
import type { StageUpload } from './staged-uploads.ts'

const form = (bytes: Uint8Array, field = 'file') => {
  const form = new FormData()
  form.append('project_id', 'e/p')
  form.append(field, new Blob([bytes as Uint8Array<ArrayBuffer>]), 'f')
  return form
}
const upload = (body: FormData, options: SampleOptions) =>
  sampleService(options).fetch(new Request('http://local/upload', { method: 'POST', headers: { authorization: 'Bearer key' }, body }))
const echo: SampleOptions['handlers'] = { upload: async ({ files }) => ({ sizes: files.map(({ content }) => content.sizeBytes) }) }

describe('uploads', () => {
  test('a file is staged while it arrives, with backpressure', async () => {
    let arrived = 0
    let taken = 0
    let mostAhead = 0
    const stageUpload: StageUpload = async (content) => {
      for await (const chunk of content) {
        taken += chunk.byteLength
        mostAhead = Math.max(mostAhead, arrived - taken)
        await new Promise((resolve) => void setImmediate(resolve))
      }
      return { digest: '', sizeBytes: taken, keep: async () => undefined, drop: async () => undefined, read: async function* () {} }
    }
    const whole = new Request('http://local', { method: 'POST', body: form(Buffer.alloc(8_000_000, 120)) })
    const type = whole.headers.get('content-type') ?? ''
    const reader = whole.body!.getReader()
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const next = await reader.read()
          if (next.done) return controller.close()
          arrived += next.value.byteLength
          controller.enqueue(next.value)
        },
      },
      { highWaterMark: 0 },
    )
    const headers = { authorization: 'Bearer key', 'content-type': type }
    const request = new Request('http://local/upload', { method: 'POST', headers, body, ...({ duplex: 'half' } as object) })
    const response = await sampleService({ stageUpload, handlers: echo }).fetch(request)
    expect(await response.json()).toEqual({ sizes: [8_000_000] })
    expect(mostAhead).toBeLessThan(500_000)
  })

  test('a file does not count against the memory for bodies', async () => {
    const budget = createBodyBudget(10_000)
    expect((await upload(form(Buffer.alloc(1_000_000)), { budget, handlers: echo })).status).toBe(200)
    expect((await upload(form(new Uint8Array(1)), { budget: createBodyBudget(4), handlers: echo })).status).toBe(503)
  })

  test.each<[string, SampleOptions['handlers'], number]>([
    ['succeeds', echo, 200],
    ['fails', { upload: () => Promise.reject(unavailable('no', 1)) }, 503],
  ])('an upload that no handler kept is dropped when the request %s', async (_end, handlers, status) => {
    const { uploads, stageUpload } = stageTexts()
    const response = await upload(form(Buffer.from('x')), { stageUpload, handlers: handlers ?? {} })
    expect(response.status).toBe(status)
    expect(uploads.map(({ text, isDropped }) => ({ text, isDropped }))).toEqual([{ text: 'x', isDropped: true }])
  })

  test('parts that the operation does not declare are not staged', async () => {
    const { uploads, stageUpload } = stageTexts()
    await upload(form(Buffer.from('x'), 'unknown'), { stageUpload, handlers: echo })
    expect(uploads).toEqual([])
  })

  test('a full store refuses the upload with its own error, before the first byte or after it', async () => {
    const full = unavailable('The store is full', 1)
    const atOnce: StageUpload = () => Promise.reject(full)
    const inTheMiddle: StageUpload = async (content) => {
      for await (const _ of content) throw full
      throw new Error('the file is empty')
    }
    for (const stageUpload of [atOnce, inTheMiddle]) {
      const response = await upload(form(Buffer.alloc(1_000_000)), { stageUpload, handlers: echo })
      expect([response.status, await response.json()]).toEqual([503, { reason: 'The store is full' }])
    }
  })

  test('a client that disconnects in the middle leaves nothing behind', async () => {
    let arrived = () => {}
    const arriving = new Promise<void>((resolve) => {
      arrived = resolve
    })
    let outcome = 'none'
    const stageUpload: StageUpload = async (content) => {
      try {
        for await (const chunk of content) if (chunk.byteLength > 0) arrived()
        outcome = 'whole'
      } catch {
        outcome = 'cut'
      }
      throw new Error('not staged')
    }
    const server = await serve({ fetch: sampleService({ stageUpload, handlers: echo }).fetch, host: '127.0.0.1', port: 0 })
    const client = connect(server.port, server.host)
    const body = `--b\r\ncontent-disposition: form-data; name="file"; filename="f"\r\n\r\n${'x'.repeat(100_000)}`
    client.write('POST /upload HTTP/1.1\r\nhost: x\r\nauthorization: Bearer key\r\n')
    client.write(`content-type: multipart/form-data; boundary=b\r\ncontent-length: 200000\r\n\r\n${body}`)
    await arriving
    client.destroy()
    await expect.poll(() => outcome).toBe('cut')
    await server.close()
  })

  test('an operation that takes files cannot be mounted without staging', () => {
    expect(() => sampleService({ stageUpload: undefined as never })).toThrow('operation samples.upload takes files')
  })
})

describe('chunked responses', () => {
  function contentOf(chunks: number, size: number) {
    const state = { read: 0, cancelled: 0 }
    async function* content() {
      for (; state.read < chunks; state.read++) yield new Uint8Array(size).fill(state.read)
    }
    const answer = {
      content_type: 'application/octet-stream',
      content: content(),
      cancel: () => void state.cancelled++,
      sizeBytes: chunks * size,
      status: 206 as const,
      headers: { etag: '"e"' },
    }
    return { state, handlers: { content: async () => answer } }
  }
  const ask = { method: 'POST', headers: { authorization: 'Bearer key' }, body: '{}' }

  test('carry their status, length and headers beside those that keep a browser from running them', async () => {
    const { handlers, state } = contentOf(3, 10)
    const response = await sampleService({ handlers }).fetch(new Request('http://local/content', ask))
    expect(response.status).toBe(206)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-length': '30',
      'content-disposition': 'attachment',
      'content-security-policy': "sandbox; default-src 'none'",
      etag: '"e"',
    })
    expect((await response.arrayBuffer()).byteLength).toBe(30)
    expect(state.cancelled).toBe(0)
  })

  test('are read no faster than the client reads, and not after it has left', async () => {
    const { handlers, state } = contentOf(1_000, 1_000)
    const response = await sampleService({ handlers }).fetch(new Request('http://local/content', ask))
    const reader = response.body!.getReader()
    await reader.read()
    expect(state.read).toBeLessThan(4)
    await reader.cancel()
    expect(state.cancelled).toBe(1)
  })

  test('end when the client stops reading', async () => {
    const { handlers, state } = contentOf(1_000, 1_000_000)
    const { fetch: answer } = sampleService({ handlers, stallMs: 100 })
    const server = await serve({ fetch: answer, host: '127.0.0.1', port: 0 })
    const response = await fetch(`${server.url}/content`, ask)
    await expect.poll(() => state.cancelled).toBe(1)
    expect(state.read).toBeLessThan(1_000)
    await expect(response.arrayBuffer()).rejects.toThrow()
    await server.close()
  })
})
