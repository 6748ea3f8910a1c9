import { expect, test } from 'vitest'
import { shownConfig } from './shown-config.ts'

test.each([
  [null, {}],
  [{}, {}],
  [
    { learning_rate: 1e-5, ppo: true, loss_fn: 'ppo' },
    { learning_rate: 1e-5, ppo: true, loss_fn: 'ppo' },
  ],
  [{ seed: null, learning_rate: [1, 2], metric_logging: { enabled: true } }, {}],
  [{ loss_fn: 'x'.repeat(200), other: 'x'.repeat(201), ['y'.repeat(201)]: 1 }, { loss_fn: 'x'.repeat(200) }],
  [{ learning_rate: Number.NaN }, {}],
])('of the config %j a list of jobs shows %j', (config, shown) => expect(shownConfig(config)).toEqual(shown))

test('of very many fields the first hundred are shown, whatever their names', () => {
  const config = Object.fromEntries([['__proto__', 1] as const, ...Array.from({ length: 200 }, (_, at) => [`field ${at}`, at] as const)])
  const shown = shownConfig(config)
  expect(Object.keys(shown)).toHaveLength(100)
  expect(Object.keys(shown)[0]).toBe('__proto__')
})
