export { seededRandom } from './seeded-random.ts'
export { trials } from './trials.ts'
