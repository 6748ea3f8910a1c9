import { randomUUID } from 'node:crypto'
import { tracing, training } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { recordEvaluation } from '../../testing/record-evaluation.ts'
import { aChart, dashboardValue } from './dashboard-value.ts'

/** A name with an override, an isolate that never ends and a mark of each direction. */
const marked = (name: string) => `${name} \u202Etxet\u2066 \u200Fand\u200E \u061C\u2067more`

/** Fills a project in which every name that a client may choose holds marks of writing direction. Returns paths of pages that show them, by name. */
export async function seedMarkedNames({ url, apiKey }: { url: string; apiKey: string }): Promise<Record<string, string>> {
  const client = createClient({ baseUrl: url, apiKey, contract: tracing, timeoutMs: 120_000 })
  const learner = createClient({ baseUrl: url, apiKey, contract: training, timeoutMs: 120_000 })
  const [entity, project, rootId, childId, trace_id] = ['test', marked(randomUUID()), randomUUID(), randomUUID(), randomUUID()]
  const project_id = `${entity}/${project}`
  const thread = marked('thread')
  const at = new Date(Date.now() - 60_000).toISOString()
  const aCall = (id: string, parent_id: string | null, fields: object) => ({
    project_id,
    id,
    parent_id,
    trace_id,
    started_at: at,
    ended_at: at,
    op_name: marked('op'),
    display_name: marked('call'),
    thread_id: thread,
    turn_id: rootId,
    wb_user_id: marked('user'),
    attributes: { [marked('attribute')]: marked('value'), tags: [marked('tag')] },
    inputs: { [marked('input')]: marked('value'), messages: [{ role: marked('role'), content: marked('message') }] },
    output: { role: 'assistant', content: `# ${marked('answer')}\n\n- **${marked('strong')}**`, [marked('output')]: 1 },
    summary: { usage: { [marked('model')]: { prompt_tokens: 3, completion_tokens: 2, requests: 1 } } },
    ...fields,
  })
  await client.calls.complete({
    entity,
    project,
    batch: [aCall(rootId, null, {}), aCall(childId, rootId, { exception: marked('ValueError') })],
  } as Parameters<typeof client.calls.complete>[0])
  const weave_ref = `weave:///${project_id}/call/${rootId}`
  for (const feedback of [
    { feedback_type: 'wandb.note.1', payload: { note: marked('note') } },
    { feedback_type: 'wandb.reaction.1', payload: { emoji: '👍' } },
    { feedback_type: marked('custom'), payload: { [marked('key')]: marked('value') } },
  ])
    await client.feedback.create({ project_id, weave_ref, creator: marked('creator'), ...feedback })

  const publish = async (object_id: string, val: object, builtin_object_class?: string) => {
    const obj = { project_id, object_id, val, wb_user_id: marked('user'), ...(builtin_object_class && { builtin_object_class }) }
    const { digest } = await client.objects.create({ obj } as Parameters<typeof client.objects.create>[0])
    return `weave:///${project_id}/object/${object_id}:${digest}`
  }
  const rows = [{ [marked('column')]: marked('cell') }]
  const dataset = await client.datasets.create({ entity, project, name: marked('dataset'), description: marked('description'), rows })
  const bases = { _type: 'MessagesPrompt', _class_name: 'MessagesPrompt', _bases: ['Prompt', 'Object', 'BaseModel'] }
  await publish('prompt', { ...bases, name: marked('prompt'), messages: [{ role: marked('role'), content: marked('text') }] })
  const charts = [
    aChart(marked('chart'), { id: 'c1', by: 'op' }),
    aChart(marked('other'), { id: 'c2', by: 'model', level: 'roots', measure: 'tokens', form: 'line' }),
  ]
  await publish('dashboard', dashboardValue({ name: marked('dashboard'), charts }))
  await publish('a-model', { _class_name: marked('class'), name: marked('model'), [marked('member')]: marked('value') })
  const field = await publish(
    'tone',
    { name: marked('field'), description: marked('what'), field_schema: { type: 'string', enum: [marked('choice')] } },
    'AnnotationSpec',
  )
  const queue = await client.annotationQueues.create({
    project_id,
    name: marked('queue'),
    description: marked('description'),
    scorer_refs: [field],
  })
  await client.annotationQueues.addCalls({ project_id, queue_id: queue.id, call_ids: [rootId], display_fields: ['inputs', 'output'] })
  const { items } = await client.annotationQueues.queryItems({ project_id, queue_id: queue.id, filter: { call_id: rootId } })
  const price = { prompt_token_cost: 1, completion_token_cost: 1 }
  await client.costs.create({ project_id, costs: { [marked('model')]: price } })
  await client.projectKeys.create({ project_id, name: marked('key'), role: 'writer' })
  const trials = [{ example: { [marked('question')]: marked('row') }, output: marked('answer'), scores: { [marked('score')]: 1 } }]
  const runs = [0, 1].map((run) => recordEvaluation(client, { project: project_id, name: marked(`run ${run}`), model: 'm', trials }))
  const runIds = await Promise.all(runs)
  const base_model = (await learner.baseModels.list({})).data[0]?.id ?? ''
  const model = await learner.models.create({ entity, project, name: marked('trained'), base_model })
  const attempt = (reward: number) => ({
    messages_and_choices: [
      { role: 'user', content: marked('question') },
      { role: 'assistant', content: marked('answer') },
    ],
    reward,
  })
  const trajectory_groups = [{ trajectories: [attempt(0), attempt(1)] }]
  await learner.trainingJobs.create({ model_id: model.id, trajectory_groups } as Parameters<typeof learner.trainingJobs.create>[0])
  const { token } = await client.sharedTraces.create({ project_id, trace_id })

  const columns = encodeURIComponent(JSON.stringify([`attributes.${marked('attribute')}`, `inputs.${marked('input')}`]))
  const paths: Record<string, string> = {
    home: '?range=30d',
    calls: `calls?level=all&range=30d&columns=${columns}`,
    'calls, one opened': `calls?level=all&peek=${childId}`,
    'compare traces': `calls/compare?ids=${rootId},${childId}`,
    ...Object.fromEntries(
      ['messages', 'values', 'attributes', 'feedback', 'raw'].map((tab) => [
        `trace, ${tab}`,
        `calls/${rootId}?selected=${rootId}&tab=${tab}`,
      ]),
    ),
    ...Object.fromEntries(
      ['flame', 'graph', 'timeline', 'conversation'].map((view) => [`trace as ${view}`, `calls/${rootId}?view=${view}`]),
    ),
    threads: 'threads',
    thread: `threads/${encodeURIComponent(thread)}`,
    feedback: 'feedback',
    'costs by op': 'costs?range=30d&by=op&chart=tokens',
    'costs by model': 'costs?range=30d&by=model',
    dashboards: 'dashboards',
    dashboard: 'dashboards/dashboard?range=30d',
    datasets: 'datasets',
    dataset: `datasets/${encodeURIComponent(dataset.object_id)}`,
    prompt: 'prompts/prompt',
    objects: 'objects',
    object: 'objects/a-model',
    queues: 'queues',
    queue: `queues/${queue.id}`,
    annotate: `queues/${queue.id}/annotate/${items[0]?.id}`,
    evaluations: 'evaluations',
    'evaluations as axes': 'evaluations?view=axes',
    'evaluation run': `evaluations/runs/${runIds[0]}`,
    comparison: `evaluations/compare?ids=${runIds.join(',')}`,
    playground: `playground?call=${rootId}&models=${encodeURIComponent(marked('model'))}`,
    'training jobs': 'training/jobs',
    'trained models': 'training/models',
    'trained model': `training/models/${model.id}`,
    settings: 'settings?part=keys',
  }
  const inProject = (path: string) => `/${entity}/${encodeURIComponent(project)}/${path}`
  return {
    projects: `/?contains=${encodeURIComponent(project.slice(0, 36))}`,
    ...Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, inProject(path)])),
    'shared trace': `/shared?selected=${rootId}&tab=messages#${token}`,
  }
}
