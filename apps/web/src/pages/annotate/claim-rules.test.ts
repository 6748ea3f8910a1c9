import { expect, test } from 'vitest'
import { claimStateOf, leftText, shouldRenew } from './claim-rules.ts'

type Seen = Parameters<typeof claimStateOf>[0]

const until = '2026-01-01T00:10:00Z'
const open: Seen['item'] = { claimed_by: null, claimed_until: null, own_state: 'unstarted', review_count: 0 }
const byMe = { ...open, claimed_by: 'me', claimed_until: until }
const byBob = { ...open, claimed_by: 'bob', claimed_until: until }
const seen = (part: Partial<Seen>): Seen => ({ item: open, username: 'me', heldUntil: undefined, reviewersPerItem: 1, now: 1_000, ...part })

test.each<[string, Partial<Seen>, object]>([
  ['nobody holds', {}, { kind: 'free' }],
  ['I hold', { item: byMe, heldUntil: 1_500 }, { kind: 'held', leftMs: 500 }],
  ['I hold as the service says, and this page does not know until when', { item: byMe }, { kind: 'free' }],
  ['another holds', { item: byBob }, { kind: 'other', by: 'bob', until, isLost: false }],
  ['another holds after me', { item: byBob, heldUntil: 900 }, { kind: 'other', by: 'bob', until, isLost: true }],
  ['another holds although my time is not over', { item: byBob, heldUntil: 1_500 }, { kind: 'other', by: 'bob', until, isLost: true }],
  ['I held for too long', { item: byMe, heldUntil: 1_000 }, { kind: 'ended' }],
  ['I held until it was taken from me', { heldUntil: 1_500 }, { kind: 'ended' }],
  ['I have completed', { item: { ...open, own_state: 'completed', review_count: 1 } }, { kind: 'reviewed' }],
  ['I have skipped while others are needed', { item: { ...byBob, own_state: 'skipped' }, reviewersPerItem: 2 }, { kind: 'reviewed' }],
  ['others have completed', { item: { ...open, review_count: 2 }, reviewersPerItem: 2, heldUntil: 1_500 }, { kind: 'completed' }],
  ['too few have completed', { item: { ...open, review_count: 1 }, reviewersPerItem: 2 }, { kind: 'free' }],
])('an item that %s', (_, part, state) => {
  expect(claimStateOf(seen(part))).toEqual(state)
})

const used = { now: 200, claimedAt: 100, heldSince: 100, activeAt: 150, isVisible: true, leaseMs: 300 }
test.each<[string, Partial<typeof used>, boolean]>([
  ['a third of its time after it was made, while the page is used', {}, true],
  ['before', { now: 199 }, false],
  ['while the page is not seen', { isVisible: false }, false],
  ['while nothing was done since it was made', { activeAt: 100 }, false],
  ['after twelve times its time', { now: 3_700, claimedAt: 3_500, activeAt: 3_600 }, false],
  ['just before that', { now: 3_699, claimedAt: 3_500, activeAt: 3_600 }, true],
])('a claim is made longer %s: %j', (_, part, expected) => {
  expect(shouldRenew({ ...used, ...part })).toBe(expected)
})

test.each([
  [600_000, '10 min'],
  [90_000, '2 min'],
  [89_000, '89 s'],
  [1, '1 s'],
])('%d ms are left as %s', (ms, text) => expect(leftText(ms)).toBe(text))
