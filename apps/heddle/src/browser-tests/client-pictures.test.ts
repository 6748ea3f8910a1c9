import { randomUUID } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { displayNameOf, tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import type { Call } from '@heddle/core-api/types'
import { recordings, sendRecording } from '@heddle/tracing/testing'
import { expect, inject, test } from 'vitest'
import { openPage } from './testing/open-page.ts'
import { keepSmallPicture } from './testing/screenshots.ts'
import { isWholeRun } from './testing/whole-runs.ts'

const { url, apiKey } = inject('webServer')
const client = createClient({ baseUrl: url, apiKey, contract: tracing })
const folder = new URL('../../../../docs/clients/', import.meta.url)
const maxPictureBytes = 60_000

interface Picture {
  recording: string
  /** Name of the span to show, for clients whose model calls have no tokens or no input. Absent: a call with tokens. */
  span?: string
}

/** Pages about clients, and the recording that each shows. */
const pictures: Record<string, Picture> = {
  'ai-sdk': { recording: 'js-ai-sdk-7' },
  anthropic: { recording: 'py-openinference-anthropic' },
  'claude-code': { recording: 'js-claude-agent' },
  codex: { recording: 'js-codex', span: 'session_task.turn' },
  collector: { recording: 'py-openinference-openai-collector' },
  crewai: { recording: 'py-openinference-crewai' },
  dify: { recording: 'py-dify', span: 'llm_Planner' },
  langchain: { recording: 'py-openinference-langgraph' },
  litellm: { recording: 'py-litellm' },
  llamaindex: { recording: 'py-openinference-llama-index' },
  mastra: { recording: 'js-mastra', span: 'agent_step planner' },
  n8n: { recording: 'js-n8n', span: 'Planner' },
  'openai-agents': { recording: 'py-openinference-openai-agents' },
  openai: { recording: 'py-openinference-openai' },
  'pydantic-ai': { recording: 'py-pydantic-ai-format-5' },
  weave: { recording: 'py-weave' },
}
const shown = Object.entries(pictures)

test.each(shown)('the page about %s has a picture of what its client records that loads fast', async (page) => {
  expect(await readFile(new URL(`${page}.md`, folder), 'utf8')).toMatch(new RegExp(`^!\\[.+\\]\\(pictures/${page}\\.webp\\)$`, 'm'))
  expect((await stat(new URL(`pictures/${page}.webp`, folder))).size).toBeLessThan(maxPictureBytes)
})

test('each page about a client has a picture', async () => {
  const pages = (await readdir(folder)).filter((name) => name.endsWith('.md'))
  expect(shown.map(([page]) => `${page}.md`).toSorted()).toEqual(pages.toSorted())
})

test('no picture is there that no page shows', async () => {
  expect((await readdir(new URL('pictures/', folder))).toSorted()).toEqual(shown.map(([page]) => `${page}.webp`).toSorted())
})

/** `npm run pictures:clients` copies what these keep in `.screenshots/`. */
test.each(isWholeRun ? shown : [])(
  'the picture of %s can be drawn again, from its recording',
  { timeout: 300_000 },
  async (page, picture) => {
    const { project_id, callId } = await record(picture)
    const open = await openPage({ width: 1240, height: 480 })
    try {
      await open.visit(`/${project_id}/calls/${callId}`)
      await open.page.getByRole('tree', { name: 'Spans of the trace' }).getByRole('treeitem').first().waitFor()
      await open.page.locator('main [aria-busy=true]').waitFor({ state: 'detached' })
      await keepSmallPicture(open.page, 'main', `client-${page}`)
    } finally {
      await open.close()
    }
  },
)

/** Sends a recording to a new project. @returns the call to show */
async function record({ recording: name, span }: Picture) {
  const project_id = `demo/${name}-${randomUUID()}`
  const recording = recordings.find((one) => one.name === name)
  if (recording === undefined) throw new Error(`unknown recording: ${name}`)
  await sendRecording(recording, { apiKey, project: project_id, fetch: (path, init) => fetch(url + path, init) })
  const { calls } = await client.calls.query({ project_id, sort_by: [{ field: 'started_at', direction: 'asc' }] })
  const call = span === undefined ? withTokens(calls) : calls.find((each) => displayNameOf(each) === span)
  if (call === undefined) throw new Error(`no call of the recording ${name} ${span === undefined ? 'has tokens' : `is named ${span}`}`)
  return { project_id, callId: call.id }
}

/** A call with tokens, preferably a leaf with an answer. */
function withTokens(calls: readonly Call[]): Call | undefined {
  const parents = new Set(calls.map(({ parent_id }) => parent_id))
  const counted = calls.filter(({ summary }) => Object.keys(summary?.usage ?? {}).length > 0)
  const answered = counted.filter(({ output }) => Object.keys(output ?? {}).length > 0)
  return answered.find(({ id }) => !parents.has(id)) ?? answered[0] ?? counted[0]
}
