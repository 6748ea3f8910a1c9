import type { TrainingEvent } from '@heddle/core-api/types'
import { expect, test } from 'vitest'
import { chooseEvents, type EventChoice } from './choose-events.ts'

const types = ['training_started', 'gradient_step', 'training_failed'] as const
const events = types.map((type): TrainingEvent => ({ id: type, type, data: {}, created_at: '2026-01-01T00:00:00Z' }))

test.each<[EventChoice | undefined, string[]]>([
  [undefined, [...types]],
  ['errors', ['training_failed']],
  ['changes', ['training_started', 'training_failed']],
  ['steps', ['gradient_step']],
])('%s of the events', (choice, expected) => expect(chooseEvents(events, choice).map(({ type }) => type)).toEqual(expected))
