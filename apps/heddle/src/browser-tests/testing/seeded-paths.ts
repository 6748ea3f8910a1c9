import type { SeededPages } from './seed-pages.ts'

/** A page with something to show. */
export interface SeededPath {
  name: string
  path: string
  /** A text that its content has once it is loaded. */
  shows: string
  /** Also tested in every run of all tests. */
  isInSlice: boolean
}

/** The pages of the web UI, each with ordinary, huge, hostile or no data. */
export function pagesOf({ ordinary, huge, broken, hostile, empty }: SeededPages): SeededPath[] {
  const at = (project: string, path: string) => `/${project}/${path}`
  const page = (name: string, path: string, shows: string, isInSlice = false): SeededPath => ({ name, path, shows, isInSlice })
  return [
    page('projects', `/?contains=${ordinary.project}`, ordinary.project),
    page('projects, none', '/?contains=nothing-has-this-name', 'No project matches'),
    page('project home', `/${ordinary.project}?range=30d`, 'Slowest operations', true),
    page('threads', at(ordinary.project, 'threads'), ordinary.threadId),
    page('threads, none', at(empty.project, 'threads'), 'No threads yet'),
    page('thread', at(ordinary.project, `threads/${ordinary.threadId}`), 'Tomorrow before noon.'),
    page('thread, hostile', at(hostile.project, `threads/${encodeURIComponent(hostile.threadId)}`), 'onerror'),
    page('thread, none', at(empty.project, 'threads/missing'), 'No turns'),
    page('costs', at(ordinary.project, 'costs?range=30d'), 'have no price'),
    page('costs by op', at(ordinary.project, 'costs?range=30d&by=op&chart=tokens'), 'chat_turn'),
    page('costs, none', at(empty.project, 'costs'), 'No model calls in this range'),
    page('dashboards', at(ordinary.project, 'dashboards'), 'Overview'),
    page('dashboards, none', at(empty.project, 'dashboards'), 'No dashboards yet'),
    page('dashboard', at(ordinary.project, `dashboards/${ordinary.dashboard}`), 'chat_turn', true),
    page('dashboard, hostile', at(hostile.project, 'dashboards/hostile-dashboard'), 'onerror'),
    page('dashboard, missing', at(ordinary.project, 'dashboards/missing'), 'Dashboard not found'),
    page('feedback', at(ordinary.project, 'feedback'), 'Polite, and right.'),
    page('feedback, hostile', at(hostile.project, 'feedback'), 'word word'),
    page('feedback, none', at(empty.project, 'feedback'), 'No feedback yet'),
    page('compare traces', at(ordinary.project, `calls/compare?ids=${ordinary.turnIds[0]},${ordinary.turnIds[1]}`), '1 changed', true),
    page('compare traces, one', at(ordinary.project, `calls/compare?ids=${ordinary.rootCallIds[0]}`), 'Similar traces'),
    page('compare traces, hostile', at(hostile.project, `calls/compare?ids=${hostile.rootCallId},${hostile.otherRootCallId}`), 'only in A'),
    page('compare traces, missing', at(ordinary.project, 'calls/compare?ids=a,b'), 'not found'),
    page('parallel coordinates', at(ordinary.project, 'evaluations?view=axes'), 'runs kept'),
    page('parallel coordinates, hostile', at(hostile.project, 'evaluations?view=axes'), 'onerror'),
    page('shared trace', `/shared?selected=${broken.failedCallId}#${broken.linkToken}`, 'no such page'),
    page('shared trace, hostile', `/shared#${hostile.linkToken}`, 'window.attacked'),
    page('status', '/status', 'Slow requests, last hour'),
    page('datasets', at(ordinary.project, 'datasets'), 'questions'),
    page('datasets, none', at(empty.project, 'datasets'), 'No datasets yet'),
    page('dataset', at(ordinary.project, `datasets/${ordinary.dataset}`), 'How do I pay?', true),
    page(
      'dataset, changes',
      at(ordinary.project, `datasets/${ordinary.dataset}?tab=changes`),
      '0 added, 0 removed, 1 changed, 11 unchanged',
    ),
    page('dataset, uses', at(ordinary.project, `datasets/${ordinary.dataset}?tab=uses`), 'No evaluation uses this dataset'),
    page('dataset, huge', at(huge.project, `datasets/${huge.dataset}`), '5,000 rows'),
    page('dataset, hostile', at(hostile.project, `datasets/${hostile.dataset}`), 'onerror'),
    page('queues', at(ordinary.project, 'queues'), 'Review of answers'),
    page('queues, none', at(empty.project, 'queues'), 'No queues yet'),
    page('queue', at(ordinary.project, `queues/${ordinary.queueId}`), 'answer_question'),
    page('annotate', at(ordinary.project, `queues/${ordinary.queueId}/annotate/${ordinary.itemId}`), 'Complete and next', true),
    page('annotate, hostile', at(hostile.project, `queues/${hostile.queueId}/annotate/${hostile.itemId}`), 'onerror'),
    page('queue, hostile', at(hostile.project, `queues/${hostile.queueId}`), 'onerror'),
    page('job to start', at(ordinary.project, 'training/start?reward=score%3Aaccuracy&group=inputs.question'), 'Model to train'),
    page('job to start, no model', at(empty.project, 'training/start'), 'Name of the new model'),
    page(
      'job to start, hostile',
      at(hostile.project, `training/start?filter=${encodeURIComponent('a = "<img src=x onerror=alert(1)>"')}`),
      'onerror',
    ),
    page('ops', at(ordinary.project, 'ops'), 'look_up'),
    page('op', at(ordinary.project, 'ops/look_up'), 'return search(query)'),
    page('prompts', at(ordinary.project, 'prompts'), ordinary.prompt),
    page('prompt', at(ordinary.project, `prompts/${ordinary.prompt}`), 'You are helpful and brief', true),
    page('models, none', at(empty.project, 'models'), 'No models yet'),
    page('objects', at(ordinary.project, 'objects'), ordinary.prompt),
    page('object, hostile', at(hostile.project, 'objects/hostile-object'), 'onerror'),
    page('missing object', at(ordinary.project, 'objects/missing'), 'No object named "missing"'),
    page('registry, none', at(empty.project, 'registry'), 'No named versions yet'),
    page('playground', at(ordinary.project, 'playground'), 'Add variant'),
    page(
      'playground with four',
      at(ordinary.project, 'playground?models=heddle-nano,heddle-nano,unknown/model,heddle-nano'),
      'unknown/model is not available',
    ),
    page('playground, hostile', at(hostile.project, `playground?call=${hostile.rootCallId}`), 'From trace'),
    page('playground, call missing', at(empty.project, 'playground?call=missing'), 'Call missing was not found'),
    page('settings', at(ordinary.project, 'settings?part=prices'), 'large'),
    page('settings, members', at(ordinary.project, 'settings?part=members'), 'People with a key'),
    page('settings, keys', at(ordinary.project, 'settings?part=keys'), 'HEDDLE_API_KEY'),
    page('settings, links', at(ordinary.project, 'settings?part=links'), 'Anyone with the link'),
    page('settings, webhooks', at(ordinary.project, 'settings?part=webhooks'), 'Nothing is sent yet.'),
    page('settings, retention', at(ordinary.project, 'settings?part=retention'), 'Traces are kept forever'),
    page('settings, usage', at(ordinary.project, 'settings?part=usage'), 'Used'),
    page('settings, audit', at(ordinary.project, 'settings?part=audit'), 'Operation'),
    page('settings, assistants', at(ordinary.project, 'settings?part=assistants'), 'mcpServers'),
    page('settings, server', at(ordinary.project, 'settings?part=server'), 'Outbound hosts'),
    page('unknown page', at(ordinary.project, 'nothing-here'), 'Page not found'),
  ]
}

