import { z } from 'zod'

const machineText = z.record(z.string(), z.json())

/** What a page says to machines, as plain JSON: the types of the whole vocabulary stay where it is written, and what has no value is not there. */
export type MachineText = z.infer<typeof machineText>

export function machineTexts(things: object[]): MachineText[] {
  return z.array(machineText).parse(JSON.parse(JSON.stringify(things)))
}
