import { countOf, textOf, wholeOf, wordOf } from '../../app/search.ts'
import { type GroupOrder, groupOrders } from '../trajectories/group-statistics.ts'

/** What the address of a training job says. */
export interface JobSearch {
  /** The gradient step that is shown, from 1. */
  step?: number | undefined
  /** The bin of rewards whose groups are shown, from 1. */
  bin?: number | undefined
  order?: GroupOrder | undefined
}

export const jobSearch = (search: Record<string, unknown>): JobSearch => ({
  step: wholeOf(search, 'step'),
  bin: wholeOf(search, 'bin'),
  order: wordOf(search, 'order', groupOrders),
})

/** What the address of a group of trajectories says. */
export interface GroupSearch {
  /** The one that is shown alone, from 1. */
  trajectory?: number | undefined
  /** Whether tokens are marked by their probability. */
  tokens?: 'on' | undefined
}

export const groupSearch = (search: Record<string, unknown>): GroupSearch => ({
  trajectory: wholeOf(search, 'trajectory'),
  tokens: wordOf(search, 'tokens', ['on']),
})

/** What the address of logged trajectories says. */
export interface LoggedSearch {
  step?: number | undefined
  split?: string | undefined
  /** Id of the group that is shown. */
  group?: string | undefined
  trajectory?: number | undefined
}

export const loggedSearch = (search: Record<string, unknown>): LoggedSearch => ({
  step: countOf(search, 'step'),
  split: textOf(search, 'split'),
  group: textOf(search, 'group'),
  trajectory: wholeOf(search, 'trajectory'),
})
