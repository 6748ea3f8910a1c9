import { expect, inject, test } from 'vitest'
import { settle, withPage } from './testing/open-page.ts'
import { inWholeRuns, isWholeRun } from './testing/whole-runs.ts'

const { seeded } = inject('webServer')
const { ordinary, huge, broken } = seeded
const { firstVersions: first } = ordinary
const condition = [{ path: 'op_name', operator: 'contains', value: 'a' }]

interface Parameter {
  of: string
  path: string
  name: string
  value: string
  /** A value that the page does not know, and what it says of it. */
  bad?: { value: string; says: string }
  isInSlice?: boolean
}

const leftOut = (name: string, value = 'unknown') => ({ value, says: `${name}=${value}` })
const trace = `/${broken.project}/calls/${broken.rootCallId}`
const shared = `/shared#${broken.linkToken}`
const calls = `/${ordinary.project}/calls`
const dataset = `/${ordinary.project}/datasets/${ordinary.dataset}`
const prompt = `/${ordinary.project}/prompts/${ordinary.prompt}`
const compare = `/${ordinary.project}/evaluations/compare?ids=${ordinary.before},${ordinary.after}`
const axes = `/${ordinary.project}/evaluations?view=axes`
const job = `/${ordinary.project}/training/jobs/${ordinary.jobId}`
const start = `/${ordinary.project}/training/start`
const playground = `/${ordinary.project}/playground`
const noCall = { value: 'unknown', says: 'Call unknown was not found' }

