import fc from 'fast-check'
import { testSeed } from './test-seed.ts'

// A setup file of vitest: the properties of a run of the tests draw their inputs from one seed, so that the same sources have the same result.
fc.configureGlobal({ seed: testSeed() })
