import { z } from 'zod/mini'
import { hours } from '#app/content/hours.ts'

/** The reply deadlines, in hours that count as the settings say. An automatic email stops no clock. */
export const promises = {
  readHours: hours.acknowledgement,
  answerHours: hours.response,
  proposalHours: hours.proposal,
} as const

/** The promises to the sender of an enquiry, each with its clock. */
export const clockName = z.enum(['acknowledgement', 'response', 'proposal'])

export type ClockName = z.infer<typeof clockName>

export const clockLabels: Record<ClockName, string> = { acknowledgement: 'Acknowledgement', response: 'Answer', proposal: 'Proposal' }

/** The instant of each promise's breach (ISO 8601), whether or not its clock still runs. */
export const deadlines = z.object({ acknowledgement: z.string(), response: z.string(), proposal: z.string() })

export type Deadlines = z.infer<typeof deadlines>
