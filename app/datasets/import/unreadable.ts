import type { HeadFault } from '#app/datasets/catalog/version.ts'

/** Why a file cannot become a version, in a sentence for staff. */
export class Unreadable extends Error {}

/** Only the names of its columns are wrong: staff can give them others. */
export class UnreadableHead extends Unreadable {
  readonly faults: HeadFault[]

  constructor(sentence: string, faults: HeadFault[]) {
    super(sentence)
    this.faults = faults
  }
}
