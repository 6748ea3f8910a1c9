import { expect, inject, test } from 'vitest'

const { url } = inject('webServer')

test('modules that every page needs are preloaded', async () => {
  const html = await (await fetch(url, { headers: { accept: 'text/html' } })).text()
  const preloaded = [...html.matchAll(/<link rel="modulepreload" crossorigin href="(\/assets\/(\w+)-[^"]+\.js)">/g)]
  expect(preloaded.map(([, , name]) => name).sort()).toEqual(['api', 'parts', 'schemas'])
  for (const [, path] of preloaded) expect((await fetch(new URL(path ?? '', url))).status).toBe(200)
})
