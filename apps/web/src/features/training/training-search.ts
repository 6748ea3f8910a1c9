import { countOf, textOf, wholeOf, wordOf } from '../../lib/search.ts'
import { axesSearch, type AxesSearch } from '../parallel-coordinates/axes-search.ts'
import { type CurveSearch, curveSearch } from '../curves/curve-search.ts'
import { type EventChoice, eventChoices } from './choose-events.ts'
import { type GroupOrder, groupOrders } from './group-orders.ts'

/** Which jobs a list shows. Default: all. */
export const jobStates = ['active', 'failed'] as const
export type JobState = (typeof jobStates)[number]

/** Search parameters of the list of jobs. */
export interface JobsSearch extends AxesSearch {
  state?: JobState | undefined
  method?: 'rl' | 'sft' | undefined
  /** Name of the base model. */
  base?: string | undefined
  /** A part of the name of the model, or of the id of the job. */
  text?: string | undefined
}

export const jobsSearch = (search: Record<string, unknown>): JobsSearch => ({
  state: wordOf(search, 'state', jobStates),
  method: wordOf(search, 'method', ['rl', 'sft']),
  base: textOf(search, 'base'),
  text: textOf(search, 'text'),
  ...axesSearch(search),
})

/** The parts of the page of a job. Default: its curves. */
export const jobTabs = ['steps', 'data', 'events', 'config'] as const
export type JobTab = (typeof jobTabs)[number]

/** Search parameters of a training job. */
export interface JobSearch extends CurveSearch {
  tab?: JobTab | undefined
  /** The gradient step that is shown next to the page, from 1. */
  step?: number | undefined
  /** Index of the group of trajectories that is shown next to the page, from 0. */
  group?: number | undefined
  /** Whether tokens of the trajectory next to the page are marked by their probability. Default: they are. */
  tokens?: 'off' | undefined
  /** The bin of rewards whose groups are shown, from 1. */
  bin?: number | undefined
  order?: GroupOrder | undefined
  /** Ids of jobs whose curves are overlaid on those of the job, separated by commas. */
  over?: string | undefined
  /** Which events are listed. Default: all. */
  events?: EventChoice | undefined
}

export const jobSearch = (search: Record<string, unknown>): JobSearch => ({
  tab: wordOf(search, 'tab', jobTabs),
  step: wholeOf(search, 'step'),
  group: countOf(search, 'group'),
  tokens: wordOf(search, 'tokens', ['off']),
  bin: wholeOf(search, 'bin'),
  order: wordOf(search, 'order', groupOrders),
  over: textOf(search, 'over'),
  events: wordOf(search, 'events', eventChoices),
  ...curveSearch(search),
})

/** Search parameters of a group of trajectories. */
export interface GroupSearch {
  /** The only trajectory to show, from 1. */
  trajectory?: number | undefined
  /** Whether tokens are marked by their probability. */
  tokens?: 'on' | undefined
}

export const groupSearch = (search: Record<string, unknown>): GroupSearch => ({
  trajectory: wholeOf(search, 'trajectory'),
  tokens: wordOf(search, 'tokens', ['on']),
})

/** Search parameters of logged trajectories. */
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

/** Search parameters of a trained model. */
export interface ModelSearch extends CurveSearch {
  /** Step of the checkpoint that the dialog to evaluate one begins with; 0 is the base model. Undefined: it is closed. */
  evaluate?: number | undefined
  /** Name of the evaluation whose scores are shown. Default: the latest run. */
  scores?: string | undefined
}

export const modelSearch = (search: Record<string, unknown>): ModelSearch => ({
  evaluate: countOf(search, 'evaluate'),
  scores: textOf(search, 'scores'),
  ...curveSearch(search),
})
