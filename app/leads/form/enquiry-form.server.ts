import { macText } from '#app/platform/guard/keys.server.ts'
import { manyLines } from '#app/platform/text/clean-text.ts'
import { firstErrors } from '#app/platform/browser/first-errors.ts'
import { consume, visitorKey } from '#app/platform/guard/limits.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { sourceOf } from '#app/platform/http/source.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { enquiryBody, type EnquiryFormKind, enquiryForms, type EnquiryReceipt, toEnquiry } from '#app/leads/lead/contact.ts'
import { enquiryLimit, takeEnquiry } from './contact.server.ts'
import { asSent } from '#app/leads/lead/hire-message.ts'
import type { EnquiryRefusal } from './enquiry-form.tsx'

type Fields = Record<string, string>

type Outcome = { receipt: EnquiryReceipt } | { refused: EnquiryRefusal; status: number }

/** Handles a form that was sent without JavaScript. Returns its receipt, or the errors with the typed values. */
export async function takeForm(form: EnquiryFormKind, given: Fields, { address, headers }: RequestContext): Promise<Outcome> {
  const values = answersOf(form, given)
  const trouble = await tooOften(address)
  if (trouble) return { refused: { errors: {}, values, trouble: trouble.data }, status: trouble.status }
  const read = enquiryBody.safeParse({ ...given, ...asSent(form, values), form })
  if (!read.success) return { refused: { errors: firstErrors(read.error), values }, status: 422 }
  const { homepage, token, proof, idempotencyKey, page, referrer, ...fields } = read.data
  const enquiry = toEnquiry(fields)
  const sender = { address, idempotencyKey: idempotencyKey ?? keyOf(JSON.stringify(enquiry)) }
  const cameFrom = sourceOf(form, { page, referrer }, headers)
  return { receipt: await takeEnquiry({ ...enquiry, cameFrom }, { trapped: Boolean(homepage), token, proof }, sender) }
}

/** A rate-limited person keeps the typed text: the page says when to try again. */
async function tooOften(address: string): Promise<Stop | undefined> {
  try {
    await consume(enquiryLimit, visitorKey(address))
    return undefined
  } catch (error) {
    if (error instanceof Stop) return error
    throw error
  }
}

/** Only the form's own fields go back to its page. */
function answersOf(form: EnquiryFormKind, given: Fields): Fields {
  return Object.fromEntries(Object.keys(enquiryForms[form].shape).map((name) => [name, manyLines(given[name] ?? '')]))
}

/** A public page cannot carry the key of one attempt, so the key is derived from the text: the same text within a day is one enquiry. */
function keyOf(content: string): string {
  return `form-${macText('enquiry', `${new Date().toISOString().slice(0, 10)}${content}`)}`
}
