import type { TrainingMemory } from '../engine/engine.ts'

const mebibytes = (bytes: number) => `${Math.ceil(bytes / 2 ** 20)} MiB`

/** Why a job does not fit into the memory of this machine, as a sentence for its sender with what to lower; null if it does. */
export function memoryProblem({ needed, limit, process, machine }: TrainingMemory, longest: number, hasTeacher = false): string | null {
  const lower = `${hasTeacher ? 'choose a smaller teacher, ' : ''}lower the rank, the batch size (batch_size or packed_sequence_length) or the length of sequences (the longest has ${longest} tokens), or train from a base model in BF16`
  if (needed > limit)
    return `the job needs ${mebibytes(needed)} of memory for models, and this server has ${mebibytes(limit)} (HEDDLE_TRAINING_MEMORY_BYTES); ${lower}`
  if (machine !== null && process > machine)
    return `the job takes ${mebibytes(process)} of memory, and the processes of this server may use ${mebibytes(machine)}; ${lower}`
  return null
}
