import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ModelConfig } from '@heddle/training/testing'
import type { Preset } from '../presets.ts'
import type { PeerSpeeds } from './peer-speeds.ts'

const here = import.meta.dirname
const requirements = join(here, 'requirements', 'torch.txt')
const stepMs = 30 * 60_000
/** With all cores taken by others, threads that wait for each other take many times as long. */
const measureMs = 20 * 60_000

export interface TorchWork {
  presets: readonly (Omit<Preset, 'config'> & { config: ModelConfig })[]
  threads: readonly number[]
  rounds: number
  clock: string
}

/** Speeds of PyTorch on this CPU, in an environment of its own that is made on first use. @throws Error when it cannot be made */
export function runTorch(folder: string, work: TorchWork): PeerSpeeds[] {
  const python = ensureEnvironment(folder)
  const { status, stdout, stderr, error } = spawnSync(python, [join(here, 'torch_speeds.py')], {
    input: JSON.stringify(work),
    encoding: 'utf8',
    timeout: measureMs,
    maxBuffer: 2 ** 24,
  })
  if (error) throw error
  if (status !== 0) throw new Error(`PyTorch could not be measured: ${stderr.trim().split('\n').at(-1) ?? `exit code ${status}`}`)
  return JSON.parse(stdout) as PeerSpeeds[]
}

function ensureEnvironment(folder: string): string {
  const python = join(folder, 'bin', 'python')
  const stamp = join(folder, '.installed')
  const wanted = readFileSync(requirements, 'utf8')
  if (existsSync(python) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return python
  console.log('Installing PyTorch for the comparison (some GB, once)')
  execFileSync('python3', ['-m', 'venv', folder], { stdio: ['ignore', 'ignore', 'inherit'], timeout: stepMs })
  const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]
  execFileSync(python, install, { stdio: ['ignore', 'ignore', 'inherit'], timeout: stepMs })
  writeFileSync(stamp, wanted)
  return python
}
