import { terms } from '#app/content/terms.ts'

/** The reply deadlines, in plain hours: the site promises no business hours. An automatic email stops no clock. */
export const promises = {
  readHours: terms.hours.acknowledgement,
  answerHours: terms.hours.response,
  proposalHours: terms.hours.proposal,
} as const
