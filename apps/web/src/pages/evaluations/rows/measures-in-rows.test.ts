import { expect, test } from 'vitest'
import { measuresInRows } from './measures-in-rows.ts'

const names = ['exact', 'length', 'Latency']

test.each([
  ['two runs show the chosen measure and one more', { name: 'exact', runs: 2, columns: undefined }, ['exact', 'length']],
  ['the order of the measures remains', { name: 'Latency', runs: 2, columns: undefined }, ['exact', 'Latency']],
  ['of more runs, the chosen measure alone fits', { name: 'length', runs: 3, columns: undefined }, ['length']],
  ['all can be shown', { name: 'exact', runs: 8, columns: 'all' }, names],
  ['one alone can be shown', { name: 'length', runs: 2, columns: 'one' }, ['length']],
  ['without a chosen measure, all are shown', { name: '', runs: 2, columns: 'one' }, names],
] as const)('%s', (_, options, shown) => expect(measuresInRows(names, options)).toEqual(shown))
