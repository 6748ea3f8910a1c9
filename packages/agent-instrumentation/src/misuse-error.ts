/** The program used a trajectory as it cannot be used. The message names the trajectory and the way out. */
export class TrajectoryMisuse extends Error {
  override readonly name = 'TrajectoryMisuse'
  readonly trajectoryId: string

  constructor(trajectoryId: string, problem: string) {
    super(`trajectory ${trajectoryId}: ${problem}`)
    this.trajectoryId = trajectoryId
  }
}
