import { identity } from './identity.ts'

/** The words of withdrawing from a purchase, for private persons. Ask a lawyer before you change them; a new consent needs a new version. */

export const WITHDRAWAL = '/withdraw' as const

/** The label that the law asks for. */
export const WITHDRAWAL_LINK = 'Withdraw from contract here'

/** From the day of the contract. */
export const WITHDRAWAL_DAYS = 14

export const immediateSupply = {
  version: '2026-11-30',
  text: 'I agree that the supply begins before the withdrawal period ends. I know that I lose my right of withdrawal as soon as I download the data, query it, page through its rows or read it through the API.',
} as const

export const withdrawalWords = {
  title: 'Withdraw from a contract',
  intro: `Private persons can withdraw from a purchase within ${WITHDRAWAL_DAYS} days, without a reason. Two steps: name the contract, then confirm.`,
  find: {
    reference: 'Order number',
    referenceHint: 'In our emails and on your invoice, such as B-7K2M9Q.',
    email: 'Email address',
    emailHint: 'The one you ordered with. The receipt goes there.',
    name: 'Your name',
    submit: 'Continue',
    missing: 'Enter the order number',
    badEmail: 'Enter the email address you ordered with',
    noName: 'Enter your name',
    get unknown() {
      return `No order of a private person has this number and address. Check both. If you cannot find them, write to ${identity.email}: that counts as well.`
    },
  },
  confirm: {
    title: 'You are about to withdraw from this contract',
    submit: 'Confirm withdrawal',
    back: 'Change the details',
  },
  done: {
    title: 'We have received your withdrawal',
    text: 'We have emailed you a receipt with its content and time.',
  },
  statement: (name: string, title: string, reference: string) =>
    `I, ${name}, withdraw from the contract for “${title}” (order ${reference}).`,
  /** The next step, by the state of the withdrawal. `amount` is the paid amount, or the refunded one; empty if there is none. */
  next: {
    unpaid: () => 'We cancel the order, and nothing is charged. We email you when it is done.',
    received: (amount: string) =>
      amount
        ? `We check it now. If the right of withdrawal applies, we refund ${amount} the way you paid, at the latest ${WITHDRAWAL_DAYS} days after your withdrawal. We email you the result.`
        : 'We check it and email you what happens next.',
    refunded: (amount: string) =>
      `We refund ${amount} the way you paid, at the latest ${WITHDRAWAL_DAYS} days after your withdrawal. Your access to the dataset ends with it.`,
    /** Of staff, at any time after the withdrawal. */
    refundedByStaff: (amount: string) => `We refund ${amount} the way you paid. Your access to the dataset ends with it.`,
    staff: (amount: string) =>
      amount
        ? `We check whether the right of withdrawal applies to your payment of ${amount}, and email you what happens next.`
        : 'We check it and email you what happens next.',
    decided: () => `We have reviewed your withdrawal. If you haven’t received the result by email, write to ${identity.email}.`,
    cancelled: () => 'The order is cancelled. Nothing was paid, so nothing has to be refunded.',
  },
  /** In the confirmation of the contract. */
  get information() {
    return `You can withdraw from this contract within ${WITHDRAWAL_DAYS} days without giving a reason. Tell us by a clear statement, on our withdrawal page or by email to ${identity.email}. We then refund your payment within ${WITHDRAWAL_DAYS} days, the way you paid. The right ends earlier for digital content if you agreed that the supply begins at once, knew that you lose the right by it, and the supply has begun.`
  },
} as const
