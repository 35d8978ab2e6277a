import { learnVatNumber, refreshVatNumber } from '#app/billing/tax/vat-number.server.ts'
import { data, href, redirect } from 'react-router'
import type { Handle } from '#app/access.server.ts'
import { findCurrentUser } from '#app/account/session/current-user.server.ts'
import { secretHeaders } from '#app/account/sign-in/secret-page.ts'
import { refreshCheckout } from '#app/billing/payments/apply-checkout.server.ts'
import { startCheckoutFor } from '#app/billing/payments/checkout.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { proposalPageTexts as words } from '#app/content/proposals.ts'
import { readForm } from '#app/platform/http/form.server.ts'
import { type RequestContext, requestContextOf } from '#app/platform/http/request-context.server.ts'
import { consume, refusalOver, type Limit, visitorKey } from '#app/platform/guard/limits.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { characterCount, manyLines } from '#app/platform/text/clean-text.ts'
import type { Row } from '#db/tables.ts'
import type { Route } from './+types/proposal.page.ts'
import {
  type Errors,
  findCompany,
  findSigner,
  readChoice,
  readCode,
  readWish,
  refuseQuantities,
  refuseWish,
  requestCode,
  sumOrSentence,
  type Sum,
  tryCode,
} from './accept.server.ts'
import { findByToken } from '#app/billing/orders/proposal-link.server.ts'
import { describeProposal, listOrders, moneyTexts } from './proposal-view.server.ts'
import { ProposalSheet } from './proposal-sheet.tsx'
import { choiceText, proposalLimits } from './proposal.ts'
import type { Shown } from './shown-proposal.ts'
import { askQuestion, declineProposal, isDeclinedFor, noteOpened, refusalOf } from './public-proposal.server.ts'
import { signProposal } from './sign.server.ts'

/** Wide, because a whole office can share an address. */
const changeLimit: Limit = { name: 'proposal-page', points: 60, seconds: 600 }
/** Wrong addresses, of which nobody types many. */
const guessLimit: Limit = { name: 'proposal-guess', points: 60, seconds: 600 }

export const handle = { access: 'public', hydration: 'islands', isDeal: true } satisfies Handle

export const headers = secretHeaders

export const meta = ({ loaderData }: Route.MetaArgs) => pageMeta({ title: loaderData?.title ?? words.missing.title, index: false })

export async function loader({ request, params: { token }, context }: Route.LoaderArgs) {
  const requestContext = requestContextOf(context)
  const viewer = await findCurrentUser(requestContext)
  const isStaff = viewer !== undefined && viewer.role !== 'customer'
  const row = await named(token, requestContext, isStaff)
  if (!isStaff && request.method === 'GET') await noteOpened(row)
  const search = new URL(request.url).searchParams
  await refreshOrder(row, search.get('paid') ?? '')
  const company = await findCompany(row)
  const signer = await findSigner(row, company, viewer)
  return data(
    {
      ...(await describeProposal(row, search.get('lines'))),
      signer: typeof signer === 'string' ? { refusal: signer } : { address: signer.address, isOwnAccount: signer.isOwnAccount },
    },
    { headers: secretHeaders() },
  )
}

/** Everyone but staff finds nothing at the address of a draft. */
async function named(token: string, { address }: RequestContext, isStaff: boolean): Promise<Row<'proposals'>> {
  const row = await findByToken(token)
  if (row && (row.state !== 'draft' || isStaff)) return row
  await consume(guessLimit, visitorKey(address))
  return stop('notFound', words.missing.text)
}

type Fields = Record<string, string>

