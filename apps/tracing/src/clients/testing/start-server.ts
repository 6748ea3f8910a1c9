import { serve } from '@heddle/service-kit'
import type { TracingDeps } from '../../tracing-deps.ts'
import { startTestApp, type TestClient } from '../../testing/start-test-app.ts'

export interface ServerUnderTest {
  /** Base address on loopback, without a slash at the end. */
  url: string
  apiKey: string
  /** Reads what a program has sent, without the network. */
  client: TestClient
  /** What went wrong inside the server, as told to its log; empty in a good test. */
  failures: readonly unknown[]
  /** A project that no other test uses. */
  newProject(): string
  close(): Promise<void>
}

/** The real service over temporary stores, on a free port of this machine, for clients that are programs of their own. */
export async function startServer(service: Pick<Partial<TracingDeps>, 'admission'> = {}): Promise<ServerUnderTest> {
  const failures: unknown[] = []
  const log = { info() {}, error: (...told: unknown[]) => void failures.push(told) }
  const app = await startTestApp({ service: { ...service, log } })
  const server = await serve({ fetch: app.service.fetch, host: '127.0.0.1', port: 0 })
  return {
    url: server.url,
    apiKey: app.apiKey,
    client: app.client,
    failures,
    newProject: () => app.newProject(),
    async close() {
      await server.close()
      await app.close()
    },
  }
}
