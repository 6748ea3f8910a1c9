import { expect, test } from 'vitest'
import { trialLatency } from './trial-latency.ts'

test.each([
  [0.25, 0.25],
  [0, undefined],
  [null, undefined],
])('a trial of %j seconds has the latency %j', (seconds, latency) => expect(trialLatency({ model_latency_seconds: seconds })).toBe(latency))

test('a trial that is missing has no latency', () => expect(trialLatency(undefined)).toBe(undefined))