export async function action({ request, params: { token }, context }: Route.ActionArgs) {
  const requestContext = requestContextOf(context)
  const fields = await readForm(request)
  const row = await named(token, requestContext, false)
  const here = href('/proposal/:token', { token })
  // Of every button: they are all of one form.
  const choice = readChoice(row.content, fields)
  const show = ({ kept, isDone: _isDone, ...shown }: Again, status = 422) =>
    data({ ...shown, choice, fields: { ...fields, ...kept } }, { status, headers: secretHeaders() })
  const tooMany = await refusalOver(changeLimit, visitorKey(requestContext.address))
  if (tooMany) return show({ errors: { [placeOf(fields['intent'])]: tooMany } }, 429)
  if (fields['intent'] === 'pay') return pay(row, fields['order'] ?? '', here)
  if (fields['intent'] === 'decline' && isDeclinedFor(row, readReason(fields))) return redirect(here, 303)
  const refusal = refusalOf(row)
  if (refusal) return show({ errors: { form: refusal } }, 409)
  const intent = fields['intent']?.split('-')[0] ?? ''
  const act = Object.hasOwn(intents, intent) ? intents[intent] : undefined
  const outcome = await (act ?? choose)({ row, fields, requestContext })
  if ('to' in outcome) return redirect(`${here}${outcome.to}`, 303)
  const isDone = outcome.isDone ?? (outcome.sum !== undefined && Object.keys(outcome.errors).length === 0)
  return show(outcome, isDone ? 200 : 422)
}

/** The buttons that ask a question or update the total lead to their own place in the page. The refusal has to be there. */
function placeOf(intent = ''): string {
  if (intent.startsWith('ask-')) return `question-${intent.slice('ask-'.length)}`
  return intent === 'choose' ? 'total' : 'form'
}

const readReason = (fields: Fields) => manyLines(fields['reason'] ?? '')

/** Anyone with the link can pay, as with the link in the invoice. */
async function pay({ id }: Row<'proposals'>, orderId: string, here: string) {
  const order = (await listOrders(id)).find((each) => each.id === orderId)
  // It was paid, or ended, in another tab.
  if (order?.state !== 'open') return redirect(`${here}#signed`, 303)
  return redirect(await startCheckoutFor(order.id, { returnPath: `${here}?paid=${order.id}`, cancelPath: here }), 303)
}

/** Back from the provider, which may know more than its events that have arrived. Where it does not answer, what is known is shown. */
async function refreshOrder(row: Row<'proposals'>, orderId: string): Promise<void> {
  const order = (await listOrders(row.id)).find((each) => each.id === orderId)
  if (!order) return
  await refreshCheckout(order.id).catch((error: unknown) => log.warn({ err: error }, 'a checkout could not be looked at'))
}

type Acting = { row: Row<'proposals'>; fields: Fields; requestContext: RequestContext }
/** The page again, with all that was typed. `kept`: other values for some of it. */
type Again = Omit<Shown, 'fields'> & { kept?: Fields; isDone?: boolean }
type Outcome = { to: string } | Again

const isTyped = /^(question-|reason$|company$|vat$|name$|business$)/

async function choose({ row, fields }: Acting): Promise<Outcome> {
  const errors = refuseQuantities(row.content, fields)
  if (Object.keys(errors).length > 0) return { errors }
  // An address has the choices alone.
  if (Object.entries(fields).some(([name, value]) => isTyped.test(name) && value !== '')) return { errors, isDone: true }
  return { to: `?lines=${choiceText(readChoice(row.content, fields))}#total` }
}

