import { chromiumArguments } from '@heddle/testing'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { buildForTests } from '../../testing/build-for-tests.ts'
import { seedPages } from './seed-pages.ts'

const noOtherHost = (url: string) => `--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE ${new URL(url).hostname}`

/** Pages of a context share one process as long as one of them is open: a process for each page takes a tenth more of processor time. */
const sharedProcess = ['--renderer-process-limit=1', '--disable-site-isolation-trials']

/** Builds and starts the server with the projects that pages show, and one Chromium for a run of the browser tests. A global setup of vitest. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { chromiumPath } = project.getProvidedContext()
  const built = new URL('testing.js', await buildForTests()).href
  const { createTestServer } = (await import(/* @vite-ignore */ built)) as typeof import('../../test-server/create-test-server.ts')
  const server = await createTestServer()
  const browser = await chromium
    .launchServer({ executablePath: chromiumPath, headless: true, args: [...chromiumArguments, ...sharedProcess, noOtherHost(server.url)] })
    .catch(async (error: unknown) => {
      await server.close()
      throw new Error(`Chromium at ${chromiumPath} does not start: ${String(error)}`, { cause: error })
    })
  const close = async () => {
    await browser.close()
    await server.close()
  }
  try {
    project.provide('webServer', { url: server.url, apiKey: server.apiKey, seeded: await seedPages(server) })
    project.provide('browserEndpoint', browser.wsEndpoint())
  } catch (error) {
    await close()
    throw error
  }
  return close
}
