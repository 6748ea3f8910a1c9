/** A kind of objects listed by the library. */
export interface LibraryKind {
  /** Part of the address. */
  path: 'objects' | 'ops' | 'prompts' | 'scorers' | 'models'
  title: string
  one: string
  /** Which latest versions are listed. */
  filter: { is_op: boolean; base_object_classes?: string[]; exclude_base_object_classes?: string[] }
  /** Why the list may be empty, for a newcomer. */
  empty: string
}

export const libraryKinds: readonly LibraryKind[] = [
  {
    path: 'ops',
    title: 'Ops',
    one: 'op',
    filter: { is_op: true },
    empty: 'The first traced call of a function publishes it as an op.',
  },
  {
    path: 'models',
    title: 'Models',
    one: 'model',
    filter: { is_op: false, base_object_classes: ['Model'] },
    empty: 'Run an evaluation, or publish a model with models.create.',
  },
  {
    path: 'prompts',
    title: 'Prompts',
    one: 'prompt',
    filter: { is_op: false, base_object_classes: ['Prompt'] },
    empty: 'Write one in the playground, or publish it with objects.create.',
  },
  {
    path: 'scorers',
    title: 'Scorers',
    one: 'scorer',
    filter: { is_op: false, base_object_classes: ['Scorer'] },
    empty: 'Run an evaluation that uses one, or publish a scorer with scorers.create.',
  },
  {
    path: 'objects',
    title: 'Objects',
    one: 'object',
    filter: { is_op: false },
    empty: 'Prompts, datasets, models, scorers and whatever else programs publish stand here.',
  },
]

export const findKind = (path: string): LibraryKind | undefined => libraryKinds.find((kind) => kind.path === path)
