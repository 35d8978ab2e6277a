/** A call as its emails are made from it. Times are ISO 8601. */
export type CallData = {
  id: string
  reference: string
  title: string
  sequence: number
  startsAt: string
  endsAt: string
  guestZone: string
  guest: { name: string; email: string; company: string | null; phone: string | null }
  host: { name: string; email: string | null; zone: string }
  projectDescription: string
  answers: { question: string; answer: string }[]
  place: string
  bookedAt: string
  updatedAt: string
  /** The time before a change. */
  formerly: string | null
  reason: string | null
  changedBy: 'guest' | 'staff' | 'scheduler' | null
}

/** The questions with their answers, for calendars. */
export function answerLines(answers: CallData['answers']): string[] {
  return answers.map(({ question, answer }) => `${question} ${answer}`)
}

/** The same for the guest, with the link for changes. */
export type GuestCallData = CallData & { manageUrl: string; changeWindowMinutes: number }