const parameters: Parameter[] = [
  { of: 'calls', path: calls, name: 'level', value: 'all', bad: leftOut('level') },
  { of: 'calls', path: calls, name: 'status', value: 'error', bad: leftOut('status') },
  { of: 'calls', path: calls, name: 'sort', value: 'slowest', bad: leftOut('sort') },
  { of: 'calls', path: calls, name: 'range', value: '30d', bad: leftOut('range') },
  { of: 'calls', path: calls, name: 'where', value: JSON.stringify(condition), bad: leftOut('where', '[1]'), isInSlice: true },
  {
    of: 'calls',
    path: calls,
    name: 'filter',
    value: 'op_name contains a or not exception = null',
    bad: { value: 'op_name ~', says: 'a comparison' },
  },
  { of: 'calls', path: calls, name: 'text', value: 'a', bad: { value: 'x'.repeat(501), says: `text=${'x'.repeat(80)}…` } },
  { of: 'calls', path: calls, name: 'traces', value: '{"calls":1000}', bad: leftOut('traces', '[1]') },
  { of: 'calls', path: calls, name: 'columns', value: '["inputs.question"]', bad: leftOut('columns', '[1]') },
  { of: 'calls', path: calls, name: 'hidden', value: '["Tokens","Cost"]', bad: leftOut('hidden', '["Name"]') },
  { of: 'calls', path: calls, name: 'peek', value: ordinary.rootCallIds[0] ?? '', bad: noCall },
  { of: 'calls', path: `${calls}?peek=${ordinary.rootCallIds[0]}`, name: 'tab', value: 'raw', bad: leftOut('tab') },
  { of: 'a trace', path: trace, name: 'selected', value: broken.failedCallId, bad: noCall },
  { of: 'a trace', path: trace, name: 'tab', value: 'attributes', bad: leftOut('tab') },
  { of: 'a trace', path: trace, name: 'view', value: 'flame', bad: leftOut('view') },
  { of: 'a trace', path: trace, name: 'find', value: 'fails', bad: { value: 'nothing of this name', says: '0 found' } },
  { of: 'a shared trace', path: shared, name: 'selected', value: broken.failedCallId, bad: noCall },
  { of: 'a shared trace', path: shared, name: 'tab', value: 'raw', bad: leftOut('tab', 'feedback') },
  { of: 'a shared trace', path: shared, name: 'view', value: 'flame', bad: leftOut('view') },
  { of: 'a shared trace', path: shared, name: 'find', value: 'fails', bad: { value: 'nothing of this name', says: '0 found' } },
  { of: 'settings', path: `/${ordinary.project}/settings`, name: 'part', value: 'keys', bad: leftOut('part') },
  { of: 'feedback', path: `/${ordinary.project}/feedback`, name: 'type', value: 'wandb.note.1' },
  { of: 'feedback', path: `/${ordinary.project}/feedback`, name: 'range', value: '24h', bad: leftOut('range') },
  { of: 'feedback', path: `/${ordinary.project}/feedback`, name: 'mentions', value: 'me', bad: leftOut('mentions') },
  { of: 'feedback', path: `/${ordinary.project}/feedback`, name: 'from', value: '2026-01-01T00:00:00Z', bad: leftOut('from', 'early') },
  { of: 'feedback', path: `/${ordinary.project}/feedback`, name: 'to', value: '2036-01-01T00:00:00Z', bad: leftOut('to', 'late') },
  { of: 'threads', path: `/${ordinary.project}/threads`, name: 'feedback', value: 'starred', bad: leftOut('feedback') },
  { of: 'a dataset', path: dataset, name: 'tab', value: 'changes', bad: leftOut('tab') },
  { of: 'a dataset', path: dataset, name: 'version', value: first.dataset, bad: { value: 'unknown', says: 'the latest is shown' } },
  { of: 'a dataset', path: dataset, name: 'find', value: 'a', bad: { value: 'nothing of this text', says: '0 found' } },
  { of: 'a dataset', path: dataset, name: 'row', value: '1', bad: { value: '999', says: 'no row 999; its last one is shown' } },
  {
    of: 'evaluation runs',
    path: `/${ordinary.project}/evaluations`,
    name: 'chosen',
    value: `${ordinary.before},${ordinary.after}`,
    bad: { value: 'unknown', says: 'are not among those listed' },
  },
  { of: 'evaluation runs', path: `/${ordinary.project}/evaluations`, name: 'view', value: 'axes', bad: leftOut('view') },
  {
    of: 'evaluation runs',
    path: axes,
    name: 'axes',
    value: '["tokens","score.exact.match"]',
    bad: { value: '["unknown","tokens"]', says: 'Unknown axis unknown.' },
  },
  { of: 'evaluation runs', path: axes, name: 'axes', value: '["tokens"]', bad: leftOut('axes') },
  {
    of: 'evaluation runs',
    path: axes,
    name: 'ranges',
    value: '[{"axis":"score.exact.match","from":0.9}]',
    bad: { value: '[{"axis":"unknown","from":1}]', says: 'The range of unknown is not used' },
  },
  {
    of: 'evaluation runs',
    path: axes,
    name: 'colour',
    value: 'latency',
    bad: { value: 'unknown', says: 'No axis unknown is shown' },
  },
  { of: 'a comparison', path: compare, name: 'columns', value: 'one', bad: leftOut('columns') },
  {
    of: 'a comparison',
    path: compare,
    name: 'ranges',
    value: JSON.stringify([{ name: 'exact.match', from: 0, to: 1 }]),
    bad: leftOut('ranges', '[1]'),
  },
  {
    of: 'a comparison',
    path: compare,
    name: 'filters',
    value: JSON.stringify([{ in: ordinary.after, filter: 'scores.exact.match = true' }]),
    bad: leftOut('filters', '[1]'),
  },
  {
    of: 'a comparison',
    path: `${compare}&split=unknown`,
    name: 'part',
    value: 'unknown',
  },
  { of: 'a comparison', path: compare, name: 'means', value: 'shared', bad: leftOut('means') },
  { of: 'a comparison', path: compare, name: 'outputs', value: 'lines', bad: leftOut('outputs') },
  {
    of: 'a comparison',
    path: compare,
    name: 'score',
    value: 'exact.match',
    bad: { value: 'unknown', says: 'No run has classes of a score unknown' },
  },
  { of: 'a queue', path: `/${ordinary.project}/queues/${ordinary.queueId}`, name: 'state', value: 'unstarted', bad: leftOut('state') },
  {
    of: 'an item of a queue',
    path: `/${ordinary.project}/queues/${ordinary.queueId}/annotate/${ordinary.itemId}`,
    name: 'state',
    value: 'open',
    bad: leftOut('state'),
  },
  { of: 'a prompt', path: prompt, name: 'version', value: first.prompt, bad: { value: 'unknown', says: 'the latest is shown' } },
  { of: 'the playground', path: playground, name: 'call', value: ordinary.rootCallIds[0] ?? '', bad: noCall },
  {
    of: 'the playground',
    path: playground,
    name: 'models',
    value: 'heddle-nano,heddle-nano',
    bad: { value: 'unknown', says: 'unknown is not available' },
  },
  { of: 'training jobs', path: `/${ordinary.project}/training/jobs`, name: 'view', value: 'axes', bad: leftOut('view') },
  {
    of: 'training jobs',
    path: `/${ordinary.project}/training/jobs?view=axes`,
    name: 'axes',
    value: '["status","metric.reward"]',
    bad: { value: '["unknown","status"]', says: 'Unknown axis unknown.' },
  },
  {
    of: 'training jobs',
    path: `/${ordinary.project}/training/jobs?view=axes`,
    name: 'ranges',
    value: '[{"axis":"metric.reward","from":2}]',
    bad: { value: '[{"axis":"metric.reward","from":"high"}]', says: 'The range of metric.reward is not used' },
  },
  {
    of: 'training jobs',
    path: `/${ordinary.project}/training/jobs?view=axes`,
    name: 'colour',
    value: 'duration',
    bad: { value: 'unknown', says: 'No axis unknown is shown' },
  },
  { of: 'training jobs', path: `/${ordinary.project}/training/jobs`, name: 'state', value: 'failed', bad: leftOut('state') },
  { of: 'training jobs', path: `/${ordinary.project}/training/jobs`, name: 'method', value: 'sft', bad: leftOut('method') },
  { of: 'a training job', path: job, name: 'tab', value: 'config', bad: leftOut('tab') },
  { of: 'a training job', path: `${job}?tab=data`, name: 'group', value: '1', bad: leftOut('group', 'first') },
  { of: 'a training job', path: `${job}?group=0`, name: 'tokens', value: 'off', bad: leftOut('tokens') },
  { of: 'a training job', path: `${job}?tab=data`, name: 'bin', value: '1', bad: leftOut('bin') },
  { of: 'a training job', path: job, name: 'smooth', value: '0.5', bad: leftOut('smooth', '2') },
  { of: 'a training job', path: job, name: 'scale', value: 'log', bad: leftOut('scale') },
  { of: 'a training job', path: job, name: 'axis', value: 'clock', bad: leftOut('axis') },
  { of: 'a training job', path: job, name: 'outliers', value: 'out', bad: leftOut('outliers') },
  { of: 'a training job', path: job, name: 'from', value: '5', bad: leftOut('from', 'early') },
  { of: 'a training job', path: job, name: 'to', value: '5', bad: leftOut('to', 'late') },
  { of: 'a training job', path: `${job}?tab=events`, name: 'events', value: 'steps', bad: leftOut('events') },
  { of: 'a training job', path: job, name: 'step', value: '999', bad: leftOut('step') },
  { of: 'a group of a job', path: `${job}/groups/0`, name: 'trajectory', value: '2', bad: leftOut('trajectory') },
  { of: 'a group of a job', path: `${job}/groups/0`, name: 'tokens', value: 'on', bad: leftOut('tokens') },
  { of: 'a job to start', path: start, name: 'group', value: 'prompt' },
  { of: 'a job to start', path: start, name: 'reward', value: 'score:accuracy' },
  { of: 'a job to start', path: start, name: 'filter', value: 'op_name contains a or not exception = null' },
  { of: 'a job to start', path: start, name: 'where', value: JSON.stringify(condition), bad: leftOut('where', '[1]') },
  { of: 'a job to start', path: start, name: 'failed', value: 'keep', bad: leftOut('failed') },
  { of: 'a run', path: `/${ordinary.project}/evaluations/runs/${ordinary.after}`, name: 'row', value: 'unknown' },
  {
    of: 'a comparison',
    path: compare,
    name: 'baseline',
    value: ordinary.after,
    bad: { value: 'unknown', says: 'the first is the baseline' },
  },
  { of: 'a comparison', path: compare, name: 'rows', value: 'regressions', bad: leftOut('rows') },
  { of: 'a comparison', path: compare, name: 'order', value: 'row', bad: leftOut('order') },
  {
    of: 'a comparison',
    path: compare,
    name: 'measure',
    value: 'length',
    bad: { value: 'unknown', says: 'No run has the measure unknown' },
  },
  { of: 'a comparison', path: compare, name: 'row', value: 'unknown' },
  {
    of: 'a run',
    path: `/${ordinary.project}/evaluations/runs/${ordinary.after}`,
    name: 'measure',
    value: 'length',
    bad: { value: 'unknown', says: 'The run has no measure unknown' },
  },
  { of: 'a run', path: `/${ordinary.project}/evaluations/runs/${ordinary.after}`, name: 'from', value: '1', bad: leftOut('from', 'low') },
  {
    of: 'a comparison',
    path: compare,
    name: 'filter',
    value: 'scores.length > 2',
    bad: { value: 'scores.length', says: 'The filter cannot be read' },
  },
  {
    of: 'a comparison',
    path: `${compare}&filter=scores.length > 2`,
    name: 'filterIn',
    value: ordinary.after,
    bad: { value: 'unknown', says: 'is not among those compared' },
  },
  { of: 'a comparison', path: compare, name: 'from', value: '1', bad: leftOut('from', 'low') },
  { of: 'a comparison', path: compare, name: 'to', value: '0.5', bad: leftOut('to', 'high') },
  { of: 'a comparison', path: `${compare}&from=1`, name: 'of', value: '2', bad: leftOut('of', '0') },
  {
    of: 'a comparison',
    path: compare,
    name: 'against',
    value: 'length',
    bad: { value: 'unknown', says: 'no other measure of these runs' },
  },
  { of: 'a comparison', path: `${compare}&against=length`, name: 'againstFrom', value: '2', bad: leftOut('againstFrom', 'low') },
  { of: 'a comparison', path: `${compare}&against=length`, name: 'againstTo', value: '2', bad: leftOut('againstTo', 'high') },
  {
    of: 'a comparison',
    path: `/${ordinary.project}/evaluations/compare`,
    name: 'ids',
    value: `${ordinary.after},${ordinary.before}`,
    bad: { value: `${ordinary.after},unknown`, says: 'This project has no evaluation run unknown' },
  },
]
const shown = isWholeRun ? parameters : parameters.filter(({ isInSlice }) => isInSlice)

