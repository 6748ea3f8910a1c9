import { compareTexts } from './compare-texts.ts'

/** Runs in a thread of its own, so that the page responds while long texts are compared. */
addEventListener('message', ({ data: { before, after } }: MessageEvent<{ before: string; after: string }>) => {
  postMessage({ parts: compareTexts(before, after) })
})
