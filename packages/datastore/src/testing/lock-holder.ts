import process from 'node:process'
import { lockFolder } from '../folder-lock/folder-lock.ts'
import { messageOf } from '../message-of.ts'

// A process that locks a folder until its input ends: `node lock-holder.ts <folder> <mode>`. It prints `held`, or why it was refused.
const [, , folder = '', mode = 'exclusive'] = process.argv
try {
  await lockFolder({ folder, mode: mode === 'shared' ? 'shared' : 'exclusive', purpose: 'test' })
  process.stdout.write('held\n')
  process.stdin.resume()
} catch (error) {
  process.stdout.write(`${messageOf(error)}\n`)
}