function withParameter(path: string, name: string, value: string): string {
  const [place = '', ...hash] = path.split('#')
  return [`${place}${place.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`, ...hash].join('#')
}

test.each(shown)('$name of $of opens the same after a reload, and changes what is shown', ({ path, name, value }) =>
  withPage(async ({ page, visit }) => {
    // The relative time of a row continues.
    const text = async () => {
      await settle(page)
      return (await page.locator('main').ariaSnapshot()).replaceAll(/\d+ (?:s|min|h|d) ago/g, 'ago')
    }
    await visit(withParameter(path, name, value))
    const before = await text()
    await page.reload()
    await expect.poll(text).toBe(before)
    expect(new URL(page.url()).searchParams.get(name)).toBe(value)
    expect(await page.getByText('Ignored in the address').count()).toBe(0)
    await visit(path)
    await expect.poll(text).not.toBe(before)
  }),
)

/** Its counts change all the time, so only what the range decides is compared. */
test.each(inWholeRuns)('the range of the status page is the same after a reload, and a bad one is named', () =>
  withPage(async ({ page, visit }) => {
    const isChosen = (range: string) => page.getByRole('radio', { name: range, exact: true }).isChecked()
    await visit('/status?range=24h')
    await page.getByText('spans per 20 min').waitFor()
    await page.reload()
    await page.getByText('spans per 20 min').waitFor()
    expect(await isChosen('24 h')).toBe(true)
    await page.getByRole('radio', { name: '6 h', exact: true }).check()
    await page.getByText('spans per 5 min').waitFor()
    expect(new URL(page.url()).searchParams.get('range')).toBe('6h')
    await visit('/status?range=unknown')
    await page.getByText('range=unknown').waitFor()
    expect(await isChosen('1 h')).toBe(true)
  }),
)

test.each(shown.filter(({ bad }) => bad))('a bad $name of $of is named, and the page works without it', ({ path, name, bad }) =>
  withPage(async ({ page, visit }) => {
    await visit(withParameter(path, name, bad?.value ?? ''))
    await page
      .getByText(bad?.says ?? '', { exact: false })
      .first()
      .waitFor()
    expect(await page.getByText('The page failed').count()).toBe(0)
    expect(await page.locator('h1').count()).toBe(1)
  }),
)

test.each(inWholeRuns)('what is chosen with the keys is in the address, and opens again', () =>
  withPage(async ({ page, visit }) => {
    await visit(`/${huge.project}/calls/${huge.rootCallId}`)
    await page.getByRole('tree', { name: 'Spans of the trace' }).focus()
    await page.keyboard.press('End')
    await expect.poll(() => new URL(page.url()).searchParams.get('selected')).not.toBeNull()
    const name = await page.getByRole('treeitem', { selected: true }).textContent()
    await page.reload()
    await expect.poll(() => page.getByRole('treeitem', { selected: true }).textContent()).toBe(name)
  }),
)
