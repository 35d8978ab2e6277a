import { terms } from '#app/site/content/terms.ts'

/** By when a visitor hears from a person, in hours that simply pass: the site does not say business hours. An automatic letter stops no clock. */
export const promises = {
  readHours: terms.hours.acknowledgement,
  answerHours: terms.hours.response,
  proposalHours: terms.hours.proposal,
} as const
