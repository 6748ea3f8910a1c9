import { count, searchOf, text, whole, word } from '../../lib/search.ts'
import { axesParams } from '../parallel-coordinates/axes-search.ts'
import { curveParams } from '../curves/curve-search.ts'
import { eventChoices } from './choose-events.ts'
import { groupOrders } from './group-orders.ts'

/** Which jobs a list shows. Default: all. */
export const jobStates = ['active', 'failed'] as const
export type JobState = (typeof jobStates)[number]

/** Search parameters of the list of jobs. */
export const jobsSearch = searchOf({
  state: word(...jobStates),
  method: word('rl', 'sft'),
  /** Name of the base model. */
  base: text,
  /** A part of the name of the model, or of the id of the job. */
  text,
  ...axesParams,
})
export type JobsSearch = ReturnType<typeof jobsSearch>

/** The parts of the page of a job. Default: its curves. */
export const jobTabs = ['steps', 'data', 'events', 'config'] as const

/** Search parameters of a training job. */
export const jobSearch = searchOf({
  tab: word(...jobTabs),
  /** The gradient step that is shown next to the page, from 1. */
  step: whole,
  /** Index of the group of trajectories that is shown next to the page, from 0. */
  group: count,
  /** Whether tokens of the trajectory next to the page are marked by their probability. Default: they are. */
  tokens: word('off'),
  /** The bin of rewards whose groups are shown, from 1. */
  bin: whole,
  order: word(...groupOrders),
  /** Ids of jobs whose curves are overlaid on those of the job, separated by commas. */
  over: text,
  /** Which events are listed. Default: all. */
  events: word(...eventChoices),
  ...curveParams,
})
export type JobSearch = ReturnType<typeof jobSearch>

/** Search parameters of a group of trajectories. */
export const groupSearch = searchOf({
  /** The only trajectory to show, from 1. */
  trajectory: whole,
  /** Whether tokens are marked by their probability. */
  tokens: word('on'),
})

/** Search parameters of logged trajectories. */
export const loggedSearch = searchOf({
  step: count,
  split: text,
  /** Id of the group that is shown. */
  group: text,
  trajectory: whole,
})

/** Search parameters of a trained model. */
export const modelSearch = searchOf({
  /** Step of the checkpoint that the dialog to evaluate one begins with; 0 is the base model. Undefined: it is closed. */
  evaluate: count,
  /** Name of the evaluation whose scores are shown. Default: the latest run. */
  scores: text,
  ...curveParams,
})
export type ModelSearch = ReturnType<typeof modelSearch>