const intents: Record<string, (acting: Acting) => Promise<Outcome>> = {
  choose,

  async ask({ row, fields, requestContext }) {
    const line = (fields['intent'] ?? '').slice('ask-'.length)
    const name = `question-${line}`
    const question = manyLines(fields[name] ?? '')
    const error =
      question === ''
        ? words.questions.empty
        : characterCount(question) > proposalLimits.question
          ? words.questions.long
          : await askQuestion(row.id, { lineId: line, question })
    // Without a redirect, all that was chosen and typed stays. A question that is sent again by a reload is taken once.
    const wrong = refuseQuantities(row.content, fields)
    const sum = await keptSum({ row, fields, requestContext })
    return error
      ? { errors: { ...wrong, [name]: error }, ...sum }
      : { errors: wrong, notice: words.questions.asked, kept: { [name]: '' }, isDone: true, ...sum }
  },

  async decline({ row, fields, requestContext }) {
    const reason = readReason(fields)
    const error =
      characterCount(reason) > proposalLimits.reason ? words.errors.reason : await declineProposal(row.id, reason, requestContext.address)
    return error ? { errors: { reason: error } } : { to: '' }
  },

  async code({ row, fields, requestContext }) {
    const { wish, company, signer } = await readAccepting({ row, fields, requestContext })
    if (typeof signer === 'string') return { errors: { form: signer } }
    const quantities = refuseQuantities(row.content, fields)
    if (Object.keys(quantities).length > 0) return { errors: { ...quantities, ...refuseWish(wish, company) } }
    const outcome = await requestCode(row, wish, { address: signer.address, company, visitor: requestContext.address })
    if ('errors' in outcome) return outcome
    // The code of an earlier email is void.
    const isAgain = fields['digest'] !== undefined
    return { errors: {}, sum: shownSum(row, outcome.sum), kept: { code: '' }, ...(isAgain && { isAgain }) }
  },

  async sign({ row, fields, requestContext }) {
    const { wish, company, signer } = await readAccepting({ row, fields, requestContext })
    if (typeof signer === 'string') return { errors: { form: signer } }
    const wrong = { ...refuseQuantities(row.content, fields), ...refuseWish(wish, company) }
    if (Object.keys(wrong).length > 0) return { errors: wrong }
    const sum = sumOrSentence(row, wish, company)
    if (typeof sum === 'string') return { errors: { form: sum } }
    const again = (errors: Errors) => ({ errors, sum: shownSum(row, sum) })
    if (sum.digest !== fields['digest']) return { errors: { form: words.errors.changed } }
    const code = readCode(fields['code'] ?? '')
    if (!code || !fields['consent'] || !fields['authority'])
      return again({
        ...(!code && { code: words.errors.codeMissing }),
        ...(!fields['consent'] && { consent: words.errors.consent }),
        ...(!fields['authority'] && { authority: words.errors.authority }),
      })
    const { address, headers } = requestContext
    const refused = await tryCode(row.id, signer.address, code, address)
    if (refused) return again({ code: refused })
    const userAgent = String(headers['user-agent'] ?? '').slice(0, 300)
    const errors = await signProposal(row, { wish, signer, digest: sum.digest, address, userAgent })
    return errors ? { errors } : { to: '#signed' }
  },

  change: async () => ({ errors: {} }),
}

async function readAccepting({ row, fields, requestContext }: Acting) {
  const [company, viewer] = await Promise.all([findCompany(row), findCurrentUser(requestContext)])
  const wish = readWish(row.content, fields)
  if (company) await refreshVatNumber(company.id)
  else await learnVatNumber(wish.vatNumber)
  return { wish, company: company && (await findCompany(row)), signer: await findSigner(row, company, viewer) }
}

/** The totals that a code was sent for, as long as the choices are still those. */
async function keptSum(acting: Acting): Promise<Pick<Again, 'sum'>> {
  if (!acting.fields['digest']) return {}
  const { wish, company } = await readAccepting(acting)
  const sum = sumOrSentence(acting.row, wish, company)
  return typeof sum === 'string' || sum.digest !== acting.fields['digest'] ? {} : { sum: shownSum(acting.row, sum) }
}

function shownSum({ content }: Row<'proposals'>, { totals, deposit, digest }: Sum) {
  return { digest, ...moneyTexts(totals, deposit?.gross ?? 0, content.currency) }
}

export default function ProposalPage({ loaderData, actionData }: Route.ComponentProps) {
  return <ProposalSheet proposal={loaderData} shown={actionData} />
}
