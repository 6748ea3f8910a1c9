/** What a page of the library lists. */
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
    empty: 'An op is a function whose runs are recorded as calls. The first traced call of a function publishes it.',
  },
  {
    path: 'models',
    title: 'Models',
    one: 'model',
    filter: { is_op: false, base_object_classes: ['Model'] },
    empty: 'A model is a program with its settings that evaluations run. Publish one with models.create, or run an evaluation.',
  },
  {
    path: 'prompts',
    title: 'Prompts',
    one: 'prompt',
    filter: { is_op: false, base_object_classes: ['Prompt'] },
    empty: 'A prompt is a text or a list of messages with versions. Publish one from a program with objects.create.',
  },
  {
    path: 'scorers',
    title: 'Scorers',
    one: 'scorer',
    filter: { is_op: false, base_object_classes: ['Scorer'] },
    empty: 'A scorer judges an output. Publish one with scorers.create, or run an evaluation that uses one.',
  },
  {
    path: 'objects',
    title: 'Objects',
    one: 'object',
    filter: { is_op: false },
    empty: 'An object is any named JSON value with versions: prompts, datasets, models, scorers and whatever programs publish.',
  },
]

export const findKind = (path: string): LibraryKind | undefined => libraryKinds.find((kind) => kind.path === path)
