import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { inject } from 'vitest'
import { observePage, type Observed } from './observe-page.ts'
import type { SeededPages } from './seed-pages.ts'

declare module 'vitest' {
  /** What the settings and the global setup give to the browser tests. */
  interface ProvidedContext {
    /** Path of the Chromium to start. */
    chromiumPath: string
    /** True in `npm run test:browser`: all cases run, and pictures are kept. */
    allBrowserCases: boolean
    /** Address under which tests reach the Chromium that runs. */
    browserEndpoint: string
    webServer: { url: string; apiKey: string; seeded: SeededPages }
  }
}

export interface PageOptions {
  width?: number
  height?: number
  colorScheme?: 'light' | 'dark'
  reducedMotion?: 'reduce' | 'no-preference'
  /** Default: signed in with the key that may do everything. */
  isSignedIn?: boolean
  /** Base address of the server, without a slash at the end. Default: of the one that all tests share. Pages of another one are opened without a session. */
  url?: string
  /** The test sets the clock of its pages. They share no context with other tests then: a context keeps such a clock to its end. */
  setsClock?: boolean
}

/** A page of a browser that has nothing else open, and keeps nothing of earlier pages but their files. */
export interface OpenPage {
  page: Page
  /** What went wrong in it so far. */
  observed: Observed
  /** Goes to a path below the base address of the server and waits until nothing more is loaded. */
  visit(path: string): Promise<void>
  /** Closes it. @throws Error that lists what went wrong, unless the test has expected it. */
  close(): Promise<void>
}

export const settleTimeoutMs = 60_000

/** Shared by the worker: a new browser for each page would load and compile all files of the UI again. */
let opened: Promise<Opened> | undefined

interface Opened {
  browser: Browser
  context: BrowserContext
  /** Keeps the process of pages. */
  blank: Page
}

async function openBrowser(baseURL: string): Promise<Opened> {
  const browser = await chromium.connect(inject('browserEndpoint'))
  const opened = { browser, ...(await openContext(browser, baseURL)) }
  const refuse = () => Promise.reject(new Error('Pages of other tests would get this clock: open the page with `setsClock`.'))
  Object.assign(opened.context.clock, { install: refuse, setFixedTime: refuse, setSystemTime: refuse })
  return opened
}

async function openContext(browser: Browser, baseURL: string) {
  const context = await browser.newContext({ baseURL, locale: 'en-GB', timezoneId: 'UTC' })
  context.setDefaultTimeout(settleTimeoutMs)
  return { context, blank: await context.newPage() }
}

async function clearStorage(context: BrowserContext, blank: Page, origin: string): Promise<void> {
  const session = await context.newCDPSession(blank)
  await session.send('Storage.clearDataForOrigin', {
    origin,
    storageTypes: 'local_storage,indexeddb,cache_storage,service_workers',
  })
  await session.detach()
}

/** Opens an empty page. Cookies and storage are empty but for the session. */
export async function openPage(options: PageOptions = {}): Promise<OpenPage> {
  const shared = inject('webServer').url
  const { width = 1280, height = 800, colorScheme = 'light', reducedMotion = 'reduce', url = shared } = options
  const { origin } = new URL(url)
  const common = await (opened ??= openBrowser(shared))
  const { context, blank } = options.setsClock === true ? await openContext(common.browser, shared) : common
  if (options.isSignedIn !== false && url === shared) await signIn(context)
  const page = await context.newPage()
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme, reducedMotion })
  const observed = await observePage(page, origin)
  return {
    page,
    observed,
    async visit(path) {
      await page.goto(url + path)
      await settle(page)
    },
    async close() {
      if (context === common.context) {
        for (const other of context.pages()) if (other !== blank) await other.close()
        await context.clearCookies()
        await clearStorage(context, blank, origin)
      } else await context.close()
      const problems = observed.problems()
      if (problems.length > 0) throw new Error(`the page had problems:\n${problems.join('\n')}`)
    },
  }
}

/** Runs a test with a page, and fails it when something went wrong in the page. */
export async function withPage(run: (open: OpenPage) => Promise<void>, options?: PageOptions): Promise<void> {
  const open = await openPage(options)
  await run(open).catch(async (error: unknown) => {
    const problems = open.observed.problems()
    await open.close().catch(() => undefined)
    throw problems.length === 0 ? error : new Error(`${String(error)}\nthe page had problems:\n${problems.join('\n')}`, { cause: error })
  })
  await open.close()
}

/** Until nothing is loaded and nothing says that it is loading. */
export async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  await page.waitForFunction(() => document.querySelector('main') !== null && document.querySelector('[aria-busy="true"]') === null)
}

/** Leaves no connection open: the server may close an idle one at the moment when the next sign-in takes it. */
async function signIn(context: BrowserContext): Promise<void> {
  const { apiKey } = inject('webServer')
  const response = await context.request.post('/session', { headers: { authorization: `Bearer ${apiKey}`, connection: 'close' } })
  if (!response.ok()) throw new Error(`signing in was answered with ${response.status()}: ${await response.text()}`)
}
