import type { Measure } from '@heddle/evaluations'
import { measureColumns } from './measured-columns.ts'

/** Runs in a separate thread, so that the page responds while intervals are computed. Each message is a measure in all runs. */
addEventListener('message', ({ data }: MessageEvent<readonly (Measure | undefined)[]>) => postMessage(measureColumns(data)))
