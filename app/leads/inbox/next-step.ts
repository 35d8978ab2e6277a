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
  if (stage === 'proposal') return [{ text: 'Check your email for our proposal. Reply with questions, or to accept.' }]
  if (stage === 'consultation') return [{ text: `We discuss it in a ${terms.callLength} call.` }]
  if (stage === 'received') {
    return [
      step('A person confirms that they have read it.', promises.readHours),
      step('We reply with a proposal or with questions.', promises.answerHours),
    ]
  }
  const answered = { text: 'Check your email for our reply, and answer it to continue.' }
  const isProposalAhead = owesProposal && !isLate(promises.proposalHours)
  return isProposalAhead ? [answered, step('We send our proposal.', promises.proposalHours)] : [answered]
}
