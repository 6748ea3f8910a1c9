import { expect, inject, test } from 'vitest'
import { findLayoutFaults } from './testing/find-layout-faults.ts'
import { findViolations } from './testing/find-violations.ts'
import { openPage } from './testing/open-page.ts'

const { url } = inject('webServer')

/** Serves a page of the test's own at the address of the server. */
async function openWith(body: string, headers: Record<string, string> = {}) {
  const open = await openPage({ isSignedIn: false })
  await open.page.route(`${url}/made-by-a-test`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      headers,
      body: `<!doctype html><html lang="en"><title>Test</title><main>${body}</main></html>`,
    }),
  )
  await open.page.goto('/made-by-a-test')
  return open
}

test.each([
  { what: 'an error of the console', body: '<script>console.error("written by a test")</script>', says: 'written by a test' },
  { what: 'an uncaught error', body: '<script>throw new Error("thrown by a test")</script>', says: 'thrown by a test' },
  { what: 'a rejected promise', body: '<script>void Promise.reject(new Error("rejected"))</script>', says: 'rejected' },
  { what: 'a request to another host', body: '<img alt="" src="http://other.invalid/a.png">', says: 'http://other.invalid/a.png' },
  { what: 'a dialog', body: '<script>alert("hello")</script>', says: 'hello' },
])('$what fails a test', async ({ body, says }) => {
  const open = await openWith(body)
  await expect.poll(() => open.observed.problems().join('\n')).toContain(says)
  await expect(open.close()).rejects.toThrow(says)
})

test('what the content policy stops fails a test', async () => {
  const open = await openWith('<script>window.ran = true</script>', { 'content-security-policy': "default-src 'self'" })
  await expect.poll(() => open.observed.problems().join('\n')).toContain('script-src-elem stopped inline')
  await expect(open.close()).rejects.toThrow('content policy')
})

test('what a test expects does not fail it', async () => {
  const open = await openWith('<script>console.error("known")</script>')
  await expect.poll(() => open.observed.problems()).toHaveLength(1)
  open.observed.expect('known')
  await open.close()
})

test('violations of the accessibility rules are found', async () => {
  const open = await openWith('<h1>Title</h1><img src="data:,"><p style="color: #ccc; background: #fff">faint</p>')
  const violations = await findViolations(open.page)
  expect(violations.map((text) => text.split(' ')[0])).toEqual(['color-contrast', 'image-alt'])
  await open.close()
})

test('overlapping controls, cut headings and sideways scrolling are found', async () => {
  const open = await openWith(`
    <button style="position: absolute; top: 0; left: 0; width: 90px; height: 20px">one</button>
    <button style="position: absolute; top: 10px; left: 10px; width: 90px; height: 20px">two</button>
    <h1 style="margin-top: 90px; width: 60px; overflow: hidden; white-space: nowrap">A long title that is cut</h1>
    <p style="width: 3000px">wide</p>`)
  const faults = await findLayoutFaults(open.page)
  expect(faults).toHaveLength(3)
  expect(faults.join('\n')).toMatch(/px wide in a window of[\s\S]*overlap[\s\S]*is cut/)
  await open.close()
})
