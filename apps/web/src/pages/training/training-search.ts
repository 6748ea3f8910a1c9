import { countOf, textOf, wholeOf, wordOf } from '../../app/search.ts'
import { type CurveSearch, curveSearch } from '../curves/curve-view.ts'
import { type EventChoice, eventChoices } from './choose-events.ts'
import { type GroupOrder, groupOrders } from '../trajectories/group-statistics.ts'

/** What the address of a training job says. */
export interface JobSearch extends CurveSearch {
  /** The gradient step that is shown, from 1. */
  step?: number | undefined
  /** The bin of rewards whose groups are shown, from 1. */
  bin?: number | undefined
  order?: GroupOrder | undefined
  /** Ids of jobs whose curves are laid over those of the job, with commas between them. */
  over?: string | undefined
  /** Which events are listed. Default: all. */
  events?: EventChoice | undefined
}

export const jobSearch = (search: Record<string, unknown>): JobSearch => ({
  step: wholeOf(search, 'step'),
  bin: wholeOf(search, 'bin'),
  order: wordOf(search, 'order', groupOrders),
  over: textOf(search, 'over'),
  events: wordOf(search, 'events', eventChoices),
  ...curveSearch(search),
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
