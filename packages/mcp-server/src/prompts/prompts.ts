export interface PromptArgument {
  name: string
  description: string
  required: boolean
}

/** A workflow that a user picks. */
export interface PromptTemplate {
  name: string
  title: string
  description: string
  arguments: readonly PromptArgument[]
  /** The message to the model. */
  text(given: Readonly<Record<string, string>>): string
}

const project = { name: 'project', description: 'entity/project', required: true }

/** The message of a prompt to the model. @throws Error for a name that no prompt has */
export function promptText(name: string, given: Readonly<Record<string, string>>): string {
  const prompt = prompts.find((one) => one.name === name)
  if (!prompt) throw new Error(`no prompt is named "${name}": there are ${prompts.map((one) => one.name).join(', ')}`)
  return prompt.text(given)
}

/** All prompts, by name. */
export const prompts: readonly PromptTemplate[] = [
  {
    name: 'compare_evaluations',
    title: 'Compare evaluations',
    description: 'Say whether a run is better than another, with the evidence',
    arguments: [
      project,
      { name: 'baseline', description: 'Id of the run to compare with', required: true },
      { name: 'candidate', description: 'Id of the other run', required: true },
    ],
    text: ({ project, baseline, candidate }) =>
      `Compare evaluation run ${candidate} with ${baseline} in project ${project}. Call eval_compare with order "worst" and look at the verdicts first. For the three rows that got worst, call eval_row_get. Then call eval_compare once with order "best". Say which scores changed beyond chance, what the worst rows have in common, and whether to ship.`,
  },
  {
    name: 'explain_call',
    title: 'Explain a call',
    description: 'Say what a call did, what failed below it, and where its time went',
    arguments: [project, { name: 'call_id', description: 'Id of the call, such as the root of a trace', required: true }],
    text: ({ project, call_id }) =>
      `Explain call ${call_id} in project ${project}. Call trace_get with this call_id for its tree, with view "errors" for what failed below it, and with view "messages" where a model answered. Say in a few sentences what the call did, which steps took most of its time and tokens, what went wrong first and why, and the smallest change that would help. Quote the calls that show it, with their ids.`,
  },
  {
    name: 'reward_audit',
    title: 'Audit rewards',
    description: 'Look for rewards that are earned without doing the task',
    arguments: [
      project,
      { name: 'model_id', description: 'Id of the trained model', required: true },
      { name: 'evaluation_id', description: 'Id of an evaluation run of that model', required: true },
    ],
    text: ({ project, model_id, evaluation_id }) =>
      `Look for reward hacking in model ${model_id} of project ${project}. Call model_checkpoints_list with order "desc" for how the reward rose, trajectories_preview for the spread of rewards, and eval_summary_get and eval_failures_group for evaluation ${evaluation_id}. A high reward with low evaluation scores, and outputs that are alike or unusually long, are signs. Quote the trajectories that show it.`,
  },
  {
    name: 'triage_failures',
    title: 'Triage failures',
    description: 'Group the failing rows of a run by cause',
    arguments: [
      project,
      { name: 'evaluation_id', description: 'Id of the evaluation run', required: true },
      { name: 'scorer', description: 'Only this scorer', required: false },
    ],
    text: ({ project, evaluation_id, scorer }) =>
      `Find out why rows of evaluation ${evaluation_id} in project ${project} fail. Call eval_failures_group${scorer ? ` with scorer "${scorer}"` : ''}, then eval_row_get for an example of each of the three largest groups, and trace_get with its call id where the output alone does not explain it. Name the cause of each group, how many rows it explains, and the smallest change that would fix it.`,
  },
  {
    name: 'watch_training_job',
    title: 'Watch a training job',
    description: 'Follow a job, and say when something is wrong',
    arguments: [
      { name: 'job_id', description: 'Id of the training job', required: true },
      { name: 'until', description: 'finished, next_event or step:N', required: false },
    ],
    text: ({ job_id, until }) =>
      `Follow training job ${job_id}. Call training_job_get and explain its findings. While it runs, call training_job_wait with until "${until || 'finished'}", and after each wait training_metrics_get for the loss and the reward. Stop and tell me when a finding is new.`,
  },
  {
    name: 'write_scorer',
    title: 'Write a scorer',
    description: 'Write a scorer from rows that people would judge differently',
    arguments: [
      project,
      { name: 'evaluation_id', description: 'Id of an evaluation run to look at', required: true },
      { name: 'goal', description: 'What a good output does', required: true },
    ],
    text: ({ project, evaluation_id, goal }) =>
      `Write a scorer for project ${project}. A good output does this: ${goal}. Call eval_columns_describe for evaluation ${evaluation_id}, then eval_results_query for ten rows with detail "standard". Write a deterministic scorer where the rows allow one, else a rubric for a judge; show its verdict on each of the ten rows, and where it would be wrong.`,
  },
]
