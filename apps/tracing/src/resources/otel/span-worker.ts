import { prepareSpans } from './prepare-spans.ts'

/** What the pool of worker threads runs. */
export { prepareSpans as default }
