import { expect, test } from 'vitest'
import { pageTitle } from './page-title.ts'

test.each([
  ['/', 'Projects · Heddle'],
  ['/shared', 'Shared trace · Heddle'],
  ['/status', 'Status · Heddle'],
  ['/acme/agent', 'acme/agent · Heddle'],
  ['/acme/agent/calls', 'Traces · acme/agent · Heddle'],
  ['/acme/my%20agent/training/jobs/1', 'Training jobs 1 · acme/my agent · Heddle'],
  ['/acme/agent/threads/%E2%80%AEdaerht', 'Threads daerht · acme/agent · Heddle'],
  ['/acme/agent/threads/%E0%A4%A', 'Threads %E0%A4%A · acme/agent · Heddle'],
])('the page at %s is titled %s', (path, title) => expect(pageTitle(path)).toBe(title))
