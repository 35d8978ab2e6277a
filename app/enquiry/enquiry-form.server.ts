import { mac } from '#app/platform/keys.server.ts'
import { manyLines } from '#app/platform/clean-text.ts'
import { firstErrors } from '#app/platform/first-errors.ts'
import { consume, visitorKey } from '#app/platform/limits.server.ts'
import { Stop } from '#app/platform/stop.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { enquiryBody, type EnquiryForm, enquiryForms, type EnquiryReceipt, toEnquiry } from '#app/leads/contact.ts'
import { enquiryLimit, takeEnquiry } from '#app/leads/contact.server.ts'
import { asSent } from '#app/leads/hire-message.ts'
import type { Refusal } from './enquiry-form.tsx'

type Fields = Record<string, string>

type Outcome = { receipt: EnquiryReceipt } | { refused: Refusal; status: number }

/**
 * Takes a form that came without script. Answers its receipt, or why it was not taken together with all that was typed.
 */
export async function takeForm(form: EnquiryForm, given: Fields, { address }: Visit): Promise<Outcome> {
  const values = answersOf(form, given)
  const trouble = await tooOften(address)
  if (trouble) return { refused: { errors: {}, values, trouble: trouble.data }, status: trouble.status }
  const read = enquiryBody.safeParse({ ...given, ...asSent(form, values), form })
  if (!read.success) return { refused: { errors: firstErrors(read.error), values }, status: 422 }
  const { homepage, token, proof, idempotencyKey } = read.data
  const enquiry = toEnquiry(read.data)
  return {
    receipt: await takeEnquiry(enquiry, { trapped: Boolean(homepage), token, proof }, idempotencyKey ?? keyOf(JSON.stringify(enquiry))),
  }
}

/** Whoever has sent too much keeps what they have typed: the page says when to come back. */
async function tooOften(address: string): Promise<Stop | undefined> {
  try {
    await consume(enquiryLimit, visitorKey(address))
    return undefined
  } catch (error) {
    if (error instanceof Stop) return error
    throw error
  }
}

/** Only what the form asks for goes back to its page. */
function answersOf(form: EnquiryForm, given: Fields): Fields {
  return Object.fromEntries(Object.keys(enquiryForms[form].shape).map((name) => [name, manyLines(given[name] ?? '')]))
}

/** A page for everyone cannot carry a key of one attempt, so the words themselves are the key: sent twice within a day, they are one enquiry. */
function keyOf(content: string): string {
  return `form-${mac('enquiry', `${new Date().toISOString().slice(0, 10)}${content}`).toString('base64url')}`
}
