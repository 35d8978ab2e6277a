import { z } from 'zod'

const machineText = z.record(z.string(), z.json())

/** A page's structured data as plain JSON, without undefined values. The types of the vocabulary stay in the code that writes it. */
export type MachineText = z.infer<typeof machineText>

export function machineTexts(things: object[]): MachineText[] {
  return z.array(machineText).parse(JSON.parse(JSON.stringify(things)))
}
