import { promises } from '#app/leads/promises.ts'
import { terms } from '#app/content/terms.ts'
import type { OwnEnquiry } from './lead.ts'

/** A future or overdue step, with its deadline (ISO 8601) where the site promises one. */
export type NextStep = { text: string; by?: string; isLate?: boolean }

/** The next step of a customer's enquiry. Deadlines count all hours: the site promises no business hours. */
export function nextStepsOf({ stage, promisedFrom, owesProposal }: OwnEnquiry, now = new Date()): NextStep[] {
  const due = (hours: number) => new Date(new Date(promisedFrom).getTime() + hours * 3_600_000)
  const isLate = (hours: number) => due(hours) <= now
  const step = (text: string, hours: number): NextStep => ({ text, by: due(hours).toISOString(), isLate: isLate(hours) })
  if (stage === 'proposal') return [{ text: 'Our proposal is in your mailbox. Answer it with your questions, or with your yes.' }]
  if (stage === 'consultation') return [{ text: `We talk it over in a call of ${terms.call}.` }]
  if (stage === 'received') {
    return [
      step('A person has read it and tells you so.', promises.readHours),
      step('You have our answer, with a proposal or with questions.', promises.answerHours),
    ]
  }
  const answered = { text: 'Our answer is in your mailbox. Answer it to go on.' }
  const isProposalAhead = owesProposal && !isLate(promises.proposalHours)
  return isProposalAhead ? [answered, step('You have our proposal.', promises.proposalHours)] : [answered]
}
