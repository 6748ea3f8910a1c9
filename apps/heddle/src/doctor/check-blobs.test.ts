import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { checkBlobs } from './check-machine.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A store that answers everything with the status, and what it was asked. */
async function storeThatAnswers(status: number) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.method ?? '')
    request.resume()
    request.once('end', () => response.writeHead(status, { 'last-modified': new Date(0).toUTCString() }).end())
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  closers.push(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket`
  return { asked, blobsUrl: { url, region: 'r', accessKeyId: 'id', secretAccessKey: 'hush', prefix: '' } }
}

test('blobs in the data folder are not checked separately', async () => {
  expect(await checkBlobs({ blobsUrl: undefined, dataDir: '/none' })).toEqual([])
})

test('a bucket is tried, and nothing is left in it', async () => {
  const { blobsUrl, asked } = await storeThatAnswers(200)
  expect(await checkBlobs({ blobsUrl, dataDir: '/none' })).toEqual([
    { name: 'Blobs', state: 'ok', detail: `${blobsUrl.url} can be written and read` },
  ])
  expect(asked).toEqual(['PUT', 'HEAD', 'DELETE'])
})

test('a bucket that rejects access is a failure with a remedy, without the secret', async () => {
  const { blobsUrl } = await storeThatAnswers(403)
  const [finding] = await checkBlobs({ blobsUrl, dataDir: '/none' })
  expect(finding).toMatchObject({
    state: 'failure',
    detail: expect.stringContaining('403'),
    remedy: expect.stringContaining('HEDDLE_BLOBS_URL'),
  })
  expect(JSON.stringify(finding)).not.toContain('hush')
})
