/** One damaged part of a backup. `key` is that of a file of an image, without which all else can be restored. */
export interface Damage {
  message: string
  key?: string
}

/** A backup is not as it was taken. */
export class DamagedBackup extends Error {
  readonly damage: Damage

  constructor(damage: Damage) {
    super(damage.message)
    this.damage = damage
  }
}
