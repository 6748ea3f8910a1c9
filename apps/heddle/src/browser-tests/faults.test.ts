import { expect, inject, test } from 'vitest'
import { withPage } from './testing/open-page.ts'

const { seeded } = inject('webServer')
const path = `/${seeded.ordinary.project}/datasets`

test.each([
  { what: 'fails', status: 500, headers: {}, says: 'The server failed (500)' },
  { what: 'refuses', status: 403, headers: {}, says: 'Your key may not do this' },
])('a page says that the server $what, and shows its data when asked again', async ({ status, headers, says }) => {
  await withPage(async ({ page, observed }) => {
    observed.expect(String(status))
    let isFaulty = true
    await page.route('**/objs/query', (route) =>
      isFaulty ? route.fulfill({ status, headers, json: { detail: 'made by a test' } }) : route.continue(),
    )
    await page.goto(path)
    await page.getByRole('alert').getByText(says).waitFor()
    isFaulty = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'questions' }).waitFor()
  })
})

test('a busy server is asked again after the time that it names', async () => {
  await withPage(async ({ page, observed }) => {
    observed.expect('429')
    let refusals = 1
    await page.route('**/objs/query', (route) =>
      refusals-- > 0
        ? route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: { detail: 'made by a test' } })
        : route.continue(),
    )
    await page.goto(path)
    await page.getByRole('link', { name: 'questions' }).waitFor()
    expect(refusals).toBeLessThan(0)
  })
})

test('a cut connection is repeated', async () => {
  await withPage(async ({ page, observed }) => {
    observed.expect('ERR_CONNECTION_RESET')
    let cuts = 1
    await page.route('**/objs/query', (route) => (cuts-- > 0 ? route.abort('connectionreset') : route.continue()))
    await page.goto(path)
    await page.getByRole('link', { name: 'questions' }).waitFor()
    expect(cuts).toBeLessThan(0)
  })
})

test.each([
  ['an unknown version', 'version=unknown', 'the latest is shown'],
  ['an unknown part', 'tab=unknown', '12 rows'],
])('%s in an address falls back', async (_, search, shows) => {
  await withPage(async ({ page, visit }) => {
    await visit(`/${seeded.ordinary.project}/datasets/${seeded.ordinary.dataset}?${search}`)
    await expect.poll(() => page.textContent('main')).toContain(shows)
  })
})
