import { type Admission, createAdmission, defaultAdmissionLimits } from '@heddle/service-kit'

/** Lets requests wait as long as a test does: a busy machine is no fault of what is tested. */
export function patientAdmission(): Admission {
  const patience = { patienceMs: 60_000, maxWaitMs: 60_000 }
  const { writes, reads, statements } = defaultAdmissionLimits
  return createAdmission({
    limits: {
      writes: { ...writes, ...patience },
      reads: { ...reads, ...patience },
      statements: { ...statements, queueTimeoutMs: 60_000 },
    },
  })
}