/** The pages of the project with hostile texts, each with the places where they stand. */
export function hostilePathsOf({ hostile }: SeededPages): { name: string; path: string }[] {
  const { project, rootCallId, failedCallId, linkToken, queueId, itemId, dataset, runs, modelId } = hostile
  const columns = encodeURIComponent(JSON.stringify(['attributes.note', 'inputs.messages']))
  const paths: Record<string, string> = {
    'first page': '',
    calls: `calls?level=all&range=30d&columns=${columns}`,
    'calls with one beside them': `calls?level=all&peek=${failedCallId}`,
    'trace, messages': `calls/${rootCallId}?selected=${failedCallId}&tab=messages`,
    'trace, values': `calls/${rootCallId}?selected=${failedCallId}&tab=values`,
    'trace, attributes': `calls/${rootCallId}?selected=${failedCallId}&tab=attributes`,
    'trace, feedback': `calls/${rootCallId}?selected=${failedCallId}&tab=feedback`,
    'trace, raw': `calls/${rootCallId}?tab=raw`,
    playground: `playground?call=${rootCallId}&models=${encodeURIComponent('<img src=x onerror="window.attacked = true">')}`,
    'evaluation runs': 'evaluations',
    'evaluation run': `evaluations/runs/${runs[0]}`,
    comparison: `evaluations/compare?ids=${runs.join(',')}`,
    dashboards: 'dashboards',
    dashboard: 'dashboards/hostile-dashboard?range=30d',
    datasets: 'datasets',
    dataset: `datasets/${dataset}`,
    'dataset, changes': `datasets/${dataset}?tab=changes`,
    'dataset, uses': `datasets/${dataset}?tab=uses`,
    queues: 'queues',
    queue: `queues/${queueId}`,
    annotate: `queues/${queueId}/annotate/${itemId}`,
    training: 'training/jobs',
    'trained models': 'training/models',
    'trained model': `training/models/${modelId}`,
    ops: 'ops',
    op: 'ops/hostile_op',
    prompt: 'prompts/hostile-prompt',
    objects: 'objects',
    object: 'objects/hostile-object',
    'settings, keys': 'settings?part=keys',
    'settings, members': 'settings?part=members',
    'settings, webhooks': 'settings?part=webhooks',
    settings: 'settings?part=prices',
  }
  const shared = ['messages', 'values', 'attributes', 'raw'].map((tab) => ({
    name: `shared trace, ${tab}`,
    path: `/shared?selected=${failedCallId}&tab=${tab}#${linkToken}`,
  }))
  return [...Object.entries(paths).map(([name, path]) => ({ name, path: `/${project}/${path}` })), ...shared]
}
