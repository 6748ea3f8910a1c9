import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { aTraining, fakeTraining, jobId } from '../testing/fake-training.ts'
import { createServer } from './mcp-server.ts'

test('a program serves the tools over a transport of its own', async () => {
  const server = createServer({
    baseUrl: 'http://services.test',
    project: 'e/p',
    fetch: fakeTraining(aTraining()),
    tools: ['training_job_get'],
  })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await server.connect(far)
  const client = new Client({ name: 'tests', version: '1' })
  await client.connect(near)
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['training_job_get'])
  expect(await client.callTool({ name: 'training_job_get', arguments: { job_id: jobId } })).toMatchObject({
    structuredContent: { data: { job: { status: 'running' } } },
  })
  await client.close()
  await server.close()
})
